#[functional]
#[derive(PartialEq)]
struct Trie {
    weight: f64,
    children: [Option<Trie>; 26],
}
