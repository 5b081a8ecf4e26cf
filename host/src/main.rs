//! The program `host`.

mod cluster;
mod command;

fn main() -> std::process::ExitCode {
    command::program::main()
}
