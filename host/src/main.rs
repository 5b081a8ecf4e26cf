//! The program `host`.

use std::process::ExitCode;

fn main() -> ExitCode {
    arena2048::command::program::main()
}
