//! `export_agent!`: the only glue code in a plugin.

/// Exports an [`Agent`](crate::Agent) as a plugin. Use it once in a crate of type
/// `cdylib`.
///
/// ```standalone_crate
/// use plugin_api::{Agent, Board, Choice, Direction, GameSetup, Info, NoParameters, Refusal, Turn};
///
/// struct Mine;
///
/// impl Agent for Mine {
///     const INFO: Info = Info::new("mine", "1.0.0");
///     type Params = NoParameters;
///     fn new(_params: NoParameters, _setup: &GameSetup) -> Result<Self, Refusal> {
///         Ok(Mine)
///     }
///     fn choose(&mut self, board: &Board, _turn: &Turn) -> Choice {
///         board.legal_moves().next().unwrap_or(Direction::Up).into()
///     }
/// }
///
/// plugin_api::export_agent!(Mine);
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! export_agent {
    ($agent:ty) => {
        const _: () = {
            use $crate::__private::{abi_stable::library, exported, module_ref::PluginModuleRef};

            extern "C" fn root_module() -> library::RootModuleResult {
                library::__call_root_module_loader(exported::root_module::<$agent>)
            }

            // `plugin_api::abi` checks that the name equals abi_stable's own.
            #[allow(unsafe_code, reason = "a symbol with a fixed name is exported")]
            #[unsafe(export_name = "_1as_0lib_1header_0root_bmodule_bloader")]
            static HEADER: library::LibHeader = {
                // SAFETY: the constructor returns a module of the named type.
                unsafe {
                    library::LibHeader::from_constructor::<PluginModuleRef>(
                        root_module,
                        library::CheckTypeLayout::Yes,
                    )
                }
            };
        };
    };
}
