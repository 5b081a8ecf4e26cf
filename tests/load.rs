//! Many agents and many games: the host stays small and leaves nothing behind.

use std::{fs, process::Child, thread, time::Duration};

use crate::{outside_events::children_of, support::TournamentTest};

/// What the host holds at one moment.
#[derive(Clone, Copy, Debug)]
struct Footprint {
    resident_kib: u64,
    n_descriptors: usize,
    n_children: usize,
    n_zombies: usize,
}

fn footprint(host: &Child) -> Option<Footprint> {
    let process = format!("/proc/{}", host.id());
    let status = fs::read_to_string(format!("{process}/status")).ok()?;
    let resident = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let children = children_of(host.id());
    let is_zombie = |child: &&i32| {
        let status = fs::read_to_string(format!("/proc/{child}/status"));
        status.is_ok_and(|status| status.contains("State:\tZ"))
    };
    Some(Footprint {
        resident_kib: resident.split_whitespace().next()?.parse().ok()?,
        n_descriptors: fs::read_dir(format!("{process}/fd")).ok()?.count(),
        n_children: children.len(),
        n_zombies: children.iter().filter(is_zombie).count(),
    })
}

#[test]
fn hundreds_of_games_leave_no_zombie_no_descriptor_and_no_memory() {
    let agents: Vec<String> = (1..=20)
        .map(|number| format!("- {{plugin: random, name: agent-{number}}}\n"))
        .collect();
    let yaml = format!("board: 2\nseeds: 1..40\nagents:\n{}", agents.concat());
    let test = TournamentTest::new(&yaml);
    let mut run = test.start(&[]);
    let mut seen = Vec::new();
    while run.try_wait().expect("the host can be asked").is_none() {
        if test.log().exists() {
            seen.extend(footprint(&run));
        }
        thread::sleep(Duration::from_millis(20));
    }
    run.wait_with_output().expect("the host ended");
    assert_eq!(test.records().len(), 800);
    assert!(seen.len() > 10, "only {} looks", seen.len());

    // The report at the end reads the whole log; before it, nothing grows.
    let playing = &seen[..seen.len() - 3];
    let early = playing[playing.len() / 4];
    let late = playing[playing.len() - 1];
    assert!(
        late.resident_kib < early.resident_kib + 2048,
        "{early:?} grew to {late:?}"
    );
    let most = |of: fn(&Footprint) -> usize| playing.iter().map(of).max().unwrap_or(0);
    let n_cores = thread::available_parallelism().map_or(1, usize::from);
    assert!(most(|f| f.n_children) <= n_cores, "{playing:?}");
    // Three pipes and `/proc/stat` a worker, and a dozen of the host's own.
    assert!(most(|f| f.n_descriptors) <= 5 * n_cores + 24, "{playing:?}");
    // A worker that has just ended is one for the moment it takes to reap it.
    let lasting = playing
        .windows(5)
        .any(|looks| looks.iter().all(|look| look.n_zombies >= n_cores));
    assert!(!lasting, "{playing:?}");
}
