#[repr(C)]
struct Nothing;
