//! The claims, in the order in which they are tried.

use std::path::Path;

use super::{
    behaviour_claims as behaviour, candidate::Candidate, description_claims as description,
    extension_claims as extension, loading_claims as loading, parameter_claims as parameter,
    playing_claims as playing, time_claims as time, verdict::Verdict,
};
use crate::player::PlayerError;

/// A sentence that should hold for a plugin, and how to find out.
pub(super) struct Claim {
    /// Names the claim for programs.
    pub(super) id: &'static str,
    /// The plugin is its subject.
    pub(super) sentence: &'static str,
    /// The claim that has to hold before this one makes sense.
    pub(super) needs: Option<&'static str>,
    pub(super) test: Test,
}

/// How a claim is tried.
#[derive(Clone, Copy)]
pub(super) enum Test {
    /// On the file, before anything is known of the plugin.
    File(fn(&Path) -> Verdict),
    /// On a plugin that has described itself.
    Plugin(fn(&Candidate<'_>) -> Verdict),
    /// On agents of a plugin that has described itself. A fault of the agent is a verdict.
    Agent(fn(&Candidate<'_>) -> Result<Verdict, PlayerError>),
}

const LIBRARY: &str = "shared-library";
const DEPENDENCIES: &str = "dependencies";
const ABI: &str = "abi";
pub(super) const DESCRIPTION: &str = "description";
const BOARDS: &str = "boards";
const SCHEMA: &str = "schema";
const AGENT: &str = "makes-an-agent";
const FIRST_MOVE: &str = "first-move";
const LEGAL: &str = "thousand-positions";

const fn of_file(
    id: &'static str,
    needs: Option<&'static str>,
    sentence: &'static str,
    test: fn(&Path) -> Verdict,
) -> Claim {
    Claim {
        id,
        sentence,
        needs,
        test: Test::File(test),
    }
}

const fn of_plugin(
    id: &'static str,
    sentence: &'static str,
    test: fn(&Candidate<'_>) -> Verdict,
) -> Claim {
    Claim {
        id,
        sentence,
        needs: Some(DESCRIPTION),
        test: Test::Plugin(test),
    }
}

const fn of_agent(
    id: &'static str,
    needs: &'static str,
    sentence: &'static str,
    test: fn(&Candidate<'_>) -> Result<Verdict, PlayerError>,
) -> Claim {
    Claim {
        id,
        sentence,
        needs: Some(needs),
        test: Test::Agent(test),
    }
}

pub(super) const CLAIMS: &[Claim] = &[
    of_file(
        LIBRARY,
        None,
        "its file is a shared library for this machine",
        loading::is_a_library,
    ),
    of_file(
        DEPENDENCIES,
        Some(LIBRARY),
        "the libraries it needs are on this machine, and not too old",
        loading::finds_its_libraries,
    ),
    of_file(
        ABI,
        Some(DEPENDENCIES),
        "it is a plugin of an ABI and a version that this host speaks",
        loading::speaks_the_abi,
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
        "it loads within 100 ms",
        loading::loads_quickly,
    ),
    of_plugin(
        "information",
        "it says its name, version, author and how it plays",
        description::information_is_complete,
    ),
    of_plugin(
        "file-name",
        "its name is that of its file",
        description::name_is_that_of_the_file,
    ),
    of_plugin(
        BOARDS,
        "the boards it says it plays exist",
        description::boards_exist,
    ),
    of_plugin(
        SCHEMA,
        "the schema of its parameters has types, defaults and help",
        description::schema_is_valid,
    ),
    of_agent(
        AGENT,
        BOARDS,
        "it makes an agent within 10 s of CPU",
        playing::makes_an_agent,
    ),
    of_agent(
        "defaults",
        AGENT,
        "it accepts the defaults of its own parameters",
        parameter::accepts_its_defaults,
    ),
    of_agent(
        "unknown-parameter",
        AGENT,
        "a parameter it does not have is refused",
        parameter::refuses_unknown_parameters,
    ),
    of_agent(
        "ill-typed-parameter",
        AGENT,
        "values of another type are refused",
        parameter::refuses_other_types,
    ),
    of_agent(
        "parameter-limits",
        AGENT,
        "values beyond the limits of its parameters are refused",
        parameter::refuses_beyond_limits,
    ),
    of_agent(
        "later-setup",
        AGENT,
        "it ignores what a later version may add to a game's setup",
        playing::ignores_later_keys,
    ),
    of_agent(
        "agents-end",
        AGENT,
        "its agents can be ended and made anew",
        behaviour::agents_can_be_ended,
    ),
    of_agent(
        FIRST_MOVE,
        AGENT,
        "it answers its first turn with a legal move",
        playing::answers_its_first_turn,
    ),
    of_agent(
        LEGAL,
        FIRST_MOVE,
        "it chooses no illegal move in 1,000 positions",
        playing::plays_a_thousand_positions,
    ),
    of_agent(
        "whole-game",
        LEGAL,
        "it plays a game by the rules",
        playing::plays_a_game,
    ),
    of_agent(
        "board-sizes",
        LEGAL,
        "it plays every size of board that it says it plays",
        playing::plays_every_size,
    ),
    of_agent(
        "one-move-from-the-end",
        FIRST_MOVE,
        "it plays boards one move from the end of the game",
        playing::plays_the_last_move,
    ),
    of_agent(
        "only-move",
        FIRST_MOVE,
        "it finds the move where only one is legal",
        playing::finds_the_only_move,
    ),
    of_agent(
        "high-tiles",
        FIRST_MOVE,
        "it plays boards with 32768, 65536 and 131072",
        playing::plays_high_tiles,
    ),
    of_agent(
        "share-of-fours",
        LEGAL,
        "it plays with any share of 4s",
        playing::plays_other_shares_of_fours,
    ),
    of_agent(
        "deterministic-tiles",
        LEGAL,
        "it plays where the new tile is no secret",
        playing::plays_deterministic_tiles,
    ),
    of_agent(
        "goal-and-limit",
        LEGAL,
        "it plays games with a goal and a limit of moves",
        playing::plays_towards_a_goal,
    ),
    of_agent(
        "one-millisecond",
        LEGAL,
        "it keeps within 1 ms of CPU a move",
        time::keeps_one_millisecond,
    ),
    of_agent(
        "ten-milliseconds",
        LEGAL,
        "it keeps within 10 ms of CPU a move",
        time::keeps_ten_milliseconds,
    ),
    of_agent(
        "nodes",
        LEGAL,
        "it keeps within a budget of nodes",
        time::keeps_nodes,
    ),
    of_agent(
        "other-peoples-time",
        LEGAL,
        "it computes nothing while nobody asks it",
        time::rests_between_turns,
    ),
    of_agent(
        "repeatable",
        LEGAL,
        "it plays the same game again from the same seed, without a clock",
        behaviour::plays_the_same_again,
    ),
    of_agent(
        "no-output",
        LEGAL,
        "it prints nothing to the standard output",
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
        behaviour::keeps_its_memory,
    ),
    of_agent(
        "two-agents",
        LEGAL,
        "two of its agents can live at once and do not disturb each other",
        behaviour::two_agents_live_at_once,
    ),
    of_agent(
        "thoughts",
        LEGAL,
        "what it says it thought makes sense",
        behaviour::thoughts_make_sense,
    ),
    of_plugin(
        "extensions",
        "it answers the extensions it names, and no others",
        extension::answers_its_extensions,
    ),
];
