//! The claims, in the order in which they are tested.

use std::path::Path;

use super::{
    behaviour_claims as behaviour,
    candidate::Candidate,
    description_claims as description, loading_claims as loading, parameter_claims as parameter,
    playing_claims as playing, time_claims as time,
    verdict::{ClaimResult, ClaimVerdict},
};

/// A sentence that should be true of a plugin, and the test for it.
pub(super) struct PluginClaim {
    /// Identifies the claim for programs.
    pub(super) id: &'static str,
    /// The plugin is the subject of the sentence.
    pub(super) sentence: &'static str,
    /// The claim that must pass before this one makes sense.
    pub(super) needs: Option<&'static str>,
    pub(super) test: ClaimTest,
}

/// How a claim is tested.
#[derive(Clone, Copy)]
pub(super) enum ClaimTest {
    /// On the file, before the plugin has been loaded.
    File(fn(&Path) -> ClaimVerdict),
    /// On a plugin whose description is known.
    Plugin(fn(&Candidate<'_>) -> ClaimVerdict),
    /// On agents of a plugin whose description is known. A fault of the agent is a
    /// failure.
    Agent(fn(&Candidate<'_>) -> ClaimResult),
}

const LIBRARY: &str = "shared-library";
const DEPENDENCIES: &str = "dependencies";
const ABI: &str = "abi";
pub(super) const DESCRIPTION: &str = "description";
/// The claim about the name of the file.
pub(super) const FILE_NAME: &str = "file-name";
const BOARDS: &str = "boards";
const SCHEMA: &str = "schema";
const AGENT: &str = "makes-an-agent";
const FIRST_MOVE: &str = "first-move";
const LEGAL: &str = "thousand-positions";

const fn of_file(
    id: &'static str,
    needs: Option<&'static str>,
    sentence: &'static str,
    test: fn(&Path) -> ClaimVerdict,
) -> PluginClaim {
    PluginClaim {
        id,
        sentence,
        needs,
        test: ClaimTest::File(test),
    }
}

const fn of_plugin(
    id: &'static str,
    sentence: &'static str,
    test: fn(&Candidate<'_>) -> ClaimVerdict,
) -> PluginClaim {
    PluginClaim {
        id,
        sentence,
        needs: Some(DESCRIPTION),
        test: ClaimTest::Plugin(test),
    }
}

const fn of_agent(
    id: &'static str,
    needs: &'static str,
    sentence: &'static str,
    test: fn(&Candidate<'_>) -> ClaimResult,
) -> PluginClaim {
    PluginClaim {
        id,
        sentence,
        needs: Some(needs),
        test: ClaimTest::Agent(test),
    }
}

/// Claims that make no sense for a program, and why.
pub(super) const NOT_FOR_PROGRAMS: &[(&str, &str)] = &[
    ("agents-end", ONE_PROCESS_PER_GAME),
    (
        "no-output",
        "does not apply to a program, whose standard output is the protocol",
    ),
    ("two-agents", ONE_PROCESS_PER_GAME),
];
const ONE_PROCESS_PER_GAME: &str =
    "does not apply to a program, which has a process for every game";

pub(super) const CLAIMS: &[PluginClaim] = &[
    of_file(
        LIBRARY,
        None,
        "its file is a shared library or a program for this machine",
        loading::is_a_library,
    ),
    of_file(
        DEPENDENCIES,
        Some(LIBRARY),
        "the libraries it needs are installed on this machine in a suitable version",
        loading::finds_its_libraries,
    ),
    of_file(
        ABI,
        Some(DEPENDENCIES),
        "it is a plugin with an ABI and a version that this host supports",
        loading::uses_a_supported_abi,
    ),
    of_file(
        DESCRIPTION,
        Some(ABI),
        "it describes itself",
        loading::describes_itself,
    ),
    of_file(
        "loading-time",
        Some(DESCRIPTION),
        "it loads within 100 ms, or starts within 1 s of CPU time if it is a program",
        loading::loads_quickly,
    ),
    of_plugin(
        "information",
        "its description has a name, a version, an author and a summary",
        description::information_is_complete,
    ),
    of_plugin(
        FILE_NAME,
        "its name matches its file name",
        description::name_matches_the_file,
    ),
    of_plugin(
        "optimised",
        "it was built with optimisation",
        description::is_optimised,
    ),
    of_plugin(
        BOARDS,
        "the board sizes it supports are valid",
        description::boards_exist,
    ),
    of_plugin(
        SCHEMA,
        "the schema of its parameters has types, defaults and descriptions",
        description::schema_is_valid,
    ),
    of_agent(
        AGENT,
        BOARDS,
        "it creates an agent within 5 s of CPU time",
        playing::creates_an_agent,
    ),
    of_agent(
        "defaults",
        AGENT,
        "it accepts its own default parameters",
        parameter::accepts_its_defaults,
    ),
    of_agent(
        "unknown-parameter",
        AGENT,
        "it rejects unknown parameters",
        parameter::rejects_unknown_parameters,
    ),
    of_agent(
        "ill-typed-parameter",
        AGENT,
        "it rejects values of the wrong type",
        parameter::rejects_wrong_types,
    ),
    of_agent(
        "parameter-limits",
        AGENT,
        "it rejects values outside the limits of its parameters",
        parameter::rejects_values_beyond_limits,
    ),
    of_agent(
        "later-setup",
        AGENT,
        "it ignores unknown keys in a game's setup",
        playing::ignores_later_keys,
    ),
    of_agent(
        "agents-end",
        AGENT,
        "its agents can be destroyed and created again",
        behaviour::agents_can_be_destroyed,
    ),
    of_agent(
        FIRST_MOVE,
        AGENT,
        "it plays legal moves in its first turns",
        playing::answers_its_first_turns,
    ),
    of_agent(
        LEGAL,
        FIRST_MOVE,
        "it plays only legal moves in 1,000 positions",
        playing::plays_a_thousand_positions,
    ),
    of_agent(
        "whole-game",
        LEGAL,
        "it plays a game by the rules, up to move 1,000",
        playing::plays_a_game,
    ),
    of_agent(
        "board-sizes",
        LEGAL,
        "it plays on every board size that it supports",
        playing::plays_every_size,
    ),
    of_agent(
        "one-move-from-the-end",
        FIRST_MOVE,
        "it plays on boards one move from the end of the game",
        playing::plays_the_last_move,
    ),
    of_agent(
        "only-move",
        FIRST_MOVE,
        "it finds the only legal move",
        playing::finds_the_only_move,
    ),
    of_agent(
        "high-tiles",
        FIRST_MOVE,
        "it plays on boards with tiles 32768, 65536 and 131072",
        playing::plays_high_tiles,
    ),
    of_agent(
        "share-of-fours",
        LEGAL,
        "it plays with any probability of 4s",
        playing::plays_with_any_probability_of_fours,
    ),
    of_agent(
        "deterministic-tiles",
        LEGAL,
        "it plays with deterministic tiles",
        playing::plays_deterministic_tiles,
    ),
    of_agent(
        "goal-and-limit",
        LEGAL,
        "it plays games with a goal and a move limit",
        playing::plays_towards_a_goal,
    ),
    of_agent(
        "one-millisecond",
        LEGAL,
        "it keeps a budget of 1 ms of CPU time per move with a bank of 100 ms",
        time::keeps_one_millisecond,
    ),
    of_agent(
        "ten-milliseconds",
        LEGAL,
        "it keeps a budget of 10 ms of CPU time per move with a bank of 100 ms",
        time::keeps_ten_milliseconds,
    ),
    of_agent(
        "nodes",
        LEGAL,
        "it stays within a node budget",
        time::keeps_nodes,
    ),
    of_agent(
        "other-peoples-time",
        LEGAL,
        "it does not compute between turns",
        time::is_idle_between_turns,
    ),
    of_agent(
        "repeatable",
        LEGAL,
        "it repeats its game with the same seed when time is not limited",
        behaviour::repeats_its_play,
    ),
    of_agent(
        "no-output",
        LEGAL,
        "it prints nothing to stdout",
        behaviour::prints_nothing,
    ),
    of_agent(
        "threads",
        LEGAL,
        "it plays on one thread",
        behaviour::has_one_thread,
    ),
    of_agent(
        "memory",
        LEGAL,
        "its memory does not grow over a long game",
        behaviour::memory_does_not_grow,
    ),
    of_agent(
        "two-agents",
        LEGAL,
        "two of its agents can exist at once without affecting each other",
        behaviour::two_agents_coexist,
    ),
    of_agent(
        "thoughts",
        LEGAL,
        "its reported values, depths and nodes are plausible",
        behaviour::reported_values_are_plausible,
    ),
    of_plugin(
        "extensions",
        "it answers the extensions it declares, and no others",
        description::answers_its_extensions,
    ),
];
