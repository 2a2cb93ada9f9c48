//! Builds the peer's shim and its counter, if the feature `pmdk` asks for them.

fn main() {
    println!("cargo::rerun-if-changed=shim");
    #[cfg(feature = "pmdk")]
    pmdk::build();
}

#[cfg(feature = "pmdk")]
mod pmdk {
    use std::path::Path;

    /// What is linked into the benchmark.
    const SHIM: &[&str] = &["pool", "table", "list", "array", "graph", "vacation"];
    const VERSION: &str = "1.12";

    pub(crate) fn build() {
        let library = pkg_config::Config::new().atleast_version(VERSION).probe("libpmemobj").unwrap_or_else(|error| {
            panic!("the feature `pmdk` needs libpmemobj {VERSION} (Debian: libpmemobj-dev, pkg-config): {error}")
        });
        cc::Build::new()
            .files(SHIM.iter().map(|name| format!("shim/{name}.c")))
            .includes(&library.include_paths)
            .std("c11")
            .opt_level(2)
            // A transaction that is undone ends the benchmark, so nothing is read after the jump.
            .flag_if_supported("-Wno-clobbered")
            .compile("peer");
        // Linked again behind the shim, which is what refers to it.
        for name in &library.libs {
            println!("cargo::rustc-link-lib={name}");
        }
        build_counter();
    }

    /// A library of its own, to be preloaded.
    fn build_counter() {
        let out = std::env::var("OUT_DIR").expect("cargo sets it");
        let counter = Path::new(&out).join("libpeer_count.so");
        let status = cc::Build::new()
            .opt_level(2)
            .get_compiler()
            .to_command()
            .args(["-shared", "-fPIC", "shim/count.c", "-ldl", "-o"])
            .arg(&counter)
            .status()
            .expect("the C compiler runs");
        assert!(status.success(), "the counter compiles");
        println!("cargo::rustc-env=PEER_COUNTER={}", counter.display());
    }
}
