#[repr(transparent)]
struct Cents(i64);
