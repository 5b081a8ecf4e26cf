//! The program `host`.

fn main() {}
