//! Races of simulated agents.

use super::*;
use crate::simulated_scores::generator;
use rand::Rng;

fn rule(max_seeds: u64, equal_within: Option<f64>) -> RaceRule {
    RaceRule {
        looks: looks(10, max_seeds),
        significance: 0.05,
        equal_within,
        has_goal: false,
    }
}

/// An agent with scores of `mean` and up to 1,000 more or less.
fn racer(mean: u64, n: usize, seed: u64) -> Racer {
    let mut random = generator(seed);
    let outcome = |seed: usize| GameOutcome {
        seed: seed as u64,
        score: mean - 1_000 + random.next_u64() % 2_001,
        moves_to_goal: None,
        is_cut: false,
    };
    Racer {
        outcomes: (0..n).map(outcome).collect(),
        out_after: None,
        follows: None,
    }
}

#[test]
fn looks_follow_after_a_tenth_part_more() {
    assert_eq!(looks(5, 14), [10, 11, 12, 13, 14]);
    assert_eq!(looks(50, 80), [50, 55, 60, 66, 72, 79, 80]);
    assert_eq!(looks(3, 7), [7]);
    assert_eq!(looks(1, u64::MAX).len(), 448);
}

#[test]
fn an_agent_stops_when_its_place_is_settled_and_the_others_go_on() {
    let racers = [
        racer(9_000, 200, 1),
        racer(3_000, 200, 2),
        racer(3_000, 200, 3),
    ];
    let race = Race::run(&racers, &rule(200, None));
    let best = race.stops[0].unwrap();
    assert!((10..40).contains(&best), "{best}");
    assert_eq!((race.stops[1], race.next_look), (None, None));
    assert_eq!(race.open().count(), 1);
    let decision = race.pair(0, 2).unwrap().decision.unwrap();
    assert_eq!(decision.kind, DecisionKind::FirstIsBetter);
}

#[test]
fn games_after_the_last_seed_of_an_agent_are_not_waited_for() {
    let mut racers = [
        racer(9_000, 200, 1),
        racer(3_000, 30, 2),
        racer(3_100, 30, 3),
    ];
    let all = Race::run(&racers, &rule(200, None));
    racers[0].outcomes.truncate(all.stops[0].unwrap());
    let some = Race::run(&racers, &rule(200, None));
    assert_eq!(all, some);
    assert_eq!(some.next_look, Some(33));
}

#[test]
fn equal_agents_are_called_equal_within_the_margin() {
    let racers = [racer(5_000, 400, 1), racer(5_000, 400, 2)];
    let race = Race::run(&racers, &rule(400, Some(0.05)));
    let decision = race.pairs[0].decision.unwrap();
    let DecisionKind::Equal { margin } = decision.kind else {
        panic!("{decision:?}");
    };
    assert!((245.0..256.0).contains(&margin), "{margin}");
    assert!(decision.seeds < 300, "{decision:?}");
    assert!(
        Race::run(&racers, &rule(400, None)).pairs[0]
            .decision
            .is_none()
    );
    let interval = race.interval(&race.pairs[0], &racers, Measure::Score, 0.05);
    assert!(interval.unwrap().contains(0.0));
}

/// Two agents are far ahead of two others on 40 seeds and then as far behind. Their equals keep
/// all of them in the race.
#[test]
fn a_decision_that_later_games_contradict_is_withdrawn() {
    let mut racers = [1, 2, 3, 4].map(|seed| racer(5_000, 200, seed));
    for outcomes in racers
        .iter_mut()
        .step_by(2)
        .map(|racer| &mut racer.outcomes)
    {
        for (seed, outcome) in outcomes.iter_mut().enumerate() {
            outcome.score = outcome.score + 2_000 - if seed < 40 { 0 } else { 4_000 };
        }
    }
    let until = |seeds: usize| {
        let cut = |racer: &Racer| Racer {
            outcomes: racer.outcomes[..seeds].to_vec(),
            ..racer.clone()
        };
        let racers: Vec<Racer> = racers.iter().map(cut).collect();
        Race::run(&racers, &rule(200, None))
    };
    let kind = |race: &Race| race.pair(0, 1).unwrap().decision.map(|d| d.kind);
    assert_eq!(kind(&until(40)), Some(DecisionKind::FirstIsBetter));
    let withdrawn = until(85);
    assert_eq!(kind(&withdrawn), None);
    assert!(withdrawn.pair(0, 1).unwrap().p_value > 0.05);
    assert_eq!(kind(&until(200)), Some(DecisionKind::SecondIsBetter));
}

#[test]
fn a_disqualified_agent_leaves_the_race() {
    let mut racers = [
        racer(5_000, 50, 1),
        racer(5_000, 50, 2),
        racer(100_000, 12, 3),
    ];
    racers[2].out_after = Some(12);
    let race = Race::run(&racers, &rule(50, None));
    assert_eq!(race.pairs.len(), 1);
    assert_eq!(race.next_look, None);
    let alone = Race::run(&racers[..1], &rule(50, None));
    assert_eq!((alone.stops[0], alone.next_look), (Some(10), None));
}

#[test]
fn with_a_goal_rates_decide_and_moves_where_they_are_equal() {
    let agent = |moves: u64, reached: usize| Racer {
        outcomes: (0..60)
            .map(|seed| GameOutcome {
                seed: seed as u64,
                score: 0,
                moves_to_goal: (seed % 10 < reached).then_some(moves + seed as u64 % 3),
                is_cut: false,
            })
            .collect(),
        out_after: None,
        follows: None,
    };
    let rule = RaceRule {
        has_goal: true,
        ..rule(60, None)
    };
    let kind = |racers: [Racer; 2]| {
        let race = Race::run(&racers, &rule);
        race.pairs[0].decision.map(|decision| decision.kind)
    };
    let often = kind([agent(900, 10), agent(900, 2)]);
    assert_eq!(often, Some(DecisionKind::FirstIsBetter));
    let quick = kind([agent(900, 10), agent(800, 10)]);
    assert_eq!(quick, Some(DecisionKind::SecondIsBetter));
    assert_eq!(kind([agent(900, 10), agent(900, 10)]), None);
}

#[test]
fn a_second_entry_plays_as_long_as_the_first_and_settles_nothing() {
    let mut racers = [
        racer(9_000, 200, 1),
        racer(3_000, 200, 2),
        racer(9_000, 200, 3),
    ];
    racers[2].follows = Some(0);
    let race = Race::run(&racers, &rule(200, None));
    assert_eq!(race.pairs.len(), 1);
    assert!(race.stops[0].is_some());
    assert_eq!(race.stops[2], race.stops[0]);
}

#[test]
fn faults_after_the_last_seed_of_an_agent_have_no_effect() {
    let mut racers = [
        racer(9_000, 200, 1),
        racer(3_000, 200, 2),
        racer(3_000, 200, 3),
    ];
    let before = Race::run(&racers, &rule(200, None));
    racers[0].out_after = before.stops[0].map(|stop| stop + 2);
    assert_eq!(Race::run(&racers, &rule(200, None)), before);
}
