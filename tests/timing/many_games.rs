//! Many agents and many games: the host stays small and leaks nothing.

use std::{fs, path::Path, process::Child, thread, time::Duration};

use crate::support::{TournamentTest, processes::workers_of};

/// The resources of the host at one moment.
#[derive(Debug)]
struct Footprint {
    resident_kib: u64,
    n_descriptors: usize,
    n_children: usize,
    zombies: Vec<i32>,
    n_records: usize,
}

fn footprint(host: &Child, log: &Path) -> Option<Footprint> {
    // Read first: what is seen afterwards belongs to this game or to a later one.
    let n_records = fs::read_to_string(log).ok()?.lines().count();
    let process = format!("/proc/{}", host.id());
    let status = fs::read_to_string(format!("{process}/status")).ok()?;
    let resident = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let children = workers_of(host.id());
    let is_zombie = |child: &&i32| {
        let status = fs::read_to_string(format!("/proc/{child}/status"));
        status.is_ok_and(|status| status.contains("State:\tZ"))
    };
    Some(Footprint {
        resident_kib: resident.split_whitespace().next()?.parse().ok()?,
        n_descriptors: fs::read_dir(format!("{process}/fd")).ok()?.count(),
        n_children: children.len(),
        zombies: children.iter().filter(is_zombie).copied().collect(),
        n_records,
    })
}

#[test]
fn hundreds_of_games_leak_no_process_descriptor_or_memory() {
    let agents: Vec<String> = (1..=20)
        .map(|number| format!("- {{plugin: random, name: agent-{number}}}\n"))
        .collect();
    let yaml = format!("board: 2\nseeds: 1..40\nagents:\n{}", agents.concat());
    let test = TournamentTest::new(&yaml);
    let mut run = test.start(&[]);
    let mut seen = Vec::new();
    while run.try_wait().expect("the host can be asked").is_none() {
        seen.extend(footprint(&run, &test.log()));
        thread::sleep(Duration::from_millis(10));
    }
    run.wait_with_output().expect("the host ended");
    assert_eq!(test.records().len(), 800);
    assert!(seen.len() > 10, "only {} samples", seen.len());

    // The report at the end reads the whole log; before it, nothing grows.
    let n_playing = seen.partition_point(|look| look.n_records < 780);
    let playing = &seen[..n_playing];
    let early = &playing[playing.len() / 4];
    let late = &playing[playing.len() - 1];
    assert!(
        late.resident_kib < early.resident_kib + 2048,
        "{early:?} grew to {late:?}"
    );
    let most = |of: fn(&Footprint) -> usize| playing.iter().map(of).max().unwrap_or(0);
    let n_cores = thread::available_parallelism().map_or(1, usize::from);
    assert!(most(|f| f.n_children) <= n_cores, "{playing:?}");
    // Three pipes and `/proc/stat` per worker, and a dozen of the host's own.
    assert!(most(|f| f.n_descriptors) <= 5 * n_cores + 24, "{playing:?}");
    // A worker that has ended is a zombie until it is reaped, before its thread plays
    // another game.
    for (index, look) in playing.iter().enumerate() {
        let much_later = playing[index..]
            .iter()
            .find(|later| later.n_records > look.n_records + 10 * n_cores);
        let lasting = |later: &Footprint| look.zombies.iter().any(|it| later.zombies.contains(it));
        assert!(!much_later.is_some_and(lasting), "{playing:?}");
    }
}
