//! Agents that misbehave, time and sandbox: no agent gains anything by them.

/// Files that a plugin names and that lie beside it.
mod companion_files;

/// Shares of the machine: no agent gets more than its own, whatever it tries.
mod shares_of_the_machine;

/// What shows that a run can be believed: the control's twin, and the salt.
mod controls;

/// What one worker leaves for another to find: nothing.
mod covert_channels;

/// Every worker has one core, and the table of times says what it used.
mod equal_time;

/// Submissions whose files are the attack: each is left out alone.
mod hostile_files;

/// Programs that misbehave: each ends at most its own game, and the sentence says why.
mod hostile_programs;

/// Agents that misbehave: each ends at most its own game.
mod misbehaving_agents;

/// What others do to a run while it goes on: workers killed, plugins replaced.
mod outside_events;

/// The salt of a run: secret until the run has ended, and committed to from the start.
mod secret_salt;

/// Run folders of strangers: no link is followed, no path or setting in them is obeyed.
mod strangers_runs;

/// Texts of plugins: only text, in every format.
mod texts_of_plugins;

/// Names that plugins and submissions choose: shown as code or quoted.
mod names_of_plugins;

/// Words of plugins: quoted, after the host's own.
mod words_of_plugins;
mod words_of_strangers;

/// Words of plugins in a terminal: no line of theirs begins where the host's lines begin.
mod narrow_terminals;

/// What an agent cannot do in the sandbox, and can without it.
mod sandbox;

/// What the sandbox still does when one of its layers is missing.
mod missing_layers;

/// The room a worker lives in: what is in it, and its limits.
mod room;
