//! The boundary between host and plugin, as the host sees it: two ABIs behind one interface.
//!
//! [`abi`] loads plugins written in Rust, [`c_abi`] those written in C. Both produce a
//! [`loaded_plugin::LoadedPlugin`], and both pass boards and turns in the layouts of [`wire`].

pub mod abi;
pub mod c_abi;
pub(crate) mod loaded_plugin;
pub mod wire;
