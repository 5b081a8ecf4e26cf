//! The Rust ABI of plugins: the only place that uses `abi_stable`.
//!
//! A plugin exports a root module with three functions and creates agents behind a
//! trait object. Its layout is checked when it is loaded, in both directions, so either
//! side may have the later minor version. Nothing unwinds across the boundary:
//! [`exported`] catches panics on the plugin's side, because a panic that reached
//! `abi_stable` would end the process.
//!
//! Later minor versions add methods and fields only after the lines marked for that,
//! and never change existing ones.
#![expect(
    unsafe_code,
    reason = "converting an exported symbol into a typed module"
)]

pub mod exported;
mod layout_differences;
mod module;

use std::{
    ffi::{CStr, c_void},
    ops::ControlFlow,
    panic::{AssertUnwindSafe, catch_unwind},
};

use abi_stable::{
    StableAbi,
    library::{AbiHeaderRef, LibHeader, RootModule},
    std_types::{RStr, RString},
};

use crate::{Answer, Board, Failure, Incompatible, LoadedAgent, LoadedPlugin, Turn};

/// The symbol that a Rust plugin exports.
///
/// ```
/// assert!(plugin_api::abi::SYMBOL.to_str().unwrap().contains("root_bmodule"));
/// ```
pub const SYMBOL: &CStr = c"_1as_0lib_1header_0root_bmodule_bloader";

// `export_agent!` writes the name literally, so that agents do not depend on
// abi_stable; this checks that it is still the right one.
const _: () = {
    let ours = SYMBOL.to_bytes();
    let theirs = abi_stable::library::ROOT_MODULE_LOADER_NAME.as_bytes();
    assert!(ours.len() == theirs.len());
    let mut index = 0;
    while index < ours.len() {
        assert!(ours[index] == theirs[index]);
        index += 1;
    }
};

pub use module::{AgentObject, PluginModule, PluginModuleRef, WireAgent, WireAgent_TO};

/// How a call failed on the plugin's side.
///
/// ```
/// # use plugin_api::{Failure, abi::WireFailure};
/// let wire = WireFailure { kind: 2, message: "panicked in `choose`".into() };
/// assert_eq!(Failure::from(wire), Failure::Panicked("panicked in `choose`".to_owned()));
/// ```
#[repr(C)]
#[derive(StableAbi, Clone, Debug)]
pub struct WireFailure {
    /// 1 rejected, 2 panicked, 3 unknown extension.
    pub kind: u32,
    /// What happened, in one sentence.
    pub message: RString,
}

const REFUSED: u32 = 1;
const PANICKED: u32 = 2;
const UNKNOWN_EXTENSION: u32 = 3;

impl From<WireFailure> for Failure {
    fn from(wire: WireFailure) -> Self {
        let message = wire.message.into_string();
        match wire.kind {
            REFUSED => Self::Refused(message),
            PANICKED => Self::Panicked(message),
            UNKNOWN_EXTENSION => Self::UnknownExtension(message),
            kind => Self::Broken(format!("failed in an unknown way ({kind}): {message}")),
        }
    }
}

/// Where an extension sends its messages.
///
/// ```
/// # use plugin_api::abi::WireSink;
/// # use plugin_api::__private::abi_stable::std_types::RStr;
/// extern "C" fn ignore(_context: *mut (), _message: RStr<'_>) -> u8 { 0 }
/// let sink = WireSink { context: std::ptr::null_mut(), send: ignore };
/// assert_eq!((sink.send)(sink.context, "{}".into()), 0, "continue");
/// ```
#[repr(C)]
#[derive(StableAbi, Clone, Copy)]
pub struct WireSink {
    /// The receiver's context; passed back with each message.
    pub context: *mut (),
    /// Receives a message; returns 0 to continue, anything else to stop.
    pub send: extern "C" fn(context: *mut (), message: RStr<'_>) -> u8,
}

/// A plugin that uses the Rust ABI.
///
/// ```
/// # use plugin_api::abi;
/// # let path = std::path::Path::new("libmine.so");
/// # fn address_of(_library: &std::path::Path, _symbol: &std::ffi::CStr) -> Option<*const std::ffi::c_void> { None }
/// if let Some(symbol) = address_of(path, abi::SYMBOL) {
///     // SAFETY: the address is that of the symbol, and the library stays loaded.
///     let plugin = unsafe { abi::RustPlugin::from_symbol(symbol) };
///     assert!(plugin.is_ok());
/// }
/// ```
pub struct RustPlugin(PluginModuleRef);

impl RustPlugin {
    /// Loads the plugin that a library exports under [`SYMBOL`].
    ///
    /// # Safety
    /// `symbol` is the address of that symbol in a library that stays loaded for
    /// the rest of the process.
    ///
    /// # Errors
    /// If it was built against an incompatible version, in at most five lines.
    pub unsafe fn from_symbol(symbol: *const c_void) -> Result<Self, Incompatible> {
        // SAFETY: the caller promises it.
        let header = unsafe { header_of(symbol) }?;
        let ours = PluginModuleRef::VERSION_STRINGS.version.as_str();
        let theirs = header.version_strings().version.as_str();
        let layout = header
            .layout()
            .ok_or_else(|| Incompatible("it was exported without its layout".to_owned()))?;
        if major(ours) != major(theirs) {
            return Err(Incompatible(format!(
                "it was built against plugin-api {theirs}, this host supports {ours}: \
                 build it against plugin-api {}",
                major(ours)
            )));
        }
        layout_differences::check(<PluginModuleRef as StableAbi>::LAYOUT, layout).map_err(
            |differences| {
                Incompatible(format!(
                    "it was built against a different plugin-api ({theirs} there, {ours} here):{differences}"
                ))
            },
        )?;
        // SAFETY: the layouts were found compatible above.
        unsafe { Self::from_header(header) }
    }

    /// Loads a plugin whose layout was compared before, with [`RustPlugin::from_symbol`].
    ///
    /// # Safety
    /// As for [`RustPlugin::from_symbol`], and that function has accepted this library.
    ///
    /// # Errors
    /// If the plugin cannot create its module.
    pub unsafe fn from_compatible_symbol(symbol: *const c_void) -> Result<Self, Incompatible> {
        // SAFETY: the caller promises it.
        unsafe { Self::from_header(header_of(symbol)?) }
    }

    /// # Safety
    /// The layout of the library is compatible with this one.
    unsafe fn from_header(header: &'static LibHeader) -> Result<Self, Incompatible> {
        // SAFETY: the layouts are compatible; fields that an older plugin lacks are guarded by
        // the accessors of the prefix type.
        let module = unsafe { header.unchecked_layout::<PluginModuleRef>() }
            .map_err(|error| Incompatible(format!("its module could not be created: {error}")))?;
        Ok(Self(module))
    }
}

/// What a library exports, if its version of `abi_stable` can be used.
///
/// # Safety
/// `symbol` is the address of [`SYMBOL`] in a library that stays loaded.
unsafe fn header_of(symbol: *const c_void) -> Result<&'static LibHeader, Incompatible> {
    // SAFETY: the symbol is the static that `export_agent!` creates, and the type is a
    // transparent reference to it; `upgrade` checks its magic number before reading anything
    // else.
    let header = unsafe { std::mem::transmute::<*const c_void, AbiHeaderRef>(symbol) };
    header.upgrade().map_err(|_| {
        Incompatible("it was built with an incompatible version of abi_stable".to_owned())
    })
}

fn major(version: &str) -> &str {
    version.split('.').next().unwrap_or(version)
}

impl LoadedPlugin for RustPlugin {
    fn info(&self) -> Result<String, Failure> {
        Ok(self.0.info()().into_result()?.into_string())
    }

    fn create(&self, params: &str, setup: &str) -> Result<Box<dyn LoadedAgent>, Failure> {
        let agent = self.0.create()(params.into(), setup.into()).into_result()?;
        Ok(Box::new(RustAgent(agent)))
    }

    fn call_extension(
        &self,
        name: &str,
        request: &str,
        mut send: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Result<String, Failure> {
        let sink = WireSink {
            context: (&raw mut send).cast(),
            send: forward,
        };
        let answer = self.0.call_extension()(name.into(), request.into(), sink);
        Ok(answer.into_result()?.into_string())
    }
}

/// Passes a message to the closure that was given to `call_extension`.
extern "C" fn forward(context: *mut (), message: RStr<'_>) -> u8 {
    // SAFETY: the context is the closure of the running `call_extension`, on whose
    // stack the plugin calls back, from the same thread.
    let send = unsafe { &mut *context.cast::<&mut dyn FnMut(&str) -> ControlFlow<()>>() };
    let stop = catch_unwind(AssertUnwindSafe(|| send(message.as_str()).is_break()));
    u8::from(stop.unwrap_or(true))
}

struct RustAgent(AgentObject);

impl LoadedAgent for RustAgent {
    fn choose(&mut self, board: &Board, turn: &Turn) -> Result<Answer, Failure> {
        let choice = self.0.choose(&board.into(), &turn.into()).into_result()?;
        Ok(Answer::from(&choice))
    }
}
