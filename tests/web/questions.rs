//! Agents that are asked about positions of a game.

use std::sync::atomic::AtomicBool;

use play::player::{InProcessPlayer, Player};
use plugin_api::{
    Allowance, Direction, Game, GameSetup, Limit, Rules, Salt, Turn, agent_random_seed,
};
use serde_json::{Value, json};
use worker::PluginLibrary;

use crate::{
    support::{TournamentTest, patience::wait_until, processes::workers_of, program_folder},
    web::served_page::ServedPage,
};

const SEED: u64 = 7;
const NODES: u64 = 300;

/// The answers to a question, without the first and the last line.
fn answers(page: &ServedPage, question: &Value) -> Vec<Value> {
    let events = page.question(question).map(|(_, data)| data);
    events.filter(|data| data["kind"] == "answer").collect()
}

/// What a plugin says when it is called directly, without a worker or a server.
fn direct_evaluation(plugin: &str, name: &str, game: &Game) -> Value {
    let library = PluginLibrary::open(&program_folder().join(format!("lib{plugin}.so"))).unwrap();
    let allowance = Allowance::Nodes(NODES);
    let setup = GameSetup::new()
        .with_rules(Rules {
            max_moves: Some(60),
            ..Rules::default()
        })
        .with_limit(Limit::Nodes(NODES))
        .with_random_seed(agent_random_seed(&Salt::NONE, SEED, name));
    let stop = AtomicBool::new(false);
    let mut player =
        InProcessPlayer::start(library.plugin.as_ref(), "{}", &setup.to_json(), &stop).unwrap();
    let turn = Turn {
        move_number: game.n_moves() + 1,
        score: game.score(),
        allowance,
    };
    let (answer, _) = player.choose(game.board(), &turn).unwrap();
    let answer = answer.expect("no clock limits the agent");
    let direction = Direction::ALL[usize::from(answer.direction)];
    let values = answer
        .values
        .map(|value| value.is_finite().then_some(value));
    json!([direction.letter(), values, answer.nodes])
}

#[test]
fn an_agent_that_is_asked_says_what_its_plugin_says_within_its_budget() {
    let test = TournamentTest::new(
        "seeds: [7]\nmax_moves: 60\nbudget: {nodes: 300}\nagents: [{plugin: expectimax}, {plugin: greedy}]\n",
    );
    test.run(&[]).expect_code(0);
    let page = ServedPage::start(test.folder.path(), &[]);
    let records = test.records();
    let budget = json!({"nodes": NODES});
    let agents = json!([
        {"plugin": "expectimax", "budget": budget},
        {"plugin": "mcts", "budget": budget},
    ]);
    // On one position of the game that greedy played.
    let mut game = Game::start(Rules::default(), &Salt::NONE, SEED);
    let played: Vec<char> = records[1].moves.chars().collect();
    for letter in &played[..40] {
        game.play(Direction::from_letter(*letter).unwrap()).unwrap();
    }
    let question = json!({"game": {"run": "t", "game": 1}, "agents": agents, "from": 40, "to": 40});
    let mut said = answers(&page, &question);
    said.sort_by_key(|answer| answer["agent"].as_u64());
    assert_eq!(said.len(), 2);
    for (answer, plugin) in said.iter().zip(["expectimax", "mcts"]) {
        assert_eq!(answer["n"], 40);
        assert_eq!(answer["played"], json!(played[40]));
        let evaluation = &answer["evaluation"];
        let shown = json!([
            answer["direction"],
            evaluation["values"],
            evaluation["nodes"]
        ]);
        assert_eq!(shown, direct_evaluation(plugin, plugin, &game), "{plugin}");
        assert!(evaluation["nodes"].as_u64().unwrap() <= NODES, "{plugin}");
    }
    // The same position as the game of a person.
    let moves: String = played[..40].iter().collect();
    let own = json!({"seed": SEED, "size": 4, "four_share": 0.1, "moves": moves});
    let question = json!({"game": own, "agents": agents, "from": 40, "to": 40});
    let mut of_person = answers(&page, &question);
    of_person.sort_by_key(|answer| answer["agent"].as_u64());
    for (one, other) in of_person.iter().zip(&said) {
        assert_eq!(one["played"], Value::Null);
        assert_eq!(one["evaluation"]["values"], other["evaluation"]["values"]);
    }
    // Along its own game an agent agrees with every move.
    let agents = json!([{"plugin": "expectimax", "budget": budget}]);
    let question = json!({"game": {"run": "t", "game": 0}, "agents": agents, "from": 0, "to": 60});
    let said = answers(&page, &question);
    assert_eq!(
        said.len(),
        60,
        "the end of the game is no position to ask about"
    );
    for (answer, letter) in said.iter().zip(records[0].moves.chars()) {
        assert_eq!(answer["direction"], json!(letter), "{answer}");
    }

    // Mistakes are reported at their fields, of all agents at once.
    let agents = json!([
        {"plugin": "greedy"},
        {"plugin": "mcts", "params": {"runs": 0}, "budget": {"per_move": "31s"}},
        {"plugin": "nobody"},
    ]);
    let question = json!({"game": {"run": "t", "game": 1}, "agents": agents, "from": 0, "to": 0});
    let response = page.post("/api/questions", &question).json(422);
    let found = response["diagnostics"].as_array().unwrap().iter();
    let fields: Vec<&str> = found.map(|it| it["field"].as_str().unwrap()).collect();
    assert_eq!(
        fields,
        [
            "agents.1.budget.per_move",
            "agents.1.params.runs",
            "agents.2.plugin"
        ]
    );
}

#[test]
fn asked_agents_end_with_their_viewer_and_faults_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let page = ServedPage::start(folder.path(), &[]);
    let own = json!({"seed": 3, "size": 4, "four_share": 0.1, "moves": ""});
    // It burns for an hour on its first move.
    let slow = json!({"plugin": "scripted", "params": {"burn_us": 3_600_000_000_u64}});
    let question = |agents: Value| json!({"game": own, "agents": agents, "from": 0, "to": 0});
    let waiting = page.question(&question(json!([slow, slow, slow, slow])));
    let other = page.question(&question(json!([slow, slow, slow, slow])));
    wait_until("8 workers", || workers_of(page.pid()).len() == 8);
    let (_, message) = page
        .post("/api/questions", &question(json!([slow])))
        .diagnostic(503);
    assert!(message.contains("8 agents are playing"), "{message}");
    drop((waiting, other));
    wait_until("no workers", || workers_of(page.pid()).is_empty());

    let crash = json!({"plugin": "scripted", "params": {"misdeed": "segfault", "on_move": 1}});
    let said = page.question(&question(json!([crash, {"plugin": "greedy"}])));
    let said: Vec<Value> = said.map(|(_, data)| data).collect();
    let failed = said.iter().find(|data| data["kind"] == "failed").unwrap();
    assert_eq!(
        (&failed["agent"], &failed["ending"]),
        (&json!(0), &json!("crash"))
    );
    assert!(
        said.iter()
            .any(|data| data["kind"] == "answer" && data["agent"] == 1)
    );
}
