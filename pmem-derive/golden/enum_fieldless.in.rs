#[repr(i8)]
enum Sign {
    Minus = -1,
    Zero,
    Plus,
}
