//! The types that `abi_stable` checks and grows: the root module and the agent.
//!
//! They stand in a file of their own because the derives' code does not meet the
//! lints that hold everywhere else.
#![expect(
    non_local_definitions,
    clippy::expl_impl_clone_on_copy,
    clippy::must_use_candidate,
    clippy::used_underscore_binding,
    reason = "in the code that abi_stable 0.11 generates"
)]

use abi_stable::{
    StableAbi, declare_root_module_statics,
    library::RootModule,
    package_version_strings, sabi_trait,
    sabi_types::VersionStrings,
    std_types::{RBox, RResult, RStr, RString},
};

use super::{WireFailure, WireSink};
use crate::wire::{WireBoard, WireChoice, WireTurn};

/// What a plugin exports.
#[repr(C)]
#[derive(StableAbi)]
#[sabi(kind(Prefix(prefix_ref = PluginModuleRef)))]
#[sabi(missing_field(panic))]
pub struct PluginModule {
    /// What the plugin says of itself, as JSON.
    pub info: extern "C" fn() -> RResult<RString, WireFailure>,
    /// Makes an agent from the JSON of its parameters and of its game.
    pub create:
        extern "C" fn(params: RStr<'_>, setup: RStr<'_>) -> RResult<AgentObject, WireFailure>,
    /// Lets the extension of this name answer a request.
    #[sabi(last_prefix_field)]
    pub call_extension: extern "C" fn(
        name: RStr<'_>,
        request: RStr<'_>,
        sink: WireSink,
    ) -> RResult<RString, WireFailure>,
    // Fields of later minor versions go below this line.
}

impl RootModule for PluginModuleRef {
    declare_root_module_statics! {PluginModuleRef}
    const BASE_NAME: &'static str = "agent2048";
    const NAME: &'static str = "agent2048";
    const VERSION_STRINGS: VersionStrings = package_version_strings!();
}

/// An agent behind the border.
#[sabi_trait]
pub trait WireAgent {
    /// Chooses a move.
    #[sabi(last_prefix_field)]
    fn choose(&mut self, board: &WireBoard, turn: &WireTurn) -> RResult<WireChoice, WireFailure>;
    // Methods of later minor versions go below this line, each with a default.
}

/// An agent, owned by the side that did not make it.
pub type AgentObject = WireAgent_TO<'static, RBox<()>>;
