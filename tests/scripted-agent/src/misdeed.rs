//! What an agent can do wrong.

use std::{
    io::Write,
    ptr,
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::Duration,
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Misdeed {
    None,
    RefuseInNew,
    PanicInNew,
    LoopInNew,
    SleepInNew,
    IllegalMove,
    Panic,
    PanicWithABomb,
    Abort,
    Segfault,
    StackOverflow,
    Exit,
    Loop,
    Sleep,
    IgnoreSigtermAndLoop,
    TakeMemory,
    StartThreads,
    PrintToStdout,
    WriteToFd1,
    FloodStderr,
    FloodStderrAndPanic,
    CloseAllFds,
    WriteGarbageToAllFds,
    ThinkInBackground,
    ChangeSignalHandlers,
    ChangeFolder,
    ChangeLocale,
    ChangeRounding,
    PanicInDrop,
    KillItself,
}

/// Dropping what was thrown panics again.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("panicked while dropping a panic");
    }
}

impl Misdeed {
    pub(crate) fn in_new(self) -> Result<(), String> {
        match self {
            Self::RefuseInNew => return Err("the weights are missing".to_owned()),
            Self::PanicInNew => panic!("panicked on purpose in new"),
            Self::LoopInNew => spin(),
            Self::SleepInNew => sleep(),
            Self::ThinkInBackground => {
                thread::spawn(|| spin());
            }
            _ => {}
        }
        Ok(())
    }

    pub(crate) fn in_choose(self) {
        match self {
            Self::Panic => panic!("panicked on purpose"),
            Self::PanicWithABomb => std::panic::panic_any(Bomb),
            Self::Abort => std::process::abort(),
            Self::Segfault => write_to_nowhere(),
            Self::StackOverflow => {
                std::hint::black_box(endless_recursion(1));
            }
            Self::Exit => std::process::exit(0),
            Self::Loop => spin(),
            Self::Sleep => sleep(),
            Self::IgnoreSigtermAndLoop => {
                set_handlers(libc::SIG_IGN);
                spin();
            }
            Self::ChangeSignalHandlers => set_handlers(libc::SIG_IGN),
            Self::TakeMemory => take_memory(),
            Self::StartThreads => start_threads(),
            Self::PrintToStdout => {
                // Printing is the purpose; whether it works is not.
                let _ = writeln!(std::io::stdout(), "0123456789 printed to stdout");
                let _ = std::io::stdout().flush();
            }
            Self::WriteToFd1 => write_to(1, b"\x01\x03garbage on fd 1"),
            Self::FloodStderr => write_to(2, &vec![b'x'; 1 << 20]),
            Self::FloodStderrAndPanic => {
                write_to(2, &vec![b'x'; 1 << 20]);
                panic!("panicked on purpose");
            }
            Self::CloseAllFds => close_all(),
            Self::WriteGarbageToAllFds => {
                (0..1024).for_each(|number| write_to(number, b"\x07\x4dgarbage garbage garbage"));
            }
            Self::ChangeFolder => {
                let _ = std::env::set_current_dir("/usr/lib");
            }
            Self::ChangeLocale => change_locale(),
            Self::ChangeRounding => round_upwards(),
            Self::KillItself => kill_itself(),
            Self::None
            | Self::RefuseInNew
            | Self::PanicInNew
            | Self::LoopInNew
            | Self::SleepInNew
            | Self::IllegalMove
            | Self::PanicInDrop
            | Self::ThinkInBackground => {}
        }
    }

    pub(crate) fn in_drop(self) {
        assert!(self != Self::PanicInDrop, "panicked on purpose in drop");
    }
}

fn spin() -> ! {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    loop {
        COUNT.fetch_add(1, Ordering::Relaxed);
    }
}

fn sleep() -> ! {
    loop {
        thread::sleep(Duration::from_hours(1));
    }
}

fn write_to_nowhere() {
    // SAFETY: none; the crash is the purpose.
    unsafe { ptr::null_mut::<u8>().write_volatile(1) }
}

fn kill_itself() {
    // SAFETY: signals to oneself are always allowed, and end at most this process.
    unsafe {
        libc::raise(libc::SIGKILL);
        libc::kill(libc::getpid(), libc::SIGKILL);
    }
}

fn change_locale() {
    for name in [c"de_DE.UTF-8", c"C.UTF-8"] {
        // SAFETY: one thread runs, and the name ends with a zero.
        unsafe { libc::setlocale(libc::LC_ALL, name.as_ptr()) };
    }
}

/// Sets the rounding of this thread's floating-point unit to "up".
#[cfg(target_arch = "x86_64")]
#[expect(
    deprecated,
    reason = "the register has no other access without assembly"
)]
fn round_upwards() {
    use std::arch::x86_64::{_MM_ROUND_UP, _MM_SET_ROUNDING_MODE};
    // SAFETY: none; later arithmetic of the process may be off, which is the purpose.
    unsafe { _MM_SET_ROUNDING_MODE(_MM_ROUND_UP) };
}

#[cfg(not(target_arch = "x86_64"))]
fn round_upwards() {}

fn close_all() {
    for number in 0..1024 {
        // SAFETY: none; breaking the process is the purpose.
        unsafe { libc::close(number) };
    }
}

#[expect(
    unconditional_recursion,
    reason = "the stack is to overflow, and deep enough for the optimiser not to notice"
)]
fn endless_recursion(depth: u64) -> u64 {
    let frame = [depth; 512];
    std::hint::black_box(&frame);
    endless_recursion(depth + 1) + frame[usize::try_from(depth % 512).unwrap_or(0)]
}

fn take_memory() {
    const TWENTY_GIGABYTES: usize = 20 << 30;
    let mut memory: Vec<u8> = Vec::with_capacity(TWENTY_GIGABYTES);
    memory.resize(TWENTY_GIGABYTES, 1);
    std::hint::black_box(&memory);
}

fn start_threads() {
    let threads: Vec<_> = (0..10_000)
        .map_while(|_| thread::Builder::new().spawn(|| sleep()).ok())
        .collect();
    std::hint::black_box(threads.len());
}

fn set_handlers(handler: libc::sighandler_t) {
    for signal in [libc::SIGTERM, libc::SIGINT, libc::SIGPIPE, libc::SIGALRM] {
        // SAFETY: ignoring a signal is always allowed.
        unsafe { libc::signal(signal, handler) };
    }
}

fn write_to(descriptor: i32, bytes: &[u8]) {
    // SAFETY: the bytes are valid; whether the descriptor is open is not our concern.
    unsafe { libc::write(descriptor, bytes.as_ptr().cast(), bytes.len()) };
}
