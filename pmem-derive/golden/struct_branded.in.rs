#[repr(C)]
struct List<'p, T> {
    value: T,
    next: Option<P<'p, Self>>,
}
