//! Calls into a C plugin from a frame that no exception can leave.
//!
//! Rust cannot catch the exceptions of other languages: it aborts with a message about
//! itself. To the unwinder, this frame is the bottom of the stack. So the language of the
//! exception ends the process by its own rules, and names the exception on stderr:
//! `terminate called after throwing an instance of 'std::out_of_range'`.

use std::{arch::naked_asm, ffi::c_void};

/// Calls `function` with the other arguments, and returns what it returns.
///
/// # Safety
/// `function` is a C function that takes these arguments, or fewer of them, each a pointer
/// or an integer, and returns a pointer, an integer or nothing.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn call(
    _first: *const c_void,
    _second: *const c_void,
    _third: *const c_void,
    _fourth: *const c_void,
    _fifth: usize,
    _function: *const c_void,
) -> *mut c_void {
    #[cfg(target_arch = "x86_64")]
    naked_asm!("push rbp", "mov rbp, rsp", "call r9", "pop rbp", "ret");
    #[cfg(target_arch = "aarch64")]
    naked_asm!(
        "stp x29, x30, [sp, #-16]!",
        "mov x29, sp",
        "blr x5",
        "ldp x29, x30, [sp], #16",
        "ret"
    );
}
