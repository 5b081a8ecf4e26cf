//! The C ABI of plugins: mirrors `include/agent2048.h`, which states each function's
//! thread, state and lifetime.
//!
//! A plugin exports one struct of function pointers, which starts with its size and
//! only ever grows at its end. Fields beyond the size that a plugin states are not
//! read, so an older plugin works with a newer host, and vice versa.
#![expect(unsafe_code, reason = "calling functions that a C library exports")]

mod host_functions;
mod last_frame;

use std::{
    ffi::{CStr, CString, c_char, c_int, c_void},
    mem::offset_of,
    ops::ControlFlow,
    panic::{AssertUnwindSafe, catch_unwind},
    ptr::{self, NonNull},
};

use crate::{
    Answer, Board, Failure, Incompatible, LoadedAgent, LoadedPlugin, Turn,
    wire::{WireBoard, WireChoice, WireTurn},
};
use host_functions::HOST;

/// The symbol that a C plugin exports.
///
/// ```
/// assert_eq!(plugin_api::c_abi::SYMBOL, c"agent2048_entry");
/// ```
pub const SYMBOL: &CStr = c"agent2048_entry";

/// The text of `agent2048.h`.
///
/// ```
/// assert!(plugin_api::c_abi::HEADER.contains("#define AGENT2048_MAJOR 1u"));
/// ```
pub const HEADER: &str = include_str!("../../include/agent2048.h");

const MAJOR: u32 = 1;
const OK: c_int = 0;
const UNKNOWN: c_int = 2;
/// The size of the buffer for a plugin's error message.
const ERROR_SIZE: usize = 1024;

/// `agent2048_entry_v1`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Entry {
    size: u32,
    major: u32,
    minor: u32,
    reserved: u32,
    info: *const c_char,
    create: Option<CFunction>,
    destroy: Option<CFunction>,
    choose: Option<CFunction>,
    extension: Option<CFunction>,
    // Fields of later minor versions go below this line.
}

/// A function of the plugin. It is called through [`last_frame::call`], with the arguments
/// that the header states.
type CFunction = NonNull<c_void>;

/// The size of the struct in version 1.0, the minimum for a plugin.
const SIZE_OF_1_0: usize = offset_of!(Entry, extension) + size_of::<usize>();

/// `agent2048_sink`.
#[repr(C)]
struct Sink {
    size: u32,
    reserved: u32,
    context: *mut c_void,
    send: unsafe extern "C" fn(*mut c_void, *const c_char) -> c_int,
    answer: unsafe extern "C" fn(*mut c_void, *const c_char),
}

/// A plugin that uses the C ABI.
///
/// ```
/// # use plugin_api::c_abi::CPlugin;
/// #[repr(C)]
/// struct Entry { size: u32, major: u32, minor: u32 }
/// let of_the_future = Entry { size: 999, major: 9, minor: 0 };
/// // SAFETY: size and version are read first, and tell that nothing else may be.
/// let refused = unsafe { CPlugin::from_symbol((&raw const of_the_future).cast()) }.err().unwrap();
/// assert!(refused.to_string().contains("uses version 9.0"));
/// ```
pub struct CPlugin(Entry);

impl CPlugin {
    /// Loads the plugin that a library exports under [`SYMBOL`].
    ///
    /// # Safety
    /// `symbol` is the address of that symbol in a library that stays loaded for
    /// the rest of the process.
    ///
    /// # Errors
    /// If its major version differs or a required field is missing.
    pub unsafe fn from_symbol(symbol: *const c_void) -> Result<Self, Incompatible> {
        let incompatible = |message: String| Err(Incompatible(message));
        let Some(symbol) = NonNull::new(symbol.cast_mut()) else {
            return incompatible("`agent2048_entry` has no address".to_owned());
        };
        // SAFETY: every version of the struct starts with its size and its version.
        let [size, major, minor] = unsafe { symbol.cast::<[u32; 3]>().read_unaligned() };
        if major != MAJOR {
            return incompatible(format!(
                "it uses version {major}.{minor} of agent2048.h, this host supports {MAJOR}.x"
            ));
        }
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        if size < SIZE_OF_1_0 {
            return incompatible(format!(
                "its `agent2048_entry.size` is {size}, below the {SIZE_OF_1_0} of version 1.0: \
                 set it to `sizeof(agent2048_entry_v1)`"
            ));
        }
        let mut entry = Entry {
            size: 0,
            major: 0,
            minor: 0,
            reserved: 0,
            info: ptr::null(),
            create: None,
            destroy: None,
            choose: None,
            extension: None,
        };
        // SAFETY: the plugin's struct has at least `size` bytes, ours has room for the
        // copy, and a zeroed tail stays `None`.
        unsafe {
            ptr::copy_nonoverlapping(
                symbol.cast::<u8>().as_ptr(),
                (&raw mut entry).cast::<u8>(),
                size.min(size_of::<Entry>()),
            );
        }
        if entry.info.is_null() || entry.create.is_none() || entry.choose.is_none() {
            return incompatible(
                "`info`, `create` and `choose` of its `agent2048_entry` must not be NULL"
                    .to_owned(),
            );
        }
        Ok(Self(entry))
    }
}

impl LoadedPlugin for CPlugin {
    fn info(&self) -> Result<String, Failure> {
        // SAFETY: the pointer is not null, and the header requires a string that lives
        // as long as the library.
        let text = unsafe { CStr::from_ptr(self.0.info) };
        let text = text
            .to_str()
            .map_err(|_| Failure::Broken("its `info` is not UTF-8".to_owned()))?;
        Ok(text.to_owned())
    }

    fn create(&self, params: &str, setup: &str) -> Result<Box<dyn LoadedAgent>, Failure> {
        let (params, setup) = (c_text(params)?, c_text(setup)?);
        let mut error = ErrorText::new();
        let create = self.0.create.expect("checked when the plugin was loaded");
        // SAFETY: all pointers are valid for the call, as the header requires.
        let agent = unsafe {
            last_frame::call(
                (&raw const HOST).cast(),
                params.as_ptr().cast(),
                setup.as_ptr().cast(),
                error.as_mut_ptr().cast(),
                ERROR_SIZE,
                create.as_ptr(),
            )
        };
        let Some(agent) = NonNull::new(agent) else {
            return Err(Failure::Refused(
                error.or("`create` returned NULL and no error message"),
            ));
        };
        Ok(Box::new(CAgent {
            entry: self.0,
            agent,
        }))
    }

    fn call_extension(
        &self,
        name: &str,
        request: &str,
        send: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Result<String, Failure> {
        let Some(extension) = self.0.extension else {
            return Err(Failure::UnknownExtension(name.to_owned()));
        };
        let (c_name, request) = (c_text(name)?, c_text(request)?);
        let mut receiver = Receiver { send, answer: None };
        let sink = Sink {
            size: u32::try_from(size_of::<Sink>()).expect("a small struct"),
            reserved: 0,
            context: (&raw mut receiver).cast(),
            send: Receiver::receive_message,
            answer: Receiver::receive_answer,
        };
        let mut error = ErrorText::new();
        // SAFETY: all pointers are valid for the call, as the header requires.
        let status = unsafe {
            last_frame::call(
                c_name.as_ptr().cast(),
                request.as_ptr().cast(),
                (&raw const sink).cast(),
                error.as_mut_ptr().cast(),
                ERROR_SIZE,
                extension.as_ptr(),
            )
        };
        match (returned_int(status), receiver.answer) {
            (OK, Some(answer)) => Ok(answer),
            (OK, None) => Err(Failure::Broken(
                "the extension returned no answer".to_owned(),
            )),
            (UNKNOWN, _) => Err(Failure::UnknownExtension(name.to_owned())),
            (status, _) => Err(Failure::Refused(
                error.or(&format!("the extension returned {status}")),
            )),
        }
    }
}

/// The host's end of a sink.
struct Receiver<'a> {
    send: &'a mut dyn FnMut(&str) -> ControlFlow<()>,
    answer: Option<String>,
}

impl Receiver<'_> {
    /// # Safety
    /// `context` is the receiver of the running call; `json` is null or a string.
    unsafe extern "C" fn receive_message(context: *mut c_void, json: *const c_char) -> c_int {
        // SAFETY: guaranteed by the caller.
        let (receiver, text) = unsafe { (&mut *context.cast::<Receiver<'_>>(), lossy_text(json)) };
        let stop = catch_unwind(AssertUnwindSafe(|| (receiver.send)(&text).is_break()));
        c_int::from(stop.unwrap_or(true))
    }

    /// # Safety
    /// As for `receive_message`.
    unsafe extern "C" fn receive_answer(context: *mut c_void, json: *const c_char) {
        // SAFETY: guaranteed by the caller.
        let (receiver, text) = unsafe { (&mut *context.cast::<Receiver<'_>>(), lossy_text(json)) };
        receiver.answer = Some(text);
    }
}

struct CAgent {
    entry: Entry,
    agent: NonNull<c_void>,
}

impl LoadedAgent for CAgent {
    fn choose(&mut self, board: &Board, turn: &Turn) -> Result<Answer, Failure> {
        let choose = self
            .entry
            .choose
            .expect("checked when the plugin was loaded");
        let mut choice = WireChoice::UNSAID;
        let (board, turn) = (WireBoard::from(board), WireTurn::from(turn));
        // SAFETY: the agent came from this plugin's `create` and was not destroyed; the
        // other pointers are valid for the call.
        let status = unsafe {
            last_frame::call(
                self.agent.as_ptr(),
                (&raw const board).cast(),
                (&raw const turn).cast(),
                (&raw mut choice).cast(),
                0,
                choose.as_ptr(),
            )
        };
        match returned_int(status) {
            OK => Ok(Answer::from(&choice)),
            status => Err(Failure::Broken(format!(
                "`choose` returned {status} instead of AGENT2048_OK"
            ))),
        }
    }
}

impl Drop for CAgent {
    fn drop(&mut self) {
        if let Some(destroy) = self.entry.destroy {
            // SAFETY: the agent came from this plugin's `create` and ends here.
            unsafe {
                last_frame::call(
                    self.agent.as_ptr(),
                    ptr::null(),
                    ptr::null(),
                    ptr::null(),
                    0,
                    destroy.as_ptr(),
                );
            }
        }
    }
}

/// What a function returned that returns an `int`: the lower half of the register.
fn returned_int(register: *mut c_void) -> c_int {
    let bytes = register.addr().to_le_bytes();
    c_int::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

/// A buffer for the error message of a plugin.
struct ErrorText([u8; ERROR_SIZE]);

impl ErrorText {
    fn new() -> Self {
        Self([0; ERROR_SIZE])
    }

    fn as_mut_ptr(&mut self) -> *mut c_char {
        self.0.as_mut_ptr().cast()
    }

    /// The error message, or the given one if there is none.
    fn or(&self, otherwise: &str) -> String {
        let end = self
            .0
            .iter()
            .position(|&byte| byte == 0)
            .unwrap_or(ERROR_SIZE);
        match String::from_utf8_lossy(&self.0[..end]).trim() {
            "" => otherwise.to_owned(),
            sentence => sentence.to_owned(),
        }
    }
}

fn c_text(text: &str) -> Result<CString, Failure> {
    CString::new(text)
        .map_err(|_| Failure::Refused("a string with a zero byte cannot be passed to C".to_owned()))
}

/// # Safety
/// `text` is null or ends with a zero byte.
unsafe fn lossy_text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: guaranteed by the caller.
    unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned()
}
