//! Answers one request.
use backtracking::solver::ExhaustiveSolver;
use plugin_api::{Side, solve::*};
use std::ops::ControlFlow;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let r = SolveRequest {
        size: Side::new(a[1].parse().unwrap()).unwrap(),
        goal: a[2].parse().unwrap(),
        list: a.get(3).is_some_and(|x| x == "list"),
        examples: 0,
        memory: a.get(4).map(|x| x.parse().unwrap()),
    };
    let t = std::time::Instant::now();
    let mut n = 0;
    let mut s = 0;
    let ans = ExhaustiveSolver
        .solve(&r, &mut |m| {
            match m {
                SolveMessage::Progress(p) => {
                    n += 1;
                    if n % 20 == 0 {
                        eprintln!("{p:?}")
                    }
                }
                SolveMessage::Solution(_) => s += 1,
            };
            ControlFlow::Continue(())
        })
        .unwrap();
    println!(
        "{} {} {:?} {:?}..{:?} short {:?} states {} {} {:?} sent {s} progress {n} {:?}",
        r.size,
        r.goal,
        ans.solutions,
        ans.min_moves,
        ans.max_moves,
        ans.shortest.map(|s| s.moves.len()),
        ans.states,
        ans.complete,
        ans.incomplete_because,
        t.elapsed()
    );
}
