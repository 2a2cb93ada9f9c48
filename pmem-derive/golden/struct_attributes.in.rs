#[repr(C)]
#[persistent(crate = crate::runtime, rename = "Account", bound = "T: crate::runtime::Persistent")]
struct Customer<T, const N: usize> {
    #[persistent(rename = "owner")]
    holders: [T; N],
    #[persistent(volatile)]
    hits: u32,
}
