const _: () = {
    use ::pmem_runtime::__private as __pmem;
    #[automatically_derived]
    unsafe impl<'p, T> __pmem::Persistent for List<'p, T>
    where
        T: __pmem::Persistent,
    {
        type At<'__q> = List<'__q, <T as __pmem::Persistent>::At<'__q>>;
        const NAME: &'static __pmem::str = "List";
        const NAME_HASH: __pmem::u64 = __pmem::combine(
            __pmem::hash_str("List"),
            <T as __pmem::Persistent>::NAME_HASH,
        );
        const LAYOUT_HASH: __pmem::u64 = {
            let __hash = __pmem::combine(
                <Self as __pmem::Persistent>::NAME_HASH,
                __pmem::size_of::<Self>() as __pmem::u64,
            );
            let __hash = __pmem::hash_field(
                __hash,
                "value",
                __pmem::offset_of!(Self, value),
                false,
                <T as __pmem::Persistent>::LAYOUT_HASH,
            );
            let __hash = __pmem::hash_field(
                __hash,
                "next",
                __pmem::offset_of!(Self, next),
                false,
                <Option<P<'p, Self>> as __pmem::Persistent>::LAYOUT_HASH,
            );
            __hash
        };
        const HAS_POINTERS: __pmem::bool = <T as __pmem::Persistent>::HAS_POINTERS
            || <Option<P<'p, Self>> as __pmem::Persistent>::HAS_POINTERS;
        const HAS_PADDING: __pmem::bool = <T as __pmem::Persistent>::HAS_PADDING
            || <Option<P<'p, Self>> as __pmem::Persistent>::HAS_PADDING
            || __pmem::has_gap(
                0usize,
                __pmem::size_of::<Self>(),
                &[
                    (__pmem::offset_of!(Self, value), __pmem::size_of::<T>()),
                    (
                        __pmem::offset_of!(Self, next),
                        __pmem::size_of::<Option<P<'p, Self>>>(),
                    ),
                ],
            );
        const HAS_VOLATILE: __pmem::bool = <T as __pmem::Persistent>::HAS_VOLATILE
            || <Option<P<'p, Self>> as __pmem::Persistent>::HAS_VOLATILE;
        const NICHE: __pmem::Option<__pmem::Niche> = __pmem::niche_among::<
            Self,
        >(
            &[
                (__pmem::offset_of!(Self, value), <T as __pmem::Persistent>::NICHE),
                (
                    __pmem::offset_of!(Self, next),
                    <Option<P<'p, Self>> as __pmem::Persistent>::NICHE,
                ),
            ],
        );
        const WITNESS: __pmem::MaybeUninit<Self> = __pmem::MaybeUninit::new(List {
            value: unsafe { <T as __pmem::Persistent>::WITNESS.assume_init() },
            next: unsafe {
                <Option<P<'p, Self>> as __pmem::Persistent>::WITNESS.assume_init()
            },
        });
        fn schema() -> &'static __pmem::Schema {
            const {
                &__pmem::Schema {
                    name: "List",
                    arguments: &[<T as __pmem::Persistent>::schema],
                    size_bytes: __pmem::size_of::<Self>(),
                    align_bytes: __pmem::align_of::<Self>(),
                    kind: __pmem::Kind::Struct(
                        &[
                            __pmem::Field {
                                name: "value",
                                offset_bytes: __pmem::offset_of!(Self, value),
                                is_volatile: false,
                                schema: <T as __pmem::Persistent>::schema,
                            },
                            __pmem::Field {
                                name: "next",
                                offset_bytes: __pmem::offset_of!(Self, next),
                                is_volatile: false,
                                schema: <Option<P<'p, Self>> as __pmem::Persistent>::schema,
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
                <T as __pmem::Persistent>::validate(
                    __at.wrapping_add(__pmem::offset_of!(Self, value)),
                    __visit,
                )
            }?;
            unsafe {
                <Option<
                    P<'p, Self>,
                > as __pmem::Persistent>::validate(
                    __at.wrapping_add(__pmem::offset_of!(Self, next)),
                    __visit,
                )
            }?;
            __pmem::Ok(())
        }
        fn trace(&self, __tracer: &mut __pmem::Tracer<'_>) {
            match self {
                List { value: __f0, next: __f1 } => {
                    <T as __pmem::Persistent>::trace(__f0, __tracer);
                    <Option<P<'p, Self>> as __pmem::Persistent>::trace(__f1, __tracer);
                }
            }
        }
        fn targets(__types: &mut __pmem::NodeTypes) {
            let _ = &__types;
            <T as __pmem::Persistent>::targets(__types);
            <Option<P<'p, Self>> as __pmem::Persistent>::targets(__types);
        }
        unsafe fn share(&self, __sharer: &__pmem::Sharer<'_>) -> Self {
            match self {
                List { value: __f0, next: __f1 } => {
                    List {
                        value: unsafe {
                            <T as __pmem::Persistent>::share(__f0, __sharer)
                        },
                        next: unsafe {
                            <Option<
                                P<'p, Self>,
                            > as __pmem::Persistent>::share(__f1, __sharer)
                        },
                    }
                }
            }
        }
        unsafe fn store(__this: *const Self, __to: *mut __pmem::u8) {
            unsafe {
                <T as __pmem::Persistent>::store(
                    __this.wrapping_byte_add(__pmem::offset_of!(Self, value)).cast(),
                    __to.wrapping_add(__pmem::offset_of!(Self, value)),
                )
            };
            unsafe {
                <Option<
                    P<'p, Self>,
                > as __pmem::Persistent>::store(
                    __this.wrapping_byte_add(__pmem::offset_of!(Self, next)).cast(),
                    __to.wrapping_add(__pmem::offset_of!(Self, next)),
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
                        &[
                            (__pmem::offset_of!(Self, value), __pmem::size_of::<T>()),
                            (
                                __pmem::offset_of!(Self, next),
                                __pmem::size_of::<Option<P<'p, Self>>>(),
                            ),
                        ],
                    )
                };
                unsafe {
                    <T as __pmem::Persistent>::scrub(
                        __at.wrapping_add(__pmem::offset_of!(Self, value)),
                    )
                };
                unsafe {
                    <Option<
                        P<'p, Self>,
                    > as __pmem::Persistent>::scrub(
                        __at.wrapping_add(__pmem::offset_of!(Self, next)),
                    )
                };
            }
        }
        unsafe fn reset(__at: *mut __pmem::u8, __to: __pmem::Reset) {
            if <Self as __pmem::Persistent>::HAS_VOLATILE {
                unsafe {
                    <T as __pmem::Persistent>::reset(
                        __at.wrapping_add(__pmem::offset_of!(Self, value)),
                        __to,
                    )
                };
                unsafe {
                    <Option<
                        P<'p, Self>,
                    > as __pmem::Persistent>::reset(
                        __at.wrapping_add(__pmem::offset_of!(Self, next)),
                        __to,
                    )
                };
            }
        }
    }
    #[automatically_derived]
    unsafe impl<'p, T> __pmem::Send for List<'p, T>
    where
        T: __pmem::Persistent,
    {}
    #[automatically_derived]
    unsafe impl<'p, T> __pmem::Sync for List<'p, T>
    where
        T: __pmem::Persistent,
    {}
    trait PersistentTypesMustNotImplementDropCleanUpInTheSectionInstead {}
    impl<T: __pmem::Drop> PersistentTypesMustNotImplementDropCleanUpInTheSectionInstead
    for T {}
    impl<'p, T> PersistentTypesMustNotImplementDropCleanUpInTheSectionInstead
    for List<'p, T> {}
    trait __OneBrand<'p> {
        fn check();
    }
    impl<'p, T> __OneBrand<'p> for List<'p, T>
    where
        T: __pmem::Persistent,
        T: __pmem::Persistent<At<'p> = T>,
    {
        fn check() {
            let _: __pmem::PhantomData<*mut <T as __pmem::Persistent>::At<'p>> = __pmem::PhantomData::<
                *mut T,
            >;
            let _: __pmem::PhantomData<
                *mut <Option<P<'p, Self>> as __pmem::Persistent>::At<'p>,
            > = __pmem::PhantomData::<*mut Option<P<'p, Self>>>;
        }
    }
};
