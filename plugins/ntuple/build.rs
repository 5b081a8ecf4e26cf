//! Unpacks the weights to where the plugin will lie: the folder of the build profile.

use std::{
    env,
    error::Error,
    fs::{self, File},
    io::BufWriter,
    path::{Path, PathBuf},
};

use ntuple_network::write_unpacked;

const PACKED: &str = "weights/ntuple.packed";
const UNPACKED: &str = "ntuple.weights";

fn main() -> Result<(), Box<dyn Error>> {
    let packed = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join(PACKED);
    // `OUT_DIR` is `build/ntuple-HASH/out` in the folder of the profile.
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let folder = out.ancestors().nth(3).ok_or("OUT_DIR has no such parent")?;
    let unpacked = folder.join(UNPACKED);
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", packed.display());
    println!("cargo::rerun-if-changed={}", unpacked.display());
    // Written under another name, so that nobody ever sees a part of it.
    let unfinished = out.join(UNPACKED);
    let mut file = BufWriter::with_capacity(1 << 20, File::create(&unfinished)?);
    write_unpacked(&fs::read(&packed)?, &mut file)
        .map_err(|error| format!("`{}` {error}", packed.display()))?;
    let file = file.into_inner()?;
    // As old as its source: Cargo would otherwise find it newer than this run and run again.
    file.set_modified(fs::metadata(&packed)?.modified()?)?;
    fs::rename(&unfinished, &unpacked)?;
    Ok(())
}
