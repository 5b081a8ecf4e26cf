//! Tells the crate whether it is optimised: a plugin built without optimisation is many times
//! slower than its author thinks, so its description says so.

fn main() {
    let is_optimised = std::env::var("OPT_LEVEL").is_ok_and(|level| level != "0");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(unoptimised)");
    if !is_optimised {
        println!("cargo::rustc-cfg=unoptimised");
    }
}
