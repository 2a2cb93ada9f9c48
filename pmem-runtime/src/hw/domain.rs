//! Whether a power failure flushes the processor's caches (eADR): what the kernel's nvdimm bus says of its regions.

use std::fs;
use std::path::{Path, PathBuf};

/// The attribute's value when caches are in the persistence domain.
const CPU_CACHE: &str = "cpu_cache";

/// Whether the caches above a device are persistent. `device` is its number and whether it is a block device; `sysfs` is
/// where the kernel's tree is mounted.
///
/// The answer is yes only if the region behind the device says so or, where the way from the device to its region is not
/// found (behind a device mapper, say), if all regions do. Unknown means no: a needless write-back costs time only.
pub(super) fn caches_persist(sysfs: &Path, is_block: bool, major: u32, minor: u32) -> bool {
    let class = if is_block { "block" } else { "char" };
    let device = sysfs.join(format!("dev/{class}/{major}:{minor}"));
    if let Some(region) = region_of(&device) {
        return says_cpu_cache(&region);
    }
    let Ok(devices) = fs::read_dir(sysfs.join("bus/nd/devices")) else { return false };
    let mut regions =
        devices.flatten().filter(|entry| is_region(&entry.file_name().to_string_lossy())).peekable();
    regions.peek().is_some() && regions.all(|region| says_cpu_cache(&region.path()))
}

/// The nearest folder above the device that is named like a region.
fn region_of(device: &Path) -> Option<PathBuf> {
    let device = fs::canonicalize(device).ok()?;
    let is_named = |path: &&Path| path.file_name().is_some_and(|name| is_region(&name.to_string_lossy()));
    device.ancestors().find(is_named).map(Path::to_path_buf)
}

fn is_region(name: &str) -> bool {
    name.strip_prefix("region").is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
}

fn says_cpu_cache(region: &Path) -> bool {
    fs::read_to_string(region.join("persistence_domain")).is_ok_and(|domain| domain.trim() == CPU_CACHE)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    use super::caches_persist;

    fn region(sysfs: &Path, name: &str, domain: &str) {
        let folder = sysfs.join("devices/ndbus0").join(name);
        fs::create_dir_all(folder.join("namespace0.0/block/pmem0")).unwrap();
        fs::write(folder.join("persistence_domain"), format!("{domain}\n")).unwrap();
        fs::create_dir_all(sysfs.join("bus/nd/devices")).unwrap();
        symlink(&folder, sysfs.join("bus/nd/devices").join(name)).unwrap();
    }

    /// If this failed, write-backs would be left out above memory that needs them, and a power failure would lose data.
    #[test]
    fn an_unknown_or_mixed_persistence_domain_is_not_taken_for_eadr() {
        let folder = tempfile::tempdir().unwrap();
        let sysfs = folder.path();
        assert!(!caches_persist(sysfs, true, 259, 0), "no nvdimm bus at all");
        region(sysfs, "region0", "cpu_cache");
        assert!(caches_persist(sysfs, true, 259, 0), "the only region says so");
        region(sysfs, "region1", "memory_controller");
        assert!(!caches_persist(sysfs, true, 259, 0), "not all regions say so and the device's is not known");
        fs::create_dir_all(sysfs.join("dev/block")).unwrap();
        symlink(sysfs.join("devices/ndbus0/region0/namespace0.0/block/pmem0"), sysfs.join("dev/block/259:0"))
            .unwrap();
        symlink(sysfs.join("devices/ndbus0/region1/namespace0.0/block/pmem0"), sysfs.join("dev/block/259:1"))
            .unwrap();
        assert!(caches_persist(sysfs, true, 259, 0), "its own region says so");
        assert!(!caches_persist(sysfs, true, 259, 1), "its own region denies it");
    }
}
