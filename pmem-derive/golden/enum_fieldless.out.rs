const _: () = {
    use ::pmem_runtime::__private as __pmem;
    trait __Variants {
        const V0: __pmem::VariantLayout<0usize>;
        const V1: __pmem::VariantLayout<0usize>;
        const V2: __pmem::VariantLayout<0usize>;
        const TAGS: [__pmem::u64; 3usize];
    }
    #[automatically_derived]
    impl __Variants for Sign {
        const V0: __pmem::VariantLayout<0usize> = {
            let __value = __pmem::MaybeUninit::<Self>::new(Sign::Minus {});
            match unsafe { &*__value.as_ptr() } {
                Sign::Minus {} => {
                    __pmem::VariantLayout {
                        tag: unsafe { __pmem::tag_of(__value.as_ptr().cast(), 1usize) },
                        fields: [],
                    }
                }
                _ => __pmem::other_variant(),
            }
        };
        const V1: __pmem::VariantLayout<0usize> = {
            let __value = __pmem::MaybeUninit::<Self>::new(Sign::Zero {});
            match unsafe { &*__value.as_ptr() } {
                Sign::Zero {} => {
                    __pmem::VariantLayout {
                        tag: unsafe { __pmem::tag_of(__value.as_ptr().cast(), 1usize) },
                        fields: [],
                    }
                }
                _ => __pmem::other_variant(),
            }
        };
        const V2: __pmem::VariantLayout<0usize> = {
            let __value = __pmem::MaybeUninit::<Self>::new(Sign::Plus {});
            match unsafe { &*__value.as_ptr() } {
                Sign::Plus {} => {
                    __pmem::VariantLayout {
                        tag: unsafe { __pmem::tag_of(__value.as_ptr().cast(), 1usize) },
                        fields: [],
                    }
                }
                _ => __pmem::other_variant(),
            }
        };
        const TAGS: [__pmem::u64; 3usize] = [
            <Self as __Variants>::V0.tag,
            <Self as __Variants>::V1.tag,
            <Self as __Variants>::V2.tag,
        ];
    }
    #[automatically_derived]
    unsafe impl __pmem::Persistent for Sign {
        type At<'__q> = Sign;
        const NAME: &'static __pmem::str = "Sign";
        const NAME_HASH: __pmem::u64 = __pmem::hash_str("Sign");
        const LAYOUT_HASH: __pmem::u64 = {
            let __hash = __pmem::combine(
                <Self as __pmem::Persistent>::NAME_HASH,
                __pmem::size_of::<Self>() as __pmem::u64,
            );
            let __hash = __pmem::hash_variant(
                __hash,
                "Minus",
                <Self as __Variants>::V0.tag,
            );
            let __hash = __pmem::hash_variant(
                __hash,
                "Zero",
                <Self as __Variants>::V1.tag,
            );
            let __hash = __pmem::hash_variant(
                __hash,
                "Plus",
                <Self as __Variants>::V2.tag,
            );
            __hash
        };
        const HAS_POINTERS: __pmem::bool = false;
        const HAS_PADDING: __pmem::bool = __pmem::has_gap(
            1usize,
            __pmem::size_of::<Self>(),
            &<Self as __Variants>::V0.fields,
        )
            || __pmem::has_gap(
                1usize,
                __pmem::size_of::<Self>(),
                &<Self as __Variants>::V1.fields,
            )
            || __pmem::has_gap(
                1usize,
                __pmem::size_of::<Self>(),
                &<Self as __Variants>::V2.fields,
            );
        const HAS_VOLATILE: __pmem::bool = false;
        const NICHE: __pmem::Option<__pmem::Niche> = __pmem::niche_of_tags::<
            Self,
        >(1usize, true, &<Self as __Variants>::TAGS);
        const WITNESS: __pmem::MaybeUninit<Self> = __pmem::MaybeUninit::new(Sign::Minus {});
        fn schema() -> &'static __pmem::Schema {
            const {
                &__pmem::Schema {
                    name: "Sign",
                    arguments: &[],
                    size_bytes: __pmem::size_of::<Self>(),
                    align_bytes: __pmem::align_of::<Self>(),
                    kind: __pmem::Kind::Enum {
                        repr: __pmem::EnumRepr::Tag {
                            width_bytes: 1usize,
                        },
                        variants: &[
                            __pmem::Variant {
                                name: "Minus",
                                tag: <Self as __Variants>::V0.tag,
                                fields: &[],
                            },
                            __pmem::Variant {
                                name: "Zero",
                                tag: <Self as __Variants>::V1.tag,
                                fields: &[],
                            },
                            __pmem::Variant {
                                name: "Plus",
                                tag: <Self as __Variants>::V2.tag,
                                fields: &[],
                            },
                        ],
                    },
                }
            }
        }
        unsafe fn validate(
            __at: *const __pmem::u8,
            __visit: &mut __pmem::Visit<'_>,
        ) -> __pmem::Result<(), __pmem::Fault> {
            let __tag = unsafe { __pmem::tag_of(__at, 1usize) };
            match __pmem::position(&<Self as __Variants>::TAGS, __tag) {
                __pmem::Some(_) => __pmem::Ok(()),
                __pmem::None => {
                    __pmem::Err(
                        __pmem::unknown_tag(__at, "a discriminant of `Sign`", __tag),
                    )
                }
            }
        }
        fn trace(&self, __tracer: &mut __pmem::Tracer<'_>) {
            match self {
                Sign::Minus {} => {}
                Sign::Zero {} => {}
                Sign::Plus {} => {}
            }
        }
        fn targets(__types: &mut __pmem::NodeTypes) {
            let _ = &__types;
        }
        unsafe fn share(&self, __sharer: &__pmem::Sharer<'_>) -> Self {
            match self {
                Sign::Minus {} => Sign::Minus {},
                Sign::Zero {} => Sign::Zero {},
                Sign::Plus {} => Sign::Plus {},
            }
        }
        unsafe fn store(__this: *const Self, __to: *mut __pmem::u8) {
            unsafe { __pmem::copy_tag(__this.cast(), __to, 1usize) };
        }
        unsafe fn scrub(__at: *mut __pmem::u8) {
            if <Self as __pmem::Persistent>::HAS_PADDING {
                unsafe {
                    __pmem::zero_gaps(__at, 1usize, __pmem::size_of::<Self>(), &[])
                };
            }
        }
    }
    #[automatically_derived]
    unsafe impl __pmem::Send for Sign {}
    #[automatically_derived]
    unsafe impl __pmem::Sync for Sign {}
    trait PersistentTypesMustNotImplementDropCleanUpInTheSectionInstead {}
    impl<T: __pmem::Drop> PersistentTypesMustNotImplementDropCleanUpInTheSectionInstead
    for T {}
    impl PersistentTypesMustNotImplementDropCleanUpInTheSectionInstead for Sign {}
    trait __OneBrand<'p> {
        fn check();
    }
    impl<'__q> __OneBrand<'__q> for Sign {
        fn check() {}
    }
    const _: () = __pmem::check_layout::<Sign>();
};
