//! Unpacks the weights to where the plugin will lie: the folder of the build profile.

use std::{
    env,
    error::Error,
    fs::{self, File},
    io::BufWriter,
    path::PathBuf,
};

use ntuple_network::write_unpacked;

const PACKED: &str = "weights/ntuple.packed";
const PACKED_LATE: &str = "weights/late.packed";
const UNPACKED: &str = "ntuple.weights";

fn main() -> Result<(), Box<dyn Error>> {
    let package = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    // `OUT_DIR` is `build/ntuple-HASH/out` in the folder of the profile.
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let folder = out.ancestors().nth(3).ok_or("OUT_DIR has no such parent")?;
    let unpacked = folder.join(UNPACKED);
    let packed = [PACKED, PACKED_LATE].map(|file| package.join(file));
    let read = |file: &PathBuf| {
        fs::read(file).map_err(|error| format!("cannot read `{}`: {error}", file.display()))
    };
    println!("cargo::rerun-if-changed=build.rs");
    for file in packed.iter().chain([&unpacked]) {
        println!("cargo::rerun-if-changed={}", file.display());
    }
    // Written under another name, so that no process reads an incomplete file.
    let unfinished = out.join(UNPACKED);
    let mut file = BufWriter::with_capacity(1 << 20, File::create(&unfinished)?);
    write_unpacked(&read(&packed[0])?, &read(&packed[1])?, &mut file)
        .map_err(|error| format!("`{PACKED}` or `{PACKED_LATE}` {error}"))?;
    let file = file.into_inner()?;
    // Given the time of its source: Cargo would otherwise find it newer than this run and run
    // the script again.
    file.set_modified(fs::metadata(&packed[0])?.modified()?)?;
    fs::rename(&unfinished, &unpacked)?;
    Ok(())
}
