const _: () = {
    use ::pmem_runtime::__private as __pmem;
    #[automatically_derived]
    unsafe impl __pmem::Persistent for Cents {
        type At<'__q> = Cents;
        const NAME: &'static __pmem::str = "Cents";
        const NAME_HASH: __pmem::u64 = __pmem::hash_str("Cents");
        const LAYOUT_HASH: __pmem::u64 = {
            let __hash = __pmem::combine(
                <Self as __pmem::Persistent>::NAME_HASH,
                __pmem::size_of::<Self>() as __pmem::u64,
            );
            let __hash = __pmem::hash_field(
                __hash,
                "0",
                __pmem::offset_of!(Self, 0),
                false,
                <i64 as __pmem::Persistent>::LAYOUT_HASH,
            );
            __hash
        };
        const HAS_POINTERS: __pmem::bool = <i64 as __pmem::Persistent>::HAS_POINTERS;
        const HAS_PADDING: __pmem::bool = <i64 as __pmem::Persistent>::HAS_PADDING
            || __pmem::has_gap(
                0usize,
                __pmem::size_of::<Self>(),
                &[(__pmem::offset_of!(Self, 0), __pmem::size_of::<i64>())],
            );
        const HAS_VOLATILE: __pmem::bool = <i64 as __pmem::Persistent>::HAS_VOLATILE;
        const NICHE: __pmem::Option<__pmem::Niche> = __pmem::niche_among::<
            Self,
        >(&[(__pmem::offset_of!(Self, 0), <i64 as __pmem::Persistent>::NICHE)]);
        const WITNESS: __pmem::MaybeUninit<Self> = __pmem::MaybeUninit::new(Cents {
            0: unsafe { <i64 as __pmem::Persistent>::WITNESS.assume_init() },
        });
        fn schema() -> &'static __pmem::Schema {
            const {
                &__pmem::Schema {
                    name: "Cents",
                    arguments: &[],
                    size_bytes: __pmem::size_of::<Self>(),
                    align_bytes: __pmem::align_of::<Self>(),
                    kind: __pmem::Kind::Struct(
                        &[
                            __pmem::Field {
                                name: "0",
                                offset_bytes: __pmem::offset_of!(Self, 0),
                                is_volatile: false,
                                schema: <i64 as __pmem::Persistent>::schema,
                            },
                        ],
                    ),
                }
            }
        }
        unsafe fn validate(
            __at: *const __pmem::u8,
            __visit: &mut __pmem::Visit<'_>,
        ) -> __pmem::Result<(), __pmem::Fault> {
            unsafe {
                <i64 as __pmem::Persistent>::validate(
                    __at.wrapping_add(__pmem::offset_of!(Self, 0)),
                    __visit,
                )
            }?;
            __pmem::Ok(())
        }
        fn trace(&self, __tracer: &mut __pmem::Tracer<'_>) {
            match self {
                Cents { 0: __f0 } => {
                    <i64 as __pmem::Persistent>::trace(__f0, __tracer);
                }
            }
        }
        fn targets(__types: &mut __pmem::NodeTypes) {
            let _ = &__types;
            <i64 as __pmem::Persistent>::targets(__types);
        }
        unsafe fn share(&self, __sharer: &__pmem::Sharer<'_>) -> Self {
            match self {
                Cents { 0: __f0 } => {
                    Cents {
                        0: unsafe { <i64 as __pmem::Persistent>::share(__f0, __sharer) },
                    }
                }
            }
        }
        unsafe fn store(__this: *const Self, __to: *mut __pmem::u8) {
            unsafe {
                <i64 as __pmem::Persistent>::store(
                    __this.wrapping_byte_add(__pmem::offset_of!(Self, 0)).cast(),
                    __to.wrapping_add(__pmem::offset_of!(Self, 0)),
                )
            };
        }
        unsafe fn scrub(__at: *mut __pmem::u8) {
            if <Self as __pmem::Persistent>::HAS_PADDING {
                unsafe {
                    __pmem::zero_gaps(
                        __at,
                        0usize,
                        __pmem::size_of::<Self>(),
                        &[(__pmem::offset_of!(Self, 0), __pmem::size_of::<i64>())],
                    )
                };
                unsafe {
                    <i64 as __pmem::Persistent>::scrub(
                        __at.wrapping_add(__pmem::offset_of!(Self, 0)),
                    )
                };
            }
        }
        unsafe fn reset(__at: *mut __pmem::u8, __to: __pmem::Reset) {
            if <Self as __pmem::Persistent>::HAS_VOLATILE {
                unsafe {
                    <i64 as __pmem::Persistent>::reset(
                        __at.wrapping_add(__pmem::offset_of!(Self, 0)),
                        __to,
                    )
                };
            }
        }
    }
    #[automatically_derived]
    unsafe impl __pmem::Send for Cents {}
    #[automatically_derived]
    unsafe impl __pmem::Sync for Cents {}
    trait PersistentTypesMustNotImplementDropCleanUpInTheSectionInstead {}
    impl<T: __pmem::Drop> PersistentTypesMustNotImplementDropCleanUpInTheSectionInstead
    for T {}
    impl PersistentTypesMustNotImplementDropCleanUpInTheSectionInstead for Cents {}
    trait __OneBrand<'p> {
        fn check();
    }
    impl<'__q> __OneBrand<'__q> for Cents {
        fn check() {
            let _: __pmem::PhantomData<*mut <i64 as __pmem::Persistent>::At<'__q>> = __pmem::PhantomData::<
                *mut i64,
            >;
        }
    }
    const _: () = __pmem::check_layout::<Cents>();
};
