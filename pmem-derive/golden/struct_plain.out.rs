const _: () = {
    use ::pmem_runtime::__private as __pmem;
    #[automatically_derived]
    unsafe impl __pmem::Persistent for Point {
        type At<'__q> = Point;
        const NAME: &'static __pmem::str = "Point";
        const NAME_HASH: __pmem::u64 = __pmem::hash_str("Point");
        const LAYOUT_HASH: __pmem::u64 = {
            let __hash = __pmem::combine(
                <Self as __pmem::Persistent>::NAME_HASH,
                __pmem::size_of::<Self>() as __pmem::u64,
            );
            let __hash = __pmem::hash_field(
                __hash,
                "x",
                __pmem::offset_of!(Self, x),
                false,
                <u32 as __pmem::Persistent>::LAYOUT_HASH,
            );
            let __hash = __pmem::hash_field(
                __hash,
                "y",
                __pmem::offset_of!(Self, y),
                false,
                <u64 as __pmem::Persistent>::LAYOUT_HASH,
            );
            __hash
        };
        const HAS_POINTERS: __pmem::bool = <u32 as __pmem::Persistent>::HAS_POINTERS
            || <u64 as __pmem::Persistent>::HAS_POINTERS;
        const HAS_PADDING: __pmem::bool = <u32 as __pmem::Persistent>::HAS_PADDING
            || <u64 as __pmem::Persistent>::HAS_PADDING
            || __pmem::has_gap(
                0usize,
                __pmem::size_of::<Self>(),
                &[
                    (__pmem::offset_of!(Self, x), __pmem::size_of::<u32>()),
                    (__pmem::offset_of!(Self, y), __pmem::size_of::<u64>()),
                ],
            );
        const HAS_VOLATILE: __pmem::bool = <u32 as __pmem::Persistent>::HAS_VOLATILE
            || <u64 as __pmem::Persistent>::HAS_VOLATILE;
        const NICHE: __pmem::Option<__pmem::Niche> = __pmem::niche_among::<
            Self,
        >(
            &[
                (__pmem::offset_of!(Self, x), <u32 as __pmem::Persistent>::NICHE),
                (__pmem::offset_of!(Self, y), <u64 as __pmem::Persistent>::NICHE),
            ],
        );
        const WITNESS: __pmem::MaybeUninit<Self> = __pmem::MaybeUninit::new(Point {
            x: unsafe { <u32 as __pmem::Persistent>::WITNESS.assume_init() },
            y: unsafe { <u64 as __pmem::Persistent>::WITNESS.assume_init() },
        });
        fn schema() -> &'static __pmem::Schema {
            const {
                &__pmem::Schema {
                    name: "Point",
                    arguments: &[],
                    size_bytes: __pmem::size_of::<Self>(),
                    align_bytes: __pmem::align_of::<Self>(),
                    kind: __pmem::Kind::Struct(
                        &[
                            __pmem::Field {
                                name: "x",
                                offset_bytes: __pmem::offset_of!(Self, x),
                                is_volatile: false,
                                schema: <u32 as __pmem::Persistent>::schema,
                            },
                            __pmem::Field {
                                name: "y",
                                offset_bytes: __pmem::offset_of!(Self, y),
                                is_volatile: false,
                                schema: <u64 as __pmem::Persistent>::schema,
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
                <u32 as __pmem::Persistent>::validate(
                    __at.wrapping_add(__pmem::offset_of!(Self, x)),
                    __visit,
                )
            }?;
            unsafe {
                <u64 as __pmem::Persistent>::validate(
                    __at.wrapping_add(__pmem::offset_of!(Self, y)),
                    __visit,
                )
            }?;
            __pmem::Ok(())
        }
        fn trace(&self, __tracer: &mut __pmem::Tracer<'_>) {
            match self {
                Point { x: __f0, y: __f1 } => {
                    <u32 as __pmem::Persistent>::trace(__f0, __tracer);
                    <u64 as __pmem::Persistent>::trace(__f1, __tracer);
                }
            }
        }
        fn targets(__types: &mut __pmem::NodeTypes) {
            let _ = &__types;
            <u32 as __pmem::Persistent>::targets(__types);
            <u64 as __pmem::Persistent>::targets(__types);
        }
        unsafe fn share(&self, __sharer: &__pmem::Sharer<'_>) -> Self {
            match self {
                Point { x: __f0, y: __f1 } => {
                    Point {
                        x: unsafe { <u32 as __pmem::Persistent>::share(__f0, __sharer) },
                        y: unsafe { <u64 as __pmem::Persistent>::share(__f1, __sharer) },
                    }
                }
            }
        }
        unsafe fn store(__this: *const Self, __to: *mut __pmem::u8) {
            unsafe {
                <u32 as __pmem::Persistent>::store(
                    __this.wrapping_byte_add(__pmem::offset_of!(Self, x)).cast(),
                    __to.wrapping_add(__pmem::offset_of!(Self, x)),
                )
            };
            unsafe {
                <u64 as __pmem::Persistent>::store(
                    __this.wrapping_byte_add(__pmem::offset_of!(Self, y)).cast(),
                    __to.wrapping_add(__pmem::offset_of!(Self, y)),
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
                            (__pmem::offset_of!(Self, x), __pmem::size_of::<u32>()),
                            (__pmem::offset_of!(Self, y), __pmem::size_of::<u64>()),
                        ],
                    )
                };
                unsafe {
                    <u32 as __pmem::Persistent>::scrub(
                        __at.wrapping_add(__pmem::offset_of!(Self, x)),
                    )
                };
                unsafe {
                    <u64 as __pmem::Persistent>::scrub(
                        __at.wrapping_add(__pmem::offset_of!(Self, y)),
                    )
                };
            }
        }
        unsafe fn reset(__at: *mut __pmem::u8, __to: __pmem::Reset) {
            if <Self as __pmem::Persistent>::HAS_VOLATILE {
                unsafe {
                    <u32 as __pmem::Persistent>::reset(
                        __at.wrapping_add(__pmem::offset_of!(Self, x)),
                        __to,
                    )
                };
                unsafe {
                    <u64 as __pmem::Persistent>::reset(
                        __at.wrapping_add(__pmem::offset_of!(Self, y)),
                        __to,
                    )
                };
            }
        }
    }
    #[automatically_derived]
    unsafe impl __pmem::Send for Point {}
    #[automatically_derived]
    unsafe impl __pmem::Sync for Point {}
    trait PersistentTypesMustNotImplementDropCleanUpInTheSectionInstead {}
    impl<T: __pmem::Drop> PersistentTypesMustNotImplementDropCleanUpInTheSectionInstead
    for T {}
    impl PersistentTypesMustNotImplementDropCleanUpInTheSectionInstead for Point {}
    trait __OneBrand<'p> {
        fn check();
    }
    impl<'__q> __OneBrand<'__q> for Point {
        fn check() {
            let _: __pmem::PhantomData<*mut <u32 as __pmem::Persistent>::At<'__q>> = __pmem::PhantomData::<
                *mut u32,
            >;
            let _: __pmem::PhantomData<*mut <u64 as __pmem::Persistent>::At<'__q>> = __pmem::PhantomData::<
                *mut u64,
            >;
        }
    }
    const _: () = __pmem::check_layout::<Point>();
};
