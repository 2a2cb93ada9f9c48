const _: () = {
    use ::pmem_runtime::__private as __pmem;
    trait __Variants {
        const V0: __pmem::VariantLayout<0usize>;
        const V1: __pmem::VariantLayout<3usize>;
        const V2: __pmem::VariantLayout<2usize>;
        const TAGS: [__pmem::u64; 3usize];
    }
    #[automatically_derived]
    impl<'p, K> __Variants for Tree<'p, K>
    where
        K: __pmem::Persistent,
    {
        const V0: __pmem::VariantLayout<0usize> = {
            let __value = __pmem::MaybeUninit::<Self>::new(Tree::Leaf {});
            match unsafe { &*__value.as_ptr() } {
                Tree::Leaf {} => {
                    __pmem::VariantLayout {
                        tag: unsafe { __pmem::tag_of(__value.as_ptr().cast(), 1usize) },
                        fields: [],
                    }
                }
                _ => __pmem::other_variant(),
            }
        };
        const V1: __pmem::VariantLayout<3usize> = {
            let __value = __pmem::MaybeUninit::<
                Self,
            >::new(Tree::Node {
                left: unsafe {
                    <P<'p, Tree<'p, K>> as __pmem::Persistent>::WITNESS.assume_init()
                },
                key: unsafe { <K as __pmem::Persistent>::WITNESS.assume_init() },
                right: unsafe {
                    <P<'p, Tree<'p, K>> as __pmem::Persistent>::WITNESS.assume_init()
                },
            });
            match unsafe { &*__value.as_ptr() } {
                Tree::Node { left: __f0, key: __f1, right: __f2 } => {
                    __pmem::VariantLayout {
                        tag: unsafe { __pmem::tag_of(__value.as_ptr().cast(), 1usize) },
                        fields: [
                            unsafe { __pmem::extent_within(__value.as_ptr(), __f0) },
                            unsafe { __pmem::extent_within(__value.as_ptr(), __f1) },
                            unsafe { __pmem::extent_within(__value.as_ptr(), __f2) },
                        ],
                    }
                }
                _ => __pmem::other_variant(),
            }
        };
        const V2: __pmem::VariantLayout<2usize> = {
            let __value = __pmem::MaybeUninit::<
                Self,
            >::new(Tree::Pair {
                0: unsafe { <K as __pmem::Persistent>::WITNESS.assume_init() },
                1: unsafe { <u8 as __pmem::Persistent>::WITNESS.assume_init() },
            });
            match unsafe { &*__value.as_ptr() } {
                Tree::Pair { 0: __f0, 1: __f1 } => {
                    __pmem::VariantLayout {
                        tag: unsafe { __pmem::tag_of(__value.as_ptr().cast(), 1usize) },
                        fields: [
                            unsafe { __pmem::extent_within(__value.as_ptr(), __f0) },
                            unsafe { __pmem::extent_within(__value.as_ptr(), __f1) },
                        ],
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
    unsafe impl<'p, K> __pmem::Persistent for Tree<'p, K>
    where
        K: __pmem::Persistent,
    {
        type At<'__q> = Tree<'__q, <K as __pmem::Persistent>::At<'__q>>;
        const NAME: &'static __pmem::str = "Tree";
        const NAME_HASH: __pmem::u64 = __pmem::combine(
            __pmem::hash_str("Tree"),
            <K as __pmem::Persistent>::NAME_HASH,
        );
        const LAYOUT_HASH: __pmem::u64 = {
            let __hash = __pmem::combine(
                <Self as __pmem::Persistent>::NAME_HASH,
                __pmem::size_of::<Self>() as __pmem::u64,
            );
            let __hash = __pmem::hash_variant(
                __hash,
                "Leaf",
                <Self as __Variants>::V0.tag,
            );
            let __hash = __pmem::hash_variant(
                __hash,
                "Node",
                <Self as __Variants>::V1.tag,
            );
            let __hash = __pmem::hash_field(
                __hash,
                "left",
                <Self as __Variants>::V1.fields[0].0,
                false,
                <P<'p, Tree<'p, K>> as __pmem::Persistent>::LAYOUT_HASH,
            );
            let __hash = __pmem::hash_field(
                __hash,
                "key",
                <Self as __Variants>::V1.fields[1].0,
                false,
                <K as __pmem::Persistent>::LAYOUT_HASH,
            );
            let __hash = __pmem::hash_field(
                __hash,
                "right",
                <Self as __Variants>::V1.fields[2].0,
                false,
                <P<'p, Tree<'p, K>> as __pmem::Persistent>::LAYOUT_HASH,
            );
            let __hash = __pmem::hash_variant(
                __hash,
                "Pair",
                <Self as __Variants>::V2.tag,
            );
            let __hash = __pmem::hash_field(
                __hash,
                "0",
                <Self as __Variants>::V2.fields[0].0,
                false,
                <K as __pmem::Persistent>::LAYOUT_HASH,
            );
            let __hash = __pmem::hash_field(
                __hash,
                "1",
                <Self as __Variants>::V2.fields[1].0,
                false,
                <u8 as __pmem::Persistent>::LAYOUT_HASH,
            );
            __hash
        };
        const HAS_POINTERS: __pmem::bool = <P<
            'p,
            Tree<'p, K>,
        > as __pmem::Persistent>::HAS_POINTERS || <K as __pmem::Persistent>::HAS_POINTERS
            || <P<'p, Tree<'p, K>> as __pmem::Persistent>::HAS_POINTERS
            || <K as __pmem::Persistent>::HAS_POINTERS
            || <u8 as __pmem::Persistent>::HAS_POINTERS;
        const HAS_PADDING: __pmem::bool = <P<
            'p,
            Tree<'p, K>,
        > as __pmem::Persistent>::HAS_PADDING || <K as __pmem::Persistent>::HAS_PADDING
            || <P<'p, Tree<'p, K>> as __pmem::Persistent>::HAS_PADDING
            || <K as __pmem::Persistent>::HAS_PADDING
            || <u8 as __pmem::Persistent>::HAS_PADDING
            || __pmem::has_gap(
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
        const HAS_VOLATILE: __pmem::bool = <P<
            'p,
            Tree<'p, K>,
        > as __pmem::Persistent>::HAS_VOLATILE || <K as __pmem::Persistent>::HAS_VOLATILE
            || <P<'p, Tree<'p, K>> as __pmem::Persistent>::HAS_VOLATILE
            || <K as __pmem::Persistent>::HAS_VOLATILE
            || <u8 as __pmem::Persistent>::HAS_VOLATILE;
        const NICHE: __pmem::Option<__pmem::Niche> = __pmem::niche_of_tags::<
            Self,
        >(1usize, false, &<Self as __Variants>::TAGS);
        const WITNESS: __pmem::MaybeUninit<Self> = __pmem::MaybeUninit::new(Tree::Leaf {});
        fn schema() -> &'static __pmem::Schema {
            const {
                &__pmem::Schema {
                    name: "Tree",
                    arguments: &[<K as __pmem::Persistent>::schema],
                    size_bytes: __pmem::size_of::<Self>(),
                    align_bytes: __pmem::align_of::<Self>(),
                    kind: __pmem::Kind::Enum {
                        repr: __pmem::EnumRepr::Tag {
                            width_bytes: 1usize,
                        },
                        variants: &[
                            __pmem::Variant {
                                name: "Leaf",
                                tag: <Self as __Variants>::V0.tag,
                                fields: &[],
                            },
                            __pmem::Variant {
                                name: "Node",
                                tag: <Self as __Variants>::V1.tag,
                                fields: &[
                                    __pmem::Field {
                                        name: "left",
                                        offset_bytes: <Self as __Variants>::V1.fields[0].0,
                                        is_volatile: false,
                                        schema: <P<'p, Tree<'p, K>> as __pmem::Persistent>::schema,
                                    },
                                    __pmem::Field {
                                        name: "key",
                                        offset_bytes: <Self as __Variants>::V1.fields[1].0,
                                        is_volatile: false,
                                        schema: <K as __pmem::Persistent>::schema,
                                    },
                                    __pmem::Field {
                                        name: "right",
                                        offset_bytes: <Self as __Variants>::V1.fields[2].0,
                                        is_volatile: false,
                                        schema: <P<'p, Tree<'p, K>> as __pmem::Persistent>::schema,
                                    },
                                ],
                            },
                            __pmem::Variant {
                                name: "Pair",
                                tag: <Self as __Variants>::V2.tag,
                                fields: &[
                                    __pmem::Field {
                                        name: "0",
                                        offset_bytes: <Self as __Variants>::V2.fields[0].0,
                                        is_volatile: false,
                                        schema: <K as __pmem::Persistent>::schema,
                                    },
                                    __pmem::Field {
                                        name: "1",
                                        offset_bytes: <Self as __Variants>::V2.fields[1].0,
                                        is_volatile: false,
                                        schema: <u8 as __pmem::Persistent>::schema,
                                    },
                                ],
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
                __pmem::Some(1usize) => {
                    unsafe {
                        <P<
                            'p,
                            Tree<'p, K>,
                        > as __pmem::Persistent>::validate(
                            __at.wrapping_add(<Self as __Variants>::V1.fields[0].0),
                            __visit,
                        )
                    }?;
                    unsafe {
                        <K as __pmem::Persistent>::validate(
                            __at.wrapping_add(<Self as __Variants>::V1.fields[1].0),
                            __visit,
                        )
                    }?;
                    unsafe {
                        <P<
                            'p,
                            Tree<'p, K>,
                        > as __pmem::Persistent>::validate(
                            __at.wrapping_add(<Self as __Variants>::V1.fields[2].0),
                            __visit,
                        )
                    }?;
                    __pmem::Ok(())
                }
                __pmem::Some(2usize) => {
                    unsafe {
                        <K as __pmem::Persistent>::validate(
                            __at.wrapping_add(<Self as __Variants>::V2.fields[0].0),
                            __visit,
                        )
                    }?;
                    unsafe {
                        <u8 as __pmem::Persistent>::validate(
                            __at.wrapping_add(<Self as __Variants>::V2.fields[1].0),
                            __visit,
                        )
                    }?;
                    __pmem::Ok(())
                }
                __pmem::Some(_) => __pmem::Ok(()),
                __pmem::None => {
                    __pmem::Err(
                        __pmem::unknown_tag(__at, "a discriminant of `Tree`", __tag),
                    )
                }
            }
        }
        fn trace(&self, __tracer: &mut __pmem::Tracer<'_>) {
            match self {
                Tree::Leaf {} => {}
                Tree::Node { left: __f0, key: __f1, right: __f2 } => {
                    <P<'p, Tree<'p, K>> as __pmem::Persistent>::trace(__f0, __tracer);
                    <K as __pmem::Persistent>::trace(__f1, __tracer);
                    <P<'p, Tree<'p, K>> as __pmem::Persistent>::trace(__f2, __tracer);
                }
                Tree::Pair { 0: __f0, 1: __f1 } => {
                    <K as __pmem::Persistent>::trace(__f0, __tracer);
                    <u8 as __pmem::Persistent>::trace(__f1, __tracer);
                }
            }
        }
        fn targets(__types: &mut __pmem::NodeTypes) {
            let _ = &__types;
            <P<'p, Tree<'p, K>> as __pmem::Persistent>::targets(__types);
            <K as __pmem::Persistent>::targets(__types);
            <P<'p, Tree<'p, K>> as __pmem::Persistent>::targets(__types);
            <K as __pmem::Persistent>::targets(__types);
            <u8 as __pmem::Persistent>::targets(__types);
        }
        unsafe fn share(&self, __sharer: &__pmem::Sharer<'_>) -> Self {
            match self {
                Tree::Leaf {} => Tree::Leaf {},
                Tree::Node { left: __f0, key: __f1, right: __f2 } => {
                    Tree::Node {
                        left: unsafe {
                            <P<
                                'p,
                                Tree<'p, K>,
                            > as __pmem::Persistent>::share(__f0, __sharer)
                        },
                        key: unsafe { <K as __pmem::Persistent>::share(__f1, __sharer) },
                        right: unsafe {
                            <P<
                                'p,
                                Tree<'p, K>,
                            > as __pmem::Persistent>::share(__f2, __sharer)
                        },
                    }
                }
                Tree::Pair { 0: __f0, 1: __f1 } => {
                    Tree::Pair {
                        0: unsafe { <K as __pmem::Persistent>::share(__f0, __sharer) },
                        1: unsafe { <u8 as __pmem::Persistent>::share(__f1, __sharer) },
                    }
                }
            }
        }
        unsafe fn store(__this: *const Self, __to: *mut __pmem::u8) {
            unsafe { __pmem::copy_tag(__this.cast(), __to, 1usize) };
            let __tag = unsafe { __pmem::tag_of(__this.cast(), 1usize) };
            match __pmem::position(&<Self as __Variants>::TAGS, __tag) {
                __pmem::Some(1usize) => {
                    unsafe {
                        <P<
                            'p,
                            Tree<'p, K>,
                        > as __pmem::Persistent>::store(
                            __this
                                .wrapping_byte_add(<Self as __Variants>::V1.fields[0].0)
                                .cast(),
                            __to.wrapping_add(<Self as __Variants>::V1.fields[0].0),
                        )
                    };
                    unsafe {
                        <K as __pmem::Persistent>::store(
                            __this
                                .wrapping_byte_add(<Self as __Variants>::V1.fields[1].0)
                                .cast(),
                            __to.wrapping_add(<Self as __Variants>::V1.fields[1].0),
                        )
                    };
                    unsafe {
                        <P<
                            'p,
                            Tree<'p, K>,
                        > as __pmem::Persistent>::store(
                            __this
                                .wrapping_byte_add(<Self as __Variants>::V1.fields[2].0)
                                .cast(),
                            __to.wrapping_add(<Self as __Variants>::V1.fields[2].0),
                        )
                    };
                }
                __pmem::Some(2usize) => {
                    unsafe {
                        <K as __pmem::Persistent>::store(
                            __this
                                .wrapping_byte_add(<Self as __Variants>::V2.fields[0].0)
                                .cast(),
                            __to.wrapping_add(<Self as __Variants>::V2.fields[0].0),
                        )
                    };
                    unsafe {
                        <u8 as __pmem::Persistent>::store(
                            __this
                                .wrapping_byte_add(<Self as __Variants>::V2.fields[1].0)
                                .cast(),
                            __to.wrapping_add(<Self as __Variants>::V2.fields[1].0),
                        )
                    };
                }
                _ => {}
            }
        }
        unsafe fn scrub(__at: *mut __pmem::u8) {
            if <Self as __pmem::Persistent>::HAS_PADDING {
                let __tag = unsafe { __pmem::tag_of(__at, 1usize) };
                match __pmem::position(&<Self as __Variants>::TAGS, __tag) {
                    __pmem::Some(1usize) => {
                        unsafe {
                            __pmem::zero_gaps(
                                __at,
                                1usize,
                                __pmem::size_of::<Self>(),
                                &<Self as __Variants>::V1.fields,
                            )
                        };
                        unsafe {
                            <P<
                                'p,
                                Tree<'p, K>,
                            > as __pmem::Persistent>::scrub(
                                __at.wrapping_add(<Self as __Variants>::V1.fields[0].0),
                            )
                        };
                        unsafe {
                            <K as __pmem::Persistent>::scrub(
                                __at.wrapping_add(<Self as __Variants>::V1.fields[1].0),
                            )
                        };
                        unsafe {
                            <P<
                                'p,
                                Tree<'p, K>,
                            > as __pmem::Persistent>::scrub(
                                __at.wrapping_add(<Self as __Variants>::V1.fields[2].0),
                            )
                        };
                    }
                    __pmem::Some(2usize) => {
                        unsafe {
                            __pmem::zero_gaps(
                                __at,
                                1usize,
                                __pmem::size_of::<Self>(),
                                &<Self as __Variants>::V2.fields,
                            )
                        };
                        unsafe {
                            <K as __pmem::Persistent>::scrub(
                                __at.wrapping_add(<Self as __Variants>::V2.fields[0].0),
                            )
                        };
                        unsafe {
                            <u8 as __pmem::Persistent>::scrub(
                                __at.wrapping_add(<Self as __Variants>::V2.fields[1].0),
                            )
                        };
                    }
                    _ => {
                        unsafe {
                            __pmem::zero_gaps(
                                __at,
                                1usize,
                                __pmem::size_of::<Self>(),
                                &[],
                            )
                        };
                    }
                }
            }
        }
        unsafe fn reset(__at: *mut __pmem::u8, __to: __pmem::Reset) {
            if <Self as __pmem::Persistent>::HAS_VOLATILE {
                let __tag = unsafe { __pmem::tag_of(__at, 1usize) };
                match __pmem::position(&<Self as __Variants>::TAGS, __tag) {
                    __pmem::Some(1usize) => {
                        unsafe {
                            <P<
                                'p,
                                Tree<'p, K>,
                            > as __pmem::Persistent>::reset(
                                __at.wrapping_add(<Self as __Variants>::V1.fields[0].0),
                                __to,
                            )
                        };
                        unsafe {
                            <K as __pmem::Persistent>::reset(
                                __at.wrapping_add(<Self as __Variants>::V1.fields[1].0),
                                __to,
                            )
                        };
                        unsafe {
                            <P<
                                'p,
                                Tree<'p, K>,
                            > as __pmem::Persistent>::reset(
                                __at.wrapping_add(<Self as __Variants>::V1.fields[2].0),
                                __to,
                            )
                        };
                    }
                    __pmem::Some(2usize) => {
                        unsafe {
                            <K as __pmem::Persistent>::reset(
                                __at.wrapping_add(<Self as __Variants>::V2.fields[0].0),
                                __to,
                            )
                        };
                        unsafe {
                            <u8 as __pmem::Persistent>::reset(
                                __at.wrapping_add(<Self as __Variants>::V2.fields[1].0),
                                __to,
                            )
                        };
                    }
                    _ => {}
                }
            }
        }
    }
    #[automatically_derived]
    unsafe impl<'p, K> __pmem::Send for Tree<'p, K>
    where
        K: __pmem::Persistent,
    {}
    #[automatically_derived]
    unsafe impl<'p, K> __pmem::Sync for Tree<'p, K>
    where
        K: __pmem::Persistent,
    {}
    trait PersistentTypesMustNotImplementDropCleanUpInTheSectionInstead {}
    impl<T: __pmem::Drop> PersistentTypesMustNotImplementDropCleanUpInTheSectionInstead
    for T {}
    impl<'p, K> PersistentTypesMustNotImplementDropCleanUpInTheSectionInstead
    for Tree<'p, K> {}
    trait __OneBrand<'p> {
        fn check();
    }
    impl<'p, K> __OneBrand<'p> for Tree<'p, K>
    where
        K: __pmem::Persistent,
        K: __pmem::Persistent<At<'p> = K>,
    {
        fn check() {
            let _: __pmem::PhantomData<
                *mut <P<'p, Tree<'p, K>> as __pmem::Persistent>::At<'p>,
            > = __pmem::PhantomData::<*mut P<'p, Tree<'p, K>>>;
            let _: __pmem::PhantomData<*mut <K as __pmem::Persistent>::At<'p>> = __pmem::PhantomData::<
                *mut K,
            >;
            let _: __pmem::PhantomData<
                *mut <P<'p, Tree<'p, K>> as __pmem::Persistent>::At<'p>,
            > = __pmem::PhantomData::<*mut P<'p, Tree<'p, K>>>;
            let _: __pmem::PhantomData<*mut <K as __pmem::Persistent>::At<'p>> = __pmem::PhantomData::<
                *mut K,
            >;
            let _: __pmem::PhantomData<*mut <u8 as __pmem::Persistent>::At<'p>> = __pmem::PhantomData::<
                *mut u8,
            >;
        }
    }
};
