#[repr(C)]
struct Point {
    x: u32,
    y: u64,
}
