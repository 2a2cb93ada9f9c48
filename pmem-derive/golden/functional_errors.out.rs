::core::compile_error! {
    "a second owner is counted, which takes the section; remove `Clone` and write `share(tx)` for `clone()`"
}
::core::compile_error! {
    "`K` is another type in each section, of which this is not known; put the bound on the impl: `impl<K: Ord> Loop<..>`"
}
::core::compile_error! {
    "a value of a functional type has a node of its own and needs no `Box`; write `Loop<K>`"
}
#[allow(missing_docs, dead_code)]
#[derive(::pmem_runtime::Persistent)]
#[repr(C)]
struct Loop<'p, K> {
    __node: ::core::option::Option<
        ::pmem_runtime::P<'p, ::core::marker::PhantomData<(K,)>>,
    >,
}
::core::compile_error! {
    "`&mut self` leaves no old version; take `self`, which gives it up, or `&self`, which keeps it, and return the new one"
}
impl<'p> Loop<'p> {
    fn turn(&mut self, tx: &Fase<'p>) -> Self {
        self
    }
}
