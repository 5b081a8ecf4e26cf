//! The program `host` under a name that no other tool has: on many machines `host` asks
//! name servers.

use std::process::ExitCode;

fn main() -> ExitCode {
    arena2048::program::main()
}
