const _: () = {
    use ::pmem_runtime::__private as __pmem;
    #[automatically_derived]
    unsafe impl __pmem::Persistent for Nothing {
        type At<'__q> = Nothing;
        const NAME: &'static __pmem::str = "Nothing";
        const NAME_HASH: __pmem::u64 = __pmem::hash_str("Nothing");
        const LAYOUT_HASH: __pmem::u64 = {
            let __hash = __pmem::combine(
                <Self as __pmem::Persistent>::NAME_HASH,
                __pmem::size_of::<Self>() as __pmem::u64,
            );
            __hash
        };
        const HAS_POINTERS: __pmem::bool = false;
        const HAS_PADDING: __pmem::bool = __pmem::has_gap(
            0usize,
            __pmem::size_of::<Self>(),
            &[],
        );
        const HAS_VOLATILE: __pmem::bool = false;
        const NICHE: __pmem::Option<__pmem::Niche> = __pmem::niche_among::<Self>(&[]);
        const WITNESS: __pmem::MaybeUninit<Self> = __pmem::MaybeUninit::new(Nothing {});
        fn schema() -> &'static __pmem::Schema {
            const {
                &__pmem::Schema {
                    name: "Nothing",
                    arguments: &[],
                    size_bytes: __pmem::size_of::<Self>(),
                    align_bytes: __pmem::align_of::<Self>(),
                    kind: __pmem::Kind::Struct(&[]),
                }
            }
        }
        unsafe fn validate(
            __at: *const __pmem::u8,
            __visit: &mut __pmem::Visit<'_>,
        ) -> __pmem::Result<(), __pmem::Fault> {
            __pmem::Ok(())
        }
        fn trace(&self, __tracer: &mut __pmem::Tracer<'_>) {
            match self {
                Nothing {} => {}
            }
        }
        fn targets(__types: &mut __pmem::NodeTypes) {
            let _ = &__types;
        }
        unsafe fn share(&self, __sharer: &__pmem::Sharer<'_>) -> Self {
            match self {
                Nothing {} => Nothing {},
            }
        }
        unsafe fn store(__this: *const Self, __to: *mut __pmem::u8) {}
        unsafe fn scrub(__at: *mut __pmem::u8) {
            if <Self as __pmem::Persistent>::HAS_PADDING {
                unsafe {
                    __pmem::zero_gaps(__at, 0usize, __pmem::size_of::<Self>(), &[])
                };
            }
        }
    }
    #[automatically_derived]
    unsafe impl __pmem::Send for Nothing {}
    #[automatically_derived]
    unsafe impl __pmem::Sync for Nothing {}
    trait PersistentTypesMustNotImplementDropCleanUpInTheSectionInstead {}
    impl<T: __pmem::Drop> PersistentTypesMustNotImplementDropCleanUpInTheSectionInstead
    for T {}
    impl PersistentTypesMustNotImplementDropCleanUpInTheSectionInstead for Nothing {}
    trait __OneBrand<'p> {
        fn check();
    }
    impl<'__q> __OneBrand<'__q> for Nothing {
        fn check() {}
    }
    const _: () = __pmem::check_layout::<Nothing>();
};
