const _: () = {
    use crate::runtime::__private as __pmem;
    #[automatically_derived]
    unsafe impl<T, const N: usize> __pmem::Persistent for Customer<T, N>
    where
        T: crate::runtime::Persistent,
    {
        type At<'__q> = Customer<<T as __pmem::Persistent>::At<'__q>, N>;
        const NAME: &'static __pmem::str = "Account";
        const NAME_HASH: __pmem::u64 = __pmem::combine(
            __pmem::combine(__pmem::hash_str("Account"), N as __pmem::u64),
            <T as __pmem::Persistent>::NAME_HASH,
        );
        const LAYOUT_HASH: __pmem::u64 = {
            let __hash = __pmem::combine(
                <Self as __pmem::Persistent>::NAME_HASH,
                __pmem::size_of::<Self>() as __pmem::u64,
            );
            let __hash = __pmem::hash_field(
                __hash,
                "owner",
                __pmem::offset_of!(Self, holders),
                false,
                <[T; N] as __pmem::Persistent>::LAYOUT_HASH,
            );
            let __hash = __pmem::hash_field(
                __hash,
                "hits",
                __pmem::offset_of!(Self, hits),
                true,
                <u32 as __pmem::Persistent>::LAYOUT_HASH,
            );
            __hash
        };
        const HAS_POINTERS: __pmem::bool = <[T; N] as __pmem::Persistent>::HAS_POINTERS
            || <u32 as __pmem::Persistent>::HAS_POINTERS;
        const HAS_PADDING: __pmem::bool = <[T; N] as __pmem::Persistent>::HAS_PADDING
            || <u32 as __pmem::Persistent>::HAS_PADDING
            || __pmem::has_gap(
                0usize,
                __pmem::size_of::<Self>(),
                &[
                    (__pmem::offset_of!(Self, holders), __pmem::size_of::<[T; N]>()),
                    (__pmem::offset_of!(Self, hits), __pmem::size_of::<u32>()),
                ],
            );
        const HAS_VOLATILE: __pmem::bool = <[T; N] as __pmem::Persistent>::HAS_VOLATILE
            || {
                __pmem::require_volatile(<u32 as __pmem::Persistent>::HAS_POINTERS);
                true
            };
        const NICHE: __pmem::Option<__pmem::Niche> = __pmem::niche_among::<
            Self,
        >(
            &[
                (
                    __pmem::offset_of!(Self, holders),
                    <[T; N] as __pmem::Persistent>::NICHE,
                ),
                (__pmem::offset_of!(Self, hits), <u32 as __pmem::Persistent>::NICHE),
            ],
        );
        const WITNESS: __pmem::MaybeUninit<Self> = __pmem::MaybeUninit::new(Customer {
            holders: unsafe { <[T; N] as __pmem::Persistent>::WITNESS.assume_init() },
            hits: unsafe { <u32 as __pmem::Persistent>::WITNESS.assume_init() },
        });
        fn schema() -> &'static __pmem::Schema {
            const {
                &__pmem::Schema {
                    name: "Account",
                    arguments: &[<T as __pmem::Persistent>::schema],
                    size_bytes: __pmem::size_of::<Self>(),
                    align_bytes: __pmem::align_of::<Self>(),
                    kind: __pmem::Kind::Struct(
                        &[
                            __pmem::Field {
                                name: "owner",
                                offset_bytes: __pmem::offset_of!(Self, holders),
                                is_volatile: false,
                                schema: <[T; N] as __pmem::Persistent>::schema,
                            },
                            __pmem::Field {
                                name: "hits",
                                offset_bytes: __pmem::offset_of!(Self, hits),
                                is_volatile: true,
                                schema: <u32 as __pmem::Persistent>::schema,
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
                <[T; N] as __pmem::Persistent>::validate(
                    __at.wrapping_add(__pmem::offset_of!(Self, holders)),
                    __visit,
                )
            }?;
            if __visit.judges_volatile() {
                unsafe {
                    <u32 as __pmem::Persistent>::validate(
                        __at.wrapping_add(__pmem::offset_of!(Self, hits)),
                        __visit,
                    )
                }?;
            }
            __pmem::Ok(())
        }
        fn trace(&self, __tracer: &mut __pmem::Tracer<'_>) {
            match self {
                Customer { holders: __f0, hits: __f1 } => {
                    <[T; N] as __pmem::Persistent>::trace(__f0, __tracer);
                    <u32 as __pmem::Persistent>::trace(__f1, __tracer);
                }
            }
        }
        fn targets(__types: &mut __pmem::NodeTypes) {
            let _ = &__types;
            <[T; N] as __pmem::Persistent>::targets(__types);
            <u32 as __pmem::Persistent>::targets(__types);
        }
        unsafe fn share(&self, __sharer: &__pmem::Sharer<'_>) -> Self {
            match self {
                Customer { holders: __f0, hits: __f1 } => {
                    Customer {
                        holders: unsafe {
                            <[T; N] as __pmem::Persistent>::share(__f0, __sharer)
                        },
                        hits: unsafe {
                            <u32 as __pmem::Persistent>::share(__f1, __sharer)
                        },
                    }
                }
            }
        }
        unsafe fn store(__this: *const Self, __to: *mut __pmem::u8) {
            unsafe {
                <[T; N] as __pmem::Persistent>::store(
                    __this.wrapping_byte_add(__pmem::offset_of!(Self, holders)).cast(),
                    __to.wrapping_add(__pmem::offset_of!(Self, holders)),
                )
            };
            unsafe {
                <u32 as __pmem::Persistent>::store(
                    __this.wrapping_byte_add(__pmem::offset_of!(Self, hits)).cast(),
                    __to.wrapping_add(__pmem::offset_of!(Self, hits)),
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
                            (
                                __pmem::offset_of!(Self, holders),
                                __pmem::size_of::<[T; N]>(),
                            ),
                            (__pmem::offset_of!(Self, hits), __pmem::size_of::<u32>()),
                        ],
                    )
                };
                unsafe {
                    <[T; N] as __pmem::Persistent>::scrub(
                        __at.wrapping_add(__pmem::offset_of!(Self, holders)),
                    )
                };
                unsafe {
                    <u32 as __pmem::Persistent>::scrub(
                        __at.wrapping_add(__pmem::offset_of!(Self, hits)),
                    )
                };
            }
        }
        unsafe fn reset(__at: *mut __pmem::u8, __to: __pmem::Reset) {
            if <Self as __pmem::Persistent>::HAS_VOLATILE {
                unsafe {
                    <[T; N] as __pmem::Persistent>::reset(
                        __at.wrapping_add(__pmem::offset_of!(Self, holders)),
                        __to,
                    )
                };
                unsafe {
                    __pmem::reset_volatile::<
                        u32,
                    >(__at.wrapping_add(__pmem::offset_of!(Self, hits)), __to)
                };
            }
        }
    }
    #[automatically_derived]
    unsafe impl<T, const N: usize> __pmem::Send for Customer<T, N>
    where
        T: crate::runtime::Persistent,
    {}
    #[automatically_derived]
    unsafe impl<T, const N: usize> __pmem::Sync for Customer<T, N>
    where
        T: crate::runtime::Persistent,
    {}
    trait PersistentTypesMustNotImplementDropCleanUpInTheSectionInstead {}
    impl<T: __pmem::Drop> PersistentTypesMustNotImplementDropCleanUpInTheSectionInstead
    for T {}
    impl<T, const N: usize> PersistentTypesMustNotImplementDropCleanUpInTheSectionInstead
    for Customer<T, N> {}
    trait __OneBrand<'p> {
        fn check();
    }
    impl<'__q, T, const N: usize> __OneBrand<'__q> for Customer<T, N>
    where
        T: crate::runtime::Persistent,
        T: __pmem::Persistent<At<'__q> = T>,
    {
        fn check() {
            let _: __pmem::PhantomData<*mut <[T; N] as __pmem::Persistent>::At<'__q>> = __pmem::PhantomData::<
                *mut [T; N],
            >;
            let _: __pmem::PhantomData<*mut <u32 as __pmem::Persistent>::At<'__q>> = __pmem::PhantomData::<
                *mut u32,
            >;
        }
    }
};
