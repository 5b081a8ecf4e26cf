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
///
/// ```
/// # use plugin_api::{Agent, Board, Choice, GameSetup, Info, NoParameters, Refusal, Turn};
/// # struct Mine;
/// # impl Agent for Mine {
/// #     const INFO: Info = Info::new("mine", "1.0.0");
/// #     type Params = NoParameters;
/// #     fn new(_params: NoParameters, _setup: &GameSetup) -> Result<Self, Refusal> { Ok(Mine) }
/// #     fn choose(&mut self, board: &Board, _turn: &Turn) -> Choice { board.legal_moves().next().unwrap().into() }
/// # }
/// let module = plugin_api::abi::exported::root_module::<Mine>();
/// let setup = GameSetup::new().to_json();
/// assert!(module.create()("{}".into(), setup.as_str().into()).is_ok());
/// assert!(module.create()(r#"{"depth": 3}"#.into(), setup.as_str().into()).is_err());
/// ```
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
///
/// ```
/// # use plugin_api::{Agent, Board, Choice, GameSetup, Info, NoParameters, Refusal, Turn};
/// # use plugin_api::wire::{WireBoard, WireTurn};
/// # use plugin_api::abi::WireAgent;
/// # struct Mine;
/// # impl Agent for Mine {
/// #     const INFO: Info = Info::new("mine", "1.0.0");
/// #     type Params = NoParameters;
/// #     fn new(_params: NoParameters, _setup: &GameSetup) -> Result<Self, Refusal> { Ok(Mine) }
/// #     fn choose(&mut self, board: &Board, _turn: &Turn) -> Choice { board.legal_moves().next().unwrap().into() }
/// # }
/// let module = plugin_api::abi::exported::root_module::<Mine>();
/// let setup = GameSetup::new().to_json();
/// let mut agent = module.create()("{}".into(), setup.as_str().into()).unwrap();
/// let board: Board = "2 2 / 0 0".parse().unwrap();
/// let choice = agent.choose(&WireBoard::from(&board), &WireTurn::from(&Turn::unlimited())).unwrap();
/// assert!(choice.direction < 4);
/// ```
#[sabi_trait]
pub trait WireAgent {
    /// Chooses a move.
    #[sabi(last_prefix_field)]
    fn choose(&mut self, board: &WireBoard, turn: &WireTurn) -> RResult<WireChoice, WireFailure>;
    // Methods of later minor versions go below this line, each with a default.
}

/// An agent, owned by the side that did not make it.
///
/// ```
/// # use plugin_api::{Agent, Board, Choice, GameSetup, Info, NoParameters, Refusal, Turn};
/// # struct Mine;
/// # impl Agent for Mine {
/// #     const INFO: Info = Info::new("mine", "1.0.0");
/// #     type Params = NoParameters;
/// #     fn new(_params: NoParameters, _setup: &GameSetup) -> Result<Self, Refusal> { Ok(Mine) }
/// #     fn choose(&mut self, board: &Board, _turn: &Turn) -> Choice { board.legal_moves().next().unwrap().into() }
/// # }
/// let module = plugin_api::abi::exported::root_module::<Mine>();
/// let setup = GameSetup::new().to_json();
/// let agent: plugin_api::abi::AgentObject = module.create()("{}".into(), setup.as_str().into()).unwrap();
/// drop(agent);
/// ```
pub type AgentObject = WireAgent_TO<'static, RBox<()>>;
