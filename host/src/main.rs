//! The program `host`.

use std::process::ExitCode;

fn main() -> ExitCode {
    arena2048::program::main()
}
