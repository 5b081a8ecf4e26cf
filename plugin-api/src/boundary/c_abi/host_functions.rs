//! The functions that the host provides to a C agent: the rules, the clocks, access to
//! JSON.
//!
//! With these, a C agent needs neither its own copy of the rules nor a JSON library.

use std::ffi::{CStr, c_char, c_int};

use serde_json::Value;

use crate::{Clock, Direction, GameSetup, wire::WireBoard};

/// `agent2048_host`.
#[repr(C)]
pub(super) struct Host {
    size: u32,
    minor: u32,
    log: unsafe extern "C" fn(*const c_char),
    slide: unsafe extern "C" fn(*const WireBoard, c_int, *mut WireBoard, *mut u64) -> c_int,
    clock_ns: extern "C" fn(u32) -> u64,
    json_integer: unsafe extern "C" fn(*const c_char, *const c_char, *mut i64) -> c_int,
    json_number: unsafe extern "C" fn(*const c_char, *const c_char, *mut f64) -> c_int,
    json_text: unsafe extern "C" fn(*const c_char, *const c_char, *mut c_char, usize) -> c_int,
    random_seed: unsafe extern "C" fn(*const c_char) -> u64,
}

#[expect(clippy::cast_possible_truncation, reason = "a struct of nine words")]
pub(super) static HOST: Host = Host {
    size: size_of::<Host>() as u32,
    minor: 2,
    log,
    slide,
    clock_ns,
    json_integer,
    json_number,
    json_text,
    random_seed,
};

/// # Safety
/// `text` is null or ends with a zero byte.
unsafe extern "C" fn log(text: *const c_char) {
    // SAFETY: guaranteed by the caller.
    if let Some(text) = unsafe { text_at(text) } {
        #[expect(
            clippy::print_stderr,
            reason = "an agent's messages to people go to stderr"
        )]
        {
            eprintln!("{text}");
        }
    }
}

/// # Safety
/// `before` is null or a board, `after` and `gain` are null or writable.
unsafe extern "C" fn slide(
    before: *const WireBoard,
    direction: c_int,
    after: *mut WireBoard,
    gain: *mut u64,
) -> c_int {
    // SAFETY: guaranteed by the caller.
    let board = unsafe { before.as_ref() }.and_then(WireBoard::to_board);
    let direction = u8::try_from(direction).ok().and_then(Direction::from_index);
    let Some(slide) = board
        .zip(direction)
        .and_then(|(board, direction)| board.slide(direction))
    else {
        return 0;
    };
    if !after.is_null() {
        // SAFETY: the caller guarantees that it is writable.
        unsafe { after.write((&slide.board).into()) }
    }
    if !gain.is_null() {
        // SAFETY: the caller guarantees that it is writable.
        unsafe { gain.write(slide.gain) }
    }
    1
}

extern "C" fn clock_ns(clock: u32) -> u64 {
    match clock {
        1 => Clock::Cpu.now_ns(),
        _ => Clock::Wall.now_ns(),
    }
}

/// # Safety
/// The strings are null or end with a zero byte; `value` is null or writable.
unsafe extern "C" fn json_integer(
    json: *const c_char,
    key: *const c_char,
    value: *mut i64,
) -> c_int {
    // SAFETY: guaranteed by the caller.
    unsafe {
        store(
            json_value(json, key).as_ref().and_then(Value::as_i64),
            value,
        )
    }
}

/// # Safety
/// The strings are null or end with a zero byte; `value` is null or writable.
unsafe extern "C" fn json_number(
    json: *const c_char,
    key: *const c_char,
    value: *mut f64,
) -> c_int {
    // SAFETY: guaranteed by the caller.
    unsafe {
        store(
            json_value(json, key).as_ref().and_then(Value::as_f64),
            value,
        )
    }
}

/// # Safety
/// The strings are null or end with a zero byte; `value` is null or has room for
/// `value_size` bytes.
unsafe extern "C" fn json_text(
    json: *const c_char,
    key: *const c_char,
    value: *mut c_char,
    value_size: usize,
) -> c_int {
    // SAFETY: guaranteed by the caller.
    let Some(Value::String(text)) = (unsafe { json_value(json, key) }) else {
        return 0;
    };
    if value.is_null() || text.len() >= value_size || text.contains('\0') {
        return 0;
    }
    // SAFETY: the string and its zero byte fit into the caller's buffer.
    unsafe {
        std::ptr::copy_nonoverlapping(text.as_ptr().cast(), value, text.len());
        value.add(text.len()).write(0);
    }
    1
}

/// # Safety
/// `setup` is null or ends with a zero byte.
unsafe extern "C" fn random_seed(setup: *const c_char) -> u64 {
    // SAFETY: guaranteed by the caller.
    let text = unsafe { text_at(setup) };
    text.and_then(|text| GameSetup::from_json(text).ok())
        .map_or(0, |setup| setup.random_seed)
}

/// # Safety
/// `place` is null or writable.
unsafe fn store<T>(value: Option<T>, place: *mut T) -> c_int {
    match value {
        Some(value) if !place.is_null() => {
            // SAFETY: the caller guarantees that it is writable.
            unsafe { place.write(value) };
            1
        }
        _ => 0,
    }
}

/// # Safety
/// Both are null or end with a zero byte.
unsafe fn json_value(json: *const c_char, key: *const c_char) -> Option<Value> {
    // SAFETY: guaranteed by the caller.
    let (json, key) = unsafe { (text_at(json)?, text_at(key)?) };
    serde_json::from_str::<Value>(json).ok()?.get(key).cloned()
}

/// # Safety
/// `text` is null or ends with a zero byte, and remains valid for the lifetime of the
/// result.
unsafe fn text_at<'a>(text: *const c_char) -> Option<&'a str> {
    if text.is_null() {
        return None;
    }
    // SAFETY: guaranteed by the caller.
    unsafe { CStr::from_ptr(text) }.to_str().ok()
}
