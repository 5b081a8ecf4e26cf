//! The time of a game: what an agent may use, how long the host waits, and what it charges.
//!
//! On every turn, in this order: the [`Bank`] says what the agent has left. [`TurnClock::start`]
//! reads the clocks and says how long the host waits. If the worker uses all of that up, the host
//! credits what the hypervisor took ([`StolenTime`]). [`TurnClock::stop`] charges what the worker
//! used, minus its own part of the turn ([`EmptyTurn`]), and the bank pays. What an agent sleeps
//! costs no CPU time; a [`SleepAccount`] limits it over the whole game.

#[cfg(test)]
mod tests;

use std::{
    fs::File,
    os::unix::fs::FileExt,
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use plugin_api::{Allowance, Clock, Turn};

use tournament::{Budget, BudgetLimit, Overrun};
use worker::{NoAnswer, Now, Patience, Worker};

/// What a turn took, as the host has measured it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TurnTimes {
    pub cpu: Duration,
    pub wall: Duration,
    /// What the hypervisor took of `cpu`, as far as that is known.
    pub stolen: Duration,
}

impl TurnTimes {
    /// What the turn takes from the bank.
    #[must_use]
    pub fn charged(self, clock: Clock) -> Duration {
        match clock {
            Clock::Cpu => self.cpu.saturating_sub(self.stolen),
            Clock::Wall => self.wall,
        }
    }
}

/// What an agent has saved: the caller says what a turn used, and a bank never reads a clock.
///
/// Every turn brings an increment and takes what was used; what is left is saved, up to the
/// bank's size. So all agents have the same total, at most moves × increment + size; one pause
/// of the machine does not end a game, and an agent can save time for hard moves.
#[derive(Clone, Debug)]
pub struct Bank {
    increment: Duration,
    size: Duration,
    saved: Duration,
    n_overruns: u64,
    overdrawn: Duration,
}

/// Whether a turn's time was there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payment {
    Covered,
    /// It was not, by this much.
    Overdrawn(Duration),
}

impl Bank {
    /// A full bank.
    #[must_use]
    pub fn new(increment: Duration, size: Duration) -> Self {
        Self {
            increment,
            size,
            saved: size,
            n_overruns: 0,
            overdrawn: Duration::ZERO,
        }
    }

    #[must_use]
    pub fn increment(&self) -> Duration {
        self.increment
    }

    /// What may be used on top of the increment.
    #[must_use]
    pub fn saved(&self) -> Duration {
        self.saved
    }

    /// Turns that were not covered.
    #[must_use]
    pub fn n_overruns(&self) -> u64 {
        self.n_overruns
    }

    /// What was not covered, all turns together.
    #[must_use]
    pub fn overdrawn(&self) -> Duration {
        self.overdrawn
    }

    /// Takes a turn's increment and what was used on it.
    pub fn pay(&mut self, used: Duration) -> Payment {
        let available = self.saved.saturating_add(self.increment);
        if let Some(missing) = used
            .checked_sub(available)
            .filter(|missing| !missing.is_zero())
        {
            self.saved = Duration::ZERO;
            self.n_overruns += 1;
            self.overdrawn += missing;
            return Payment::Overdrawn(missing);
        }
        self.saved = available.saturating_sub(used).min(self.size);
        Payment::Covered
    }
}

/// A turn that takes so much more than its income may have lost time to the hypervisor.
const HICCUP: Duration = Duration::from_millis(5);

/// Times the turns of one agent in a worker, by readings of the host alone.
///
/// A turn costs what the worker's CPU clock shows when the answer has come, minus what it
/// showed when the last answer had come, minus the cost of an empty turn. No CPU time falls
/// between two turns: an agent that keeps computing after its answer is charged on the next
/// turn.
pub(super) struct TurnClock {
    budget: Budget,
    empty: EmptyTurn,
    stolen_time: StolenTime,
    sleep: SleepAccount,
    /// The worker's CPU clock at the last answer.
    last_cpu: Duration,
    asked: Instant,
    /// What a turn adds to the bank, where CPU time is what counts.
    income: Option<Duration>,
    /// Of this turn, so far.
    stolen: Duration,
    now: Now,
}

impl TurnClock {
    /// For a worker that is bound to a core.
    pub(super) fn new(budget: &Budget, empty: EmptyTurn, core: Option<usize>) -> Self {
        let now: Now = Instant::now;
        Self::on_clock(now, budget, empty, StolenTime::of_core(core, now))
    }

    /// With instants from this clock.
    fn on_clock(now: Now, budget: &Budget, empty: EmptyTurn, stolen_time: StolenTime) -> Self {
        Self {
            budget: *budget,
            empty,
            stolen_time,
            sleep: SleepAccount::new(budget),
            last_cpu: Duration::ZERO,
            asked: now(),
            income: None,
            stolen: Duration::ZERO,
            now,
        }
    }

    /// Charges nothing for what the worker's CPU clock shows so far.
    pub(super) fn reset(&mut self, cpu: Duration) {
        self.last_cpu = cpu;
        self.stolen_time.forget();
    }

    /// Begins a turn, and returns what the worker may use before the host waits no longer.
    pub(super) fn start(&mut self, turn: &Turn) -> Patience {
        self.income = match turn.allowance {
            Allowance::Time {
                clock: Clock::Cpu,
                income,
                ..
            } => Some(income),
            _ => None,
        };
        if self.income.is_some() {
            self.stolen_time.renew_if_old(self.last_cpu);
        }
        self.stolen = Duration::ZERO;
        self.asked = (self.now)();
        self.patience(turn)
    }

    fn patience(&self, turn: &Turn) -> Patience {
        let (cpu, wall) = match (turn.allowance, self.budget.overrun) {
            (
                Allowance::Time {
                    clock,
                    income,
                    bank,
                    ..
                },
                Overrun::EndGame,
            ) => match clock {
                Clock::Cpu => (income + bank + self.empty.cpu, None),
                Clock::Wall => (self.budget.hang, Some(income + bank + self.empty.wall)),
            },
            _ => (self.budget.hang, None),
        };
        let sleep = match wall {
            // An agent that sleeps pays for it with the time that is limited.
            Some(wall) => wall,
            None => self.sleep.available(),
        };
        let patience = Patience::on_clock(self.now, self.last_cpu, cpu, sleep);
        match wall {
            Some(wall) => patience.within_wall_time(wall),
            None if self.sleep.is_suspicious() => patience.looking_closely(),
            None => patience,
        }
    }

    /// What of this turn was stolen since the last look, if it took suspiciously long.
    pub(super) fn credit(&mut self, cpu: Duration) -> Duration {
        let Some(income) = self.income else {
            return Duration::ZERO;
        };
        let used = cpu.saturating_sub(self.last_cpu);
        let excess = used.saturating_sub(income + self.stolen);
        if excess < HICCUP {
            return Duration::ZERO;
        }
        let credit = self.stolen_time.since_last_reading(cpu).min(excess);
        self.stolen += credit;
        credit
    }

    /// Ends the turn with a reading of the worker's CPU clock.
    pub(super) fn stop(&mut self, cpu: Duration) -> TurnTimes {
        let wall = (self.now)().saturating_duration_since(self.asked);
        self.credit(cpu);
        let used = cpu.saturating_sub(self.last_cpu);
        self.last_cpu = cpu;
        TurnTimes {
            cpu: used.saturating_sub(self.empty.cpu),
            wall: wall.saturating_sub(self.empty.wall),
            stolen: self.stolen,
        }
    }

    /// Charges an answered turn for its sleep.
    pub(super) fn pay_sleep(&mut self, patience: &Patience, times: TurnTimes) {
        let unexplained = times.wall.saturating_sub(times.cpu);
        self.sleep.pay(patience.slept(), unexplained);
    }
}

/// How long an agent may sleep, over a whole game.
///
/// Sleeping takes no CPU time, but it makes a run long. On every turn an agent may sleep as long
/// as it may think, plus an allowance for the whole game. The host rarely looks at the worker, so
/// at first it misses naps between two looks: they show as wall time that no CPU time explains.
/// When there is more of that than the agent may sleep, the host looks often enough to see naps,
/// and to distinguish them from waiting for a core.
struct SleepAccount {
    seen: Bank,
    unexplained: Bank,
    is_suspicious: bool,
}

impl SleepAccount {
    fn new(budget: &Budget) -> Self {
        let per_turn = match budget.limit {
            BudgetLimit::Time { per_move } => per_move,
            BudgetLimit::Nodes(_) | BudgetLimit::None => Duration::ZERO,
        };
        let bank = Bank::new(per_turn, budget.sleep_limit());
        Self {
            seen: bank.clone(),
            unexplained: bank,
            is_suspicious: false,
        }
    }

    /// How long the agent may sleep on its next turn.
    fn available(&self) -> Duration {
        self.seen.saved() + self.seen.increment()
    }

    /// Whether the host has to look at the worker closely.
    fn is_suspicious(&self) -> bool {
        self.is_suspicious
    }

    /// Takes a turn: how long the host saw the worker asleep, and how much wall time no CPU time
    /// explains.
    fn pay(&mut self, slept: Duration, unexplained: Duration) {
        self.seen.pay(slept);
        if self.unexplained.pay(unexplained) != Payment::Covered {
            self.is_suspicious = true;
        }
    }
}

/// How many empty turns the host measures, after the first ones.
const N_MEASURED: usize = 32;
/// The first turns fill caches.
const N_WARM_UP: usize = 4;
/// How many workers a host measures before it measures others only now and then.
const N_ALWAYS_MEASURED: u64 = 16;
/// Of the others, the host measures one in this many.
const MEASURED_EVERY: u64 = 16;
/// How long the worker may take for all of them. It runs the host's own code.
const EMPTY_TURNS_LIMIT: Duration = Duration::from_secs(10);

/// The least medians so far, in nanoseconds.
static LEAST_CPU: AtomicU64 = AtomicU64::new(u64::MAX);
static LEAST_WALL: AtomicU64 = AtomicU64::new(u64::MAX);
/// Workers so far.
static N_WORKERS: AtomicU64 = AtomicU64::new(0);

/// What a turn takes on both clocks when no agent thinks: the worker's own part of it.
///
/// The host reads the worker's CPU clock from outside, so the reading contains what the worker
/// does to take a turn and to send the answer. The host measures that part in the same process
/// and by the same reading, before the worker opens the plugin: nothing that an agent does can
/// make it look larger. It is the median of a few dozen empty turns, and the least median that
/// this host has seen counts for all workers. So a disturbance that makes empty turns expensive
/// gives no agent more time than others, and the error that is left is the same for all of them.
/// A host measures all of its first workers, and later ones now and then: measuring costs as
/// much as a short game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EmptyTurn {
    pub(super) cpu: Duration,
    pub(super) wall: Duration,
}

impl EmptyTurn {
    /// The cost for a worker that has not opened its plugin yet, measured if it is its turn.
    ///
    /// # Errors
    /// When the worker does not answer.
    pub(super) fn of(worker: &mut Worker<'_>) -> Result<Self, NoAnswer> {
        let number = N_WORKERS.fetch_add(1, Ordering::Relaxed);
        let is_measured = number < N_ALWAYS_MEASURED || number.is_multiple_of(MEASURED_EVERY);
        match Self::least_so_far() {
            Some(known) if !is_measured => Ok(known),
            _ => Self::measure(worker),
        }
    }

    /// The least cost with other workers, if the host has measured any.
    fn least_so_far() -> Option<Self> {
        let known = |so_far: &AtomicU64| {
            let nanoseconds = so_far.load(Ordering::Relaxed);
            (nanoseconds < u64::MAX).then(|| Duration::from_nanos(nanoseconds))
        };
        Some(Self {
            cpu: known(&LEAST_CPU)?,
            wall: known(&LEAST_WALL)?,
        })
    }

    fn measure(worker: &mut Worker<'_>) -> Result<Self, NoAnswer> {
        let mut last_cpu = worker.cpu_time();
        let mut patience = Patience::new(last_cpu, EMPTY_TURNS_LIMIT, EMPTY_TURNS_LIMIT);
        let mut costs = Vec::new();
        for _ in 0..N_WARM_UP + N_MEASURED {
            let asked = Instant::now();
            worker.empty_turn(&mut patience)?;
            let (wall, cpu) = (asked.elapsed(), worker.cpu_time());
            costs.push((cpu.saturating_sub(last_cpu), wall));
            last_cpu = cpu;
        }
        let costs = costs.split_off(N_WARM_UP);
        let (cpu, wall): (Vec<_>, Vec<_>) = costs.into_iter().unzip();
        Ok(Self {
            cpu: least(&LEAST_CPU, median(cpu)),
            wall: least(&LEAST_WALL, median(wall)),
        })
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// The lesser of a value and of all values before it.
fn least(so_far: &AtomicU64, value: Duration) -> Duration {
    let nanoseconds = u64::try_from(value.as_nanos()).unwrap_or(u64::MAX);
    let before = so_far.fetch_min(nanoseconds, Ordering::Relaxed);
    Duration::from_nanos(before.min(nanoseconds))
}

/// The kernel's unit in `/proc/stat`, the same on all of its machines.
const TICK: Duration = Duration::from_millis(10);
/// How old a reading may be: little of an interval should lie before the turn.
const OLDEST_READING: Duration = Duration::from_millis(50);

/// The CPU time that a hypervisor took from one core.
///
/// On some virtual machines the CPU clock of a process goes on while the hypervisor lets
/// another machine use the core: an agent that stops after a millisecond may be charged for
/// half a second it never had. The kernel counts such time per core, as "steal".
///
/// Over the same interval, let W be the wall time, S the time stolen from the core and C
/// what the worker's CPU clock shows. A worker on one core cannot have used more than
/// W − S. So C − (W − S), if that is positive, is stolen time that the clock contains, and
/// just that is credited. A sleeper gets nothing, because W grows while it sleeps; and where
/// the kernel keeps stolen time out of the CPU clock, nothing is left to credit.
///
/// Reading the counter costs more than a fast turn. So the host reads it before the first turn,
/// then now and then, and otherwise only after a turn that took too long.
struct StolenTime {
    /// The core that is watched.
    core: Option<usize>,
    /// `/proc/stat`, from the first reading on: without a budget in CPU time there is none.
    stat: Option<Box<dyn FileExt + Send>>,
    /// `None` before the first turn.
    last: Option<Readings>,
    now: Now,
}

/// What three clocks show at a moment.
#[derive(Clone, Copy, Debug)]
struct Readings {
    at: Instant,
    /// Of the worker.
    cpu: Duration,
    /// From the core.
    stolen: Duration,
}

impl StolenTime {
    /// Watches a core, for a worker that is bound to it. Without a core, nothing is ever
    /// stolen.
    fn of_core(core: Option<usize>, now: Now) -> Self {
        Self {
            core,
            stat: None,
            last: None,
            now,
        }
    }

    /// Reads this instead of `/proc/stat`.
    #[cfg(test)]
    fn reading(self, stat: impl FileExt + Send + 'static) -> Self {
        Self {
            stat: Some(Box::new(stat)),
            ..self
        }
    }

    /// Begins anew with the next turn.
    fn forget(&mut self) {
        self.last = None;
    }

    /// To be called before every turn, with the worker's CPU clock.
    fn renew_if_old(&mut self, cpu: Duration) {
        let is_old = |last: Readings| (self.now)().duration_since(last.at) > OLDEST_READING;
        if self.core.is_some() && self.last.is_none_or(is_old) {
            self.since_last_reading(cpu);
        }
    }

    /// What was stolen since the last reading and is in the worker's CPU time.
    fn since_last_reading(&mut self, cpu: Duration) -> Duration {
        let now = Readings {
            at: (self.now)(),
            cpu,
            stolen: self
                .read()
                .or(self.last.map(|last| last.stolen))
                .unwrap_or(Duration::ZERO),
        };
        match self.last.replace(now) {
            None => Duration::ZERO,
            Some(last) => credit(
                now.at.duration_since(last.at),
                now.stolen.saturating_sub(last.stolen),
                now.cpu.saturating_sub(last.cpu),
            ),
        }
    }

    fn read(&mut self) -> Option<Duration> {
        let line_start = format!("cpu{} ", self.core?);
        let stat = match &self.stat {
            Some(stat) => stat,
            None => self.stat.insert(Box::new(File::open("/proc/stat").ok()?)),
        };
        let mut text = vec![0; 1 << 14];
        let length = stat.read_at(&mut text, 0).ok()?;
        stolen_in(&String::from_utf8_lossy(&text[..length]), &line_start)
    }
}

/// How much of the CPU time can only be stolen time.
fn credit(wall: Duration, stolen: Duration, cpu: Duration) -> Duration {
    cpu.saturating_sub(wall.saturating_sub(stolen)).min(stolen)
}

/// The eighth number of the core's line.
fn stolen_in(stat: &str, line_start: &str) -> Option<Duration> {
    let line = stat
        .lines()
        .find_map(|line| line.strip_prefix(line_start))?;
    let ticks = line.split_whitespace().nth(7)?.parse().ok()?;
    TICK.checked_mul(ticks)
}
