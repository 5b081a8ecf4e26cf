//! Any plugin as a program: opens the library that its first argument names and speaks the
//! text protocol for it. So every test of a hostile library is a test of a hostile program.
#![expect(unsafe_code, reason = "loading a library runs its code")]
#![expect(clippy::print_stdout, reason = "the protocol is on standard output")]

use std::{
    error::Error,
    ffi::{CString, c_void},
    io::{self, BufRead},
    time::Duration,
};

use plugin_api::{Allowance, Board, Clock, Failure, LoadedAgent, LoadedPlugin, Turn, abi, c_abi};
use serde_json::Value;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("name a library")?;
    let plugin = open(&path)?;
    let mut agent: Option<Box<dyn LoadedAgent>> = None;
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "arena" => println!("agent {}", plugin.info()?),
            "new" => {
                let game: Value = serde_json::from_str(rest)?;
                match plugin.create(&game["params"].to_string(), &game["setup"].to_string()) {
                    Ok(made) => {
                        agent = Some(made);
                        println!("ready");
                    }
                    Err(failure) => report(&failure),
                }
            }
            "turn" => {
                let (board, turn) = turn(&serde_json::from_str(rest)?)?;
                let agent = agent.as_mut().ok_or("no agent")?;
                match agent.choose(&board, &turn) {
                    Ok(answer) => {
                        let names = ["up", "right", "down", "left"];
                        println!(
                            "move {}",
                            names.get(usize::from(answer.direction)).unwrap_or(&"77")
                        );
                    }
                    Err(failure) => report(&failure),
                }
            }
            _ => return Ok(()),
        }
    }
    Ok(())
}

fn report(failure: &Failure) {
    println!("error {}", failure.to_string().replace('\n', " "));
}

fn turn(turn: &Value) -> Result<(Board, Turn), Box<dyn Error>> {
    let rows: Vec<Vec<u64>> = serde_json::from_value(turn["board"].clone())?;
    let rows: Vec<String> = rows
        .iter()
        .map(|row| row.iter().map(u64::to_string).collect::<Vec<_>>().join(" "))
        .collect();
    let time = |key: &str| turn[key].as_u64().map(Duration::from_micros);
    let allowance = match (time("time_us"), time("bank_us"), turn["nodes"].as_u64()) {
        (Some(income), Some(bank), _) => Allowance::Time {
            clock: Clock::Cpu,
            start_ns: Clock::Cpu.now_ns(),
            income,
            bank,
        },
        (_, _, Some(nodes)) => Allowance::Nodes(nodes),
        _ => Allowance::Unlimited,
    };
    let turn = Turn {
        move_number: turn["move"].as_u64().ok_or("no move")?,
        score: turn["score"].as_u64().ok_or("no score")?,
        allowance,
    };
    Ok((rows.join(" / ").parse()?, turn))
}

fn open(path: &str) -> Result<Box<dyn LoadedPlugin>, Box<dyn Error>> {
    let path = CString::new(path)?;
    // SAFETY: whatever the library does when it is loaded, it does to this process.
    let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW) };
    if library.is_null() {
        return Err("the library cannot be loaded".into());
    }
    let symbol = |name: &std::ffi::CStr| -> *const c_void {
        // SAFETY: only the address is taken; each ABI checks what is there.
        unsafe { libc::dlsym(library, name.as_ptr()) }.cast_const()
    };
    let (c, rust) = (symbol(c_abi::SYMBOL), symbol(abi::SYMBOL));
    // SAFETY: the addresses are those of the symbols, and the library stays.
    Ok(unsafe {
        if c.is_null() {
            Box::new(abi::RustPlugin::from_symbol(rust)?)
        } else {
            Box::new(c_abi::CPlugin::from_symbol(c)?)
        }
    })
}
