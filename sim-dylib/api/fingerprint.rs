// Shared by `build.rs` and the crate: what the fingerprint of a contract is.

/// FNV-1a over the text of a contract without its comment lines and indentation, which change nothing.
pub fn fingerprint(contract: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let lines = contract.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
    for line in lines {
        for &byte in line.as_bytes().iter().chain(b"\n") {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash
}
