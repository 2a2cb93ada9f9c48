::core::compile_error! {
    "unknown word `volatil`; did you mean `volatile`?"
}
::core::compile_error! {
    "the layout must be the same in every build; add `#[repr(C)]`"
}
::core::compile_error! {
    "a reference is an address that dies with the process; own the value, or point to it with `P<'p, T>`"
}
const _: () = {
    use ::pmem_runtime::__private as __pmem;
    #[automatically_derived]
    unsafe impl<'p> __pmem::Send for Account<'p> {}
    #[automatically_derived]
    unsafe impl<'p> __pmem::Sync for Account<'p> {}
    #[automatically_derived]
    unsafe impl<'p> __pmem::Persistent for Account<'p> {
        type At<'__q> = Account<'__q>;
        const NAME: &'static __pmem::str = "Account";
        const NAME_HASH: __pmem::u64 = 0;
        const LAYOUT_HASH: __pmem::u64 = 0;
        const HAS_POINTERS: __pmem::bool = false;
        const HAS_PADDING: __pmem::bool = false;
        const NICHE: __pmem::Option<__pmem::Niche> = __pmem::None;
        const WITNESS: __pmem::MaybeUninit<Self> = loop {};
        fn schema() -> &'static __pmem::Schema {
            loop {}
        }
        unsafe fn validate(
            _: *const __pmem::u8,
            _: &mut __pmem::Visit<'_>,
        ) -> __pmem::Result<(), __pmem::Fault> {
            loop {}
        }
        fn trace(&self, _: &mut __pmem::Tracer<'_>) {}
        fn targets(_: &mut __pmem::NodeTypes) {}
        unsafe fn share(&self, _: &__pmem::Sharer<'_>) -> Self {
            loop {}
        }
        unsafe fn store(_: *const Self, _: *mut __pmem::u8) {}
        unsafe fn scrub(_: *mut __pmem::u8) {}
    }
};
