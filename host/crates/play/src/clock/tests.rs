//! Turns on a machine whose clocks the test sets: no verdict depends on the real one.

use std::{cell::Cell, io};

use worker::{
    Observation,
    WorkerState::{self, Asleep, Busy},
};

use super::*;

const CORE: usize = 3;

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

const fn us(microseconds: u64) -> Duration {
    Duration::from_micros(microseconds)
}

thread_local! {
    /// Every test has a thread of its own.
    static NOW: Cell<Instant> = Cell::new(Instant::now());
    static STOLEN: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// The `/proc/stat` of the machine, which counts in ticks of 10 ms.
struct Stat;

impl FileExt for Stat {
    fn read_at(&self, buffer: &mut [u8], _offset: u64) -> io::Result<usize> {
        let ticks = STOLEN.get().as_millis() / 10;
        let text = format!("cpu{CORE} 0 0 0 0 0 0 0 {ticks} 0 0\n");
        buffer[..text.len()].copy_from_slice(text.as_bytes());
        Ok(text.len())
    }

    fn write_at(&self, _: &[u8], _: u64) -> io::Result<usize> {
        unreachable!("it is only read")
    }
}

/// What happens until the host comes to look at the worker, or to take its answer.
#[derive(Clone, Copy)]
struct Step {
    wall: Duration,
    cpu: Duration,
    stolen: Duration,
    /// What the host sees then.
    state: WorkerState,
}

/// The worker has its core all the time.
fn works(milliseconds: u64) -> Step {
    Step {
        wall: ms(milliseconds),
        cpu: ms(milliseconds),
        stolen: Duration::ZERO,
        state: Busy,
    }
}

fn sleeps(milliseconds: u64) -> Step {
    Step {
        cpu: Duration::ZERO,
        state: Asleep,
        ..works(milliseconds)
    }
}

/// The worker could work, but another process has its core.
fn waits_for_its_core(milliseconds: u64) -> Step {
    Step {
        cpu: Duration::ZERO,
        ..works(milliseconds)
    }
}

/// The hypervisor has the core, and the worker's CPU clock goes on.
fn is_robbed(milliseconds: u64) -> Step {
    Step {
        stolen: ms(milliseconds),
        ..works(milliseconds)
    }
}

/// An agent with its clock and its bank.
struct Game {
    budget: Budget,
    clock: TurnClock,
    bank: Bank,
    cpu: Duration,
}

impl Game {
    fn new(budget: Budget) -> Self {
        let BudgetLimit::Time { per_move } = budget.limit else {
            panic!("the budget is in time")
        };
        let empty = EmptyTurn {
            cpu: us(4),
            wall: us(9),
        };
        let stolen_time = StolenTime::of_core(Some(CORE), || NOW.get()).reading(Stat);
        let mut clock = TurnClock::on_clock(|| NOW.get(), &budget, empty, stolen_time);
        clock.reset(ms(1000));
        Self {
            clock,
            bank: Bank::new(per_move, budget.bank),
            cpu: ms(1000),
            budget,
        }
    }

    /// 1 ms a move and a bank of 100 ms, on the CPU clock.
    fn with_one_millisecond() -> Self {
        Self::new(one_millisecond())
    }

    /// A turn as `Worker::ask` waits for it: the host looks where a look is due, and the
    /// answer comes after the last step.
    fn turn(&mut self, steps: &[Step]) -> Result<TurnTimes, NoAnswer> {
        let mut patience = self.clock.start(&Turn {
            move_number: 1,
            score: 0,
            allowance: Allowance::Time {
                clock: self.budget.clock,
                start_ns: 0,
                income: self.bank.increment(),
                bank: self.bank.saved(),
            },
        });
        for (number, step) in steps.iter().enumerate() {
            NOW.set(NOW.get() + step.wall);
            STOLEN.set(STOLEN.get() + step.stolen);
            self.cpu += step.cpu;
            if number + 1 == steps.len() || patience.until_next_look().is_some() {
                continue;
            }
            let seen = Observation {
                at: NOW.get(),
                cpu: self.cpu,
                state: step.state,
            };
            match patience.judge(seen) {
                Err(NoAnswer::UsedUp) => match self.clock.credit(self.cpu) {
                    Duration::ZERO => return Err(NoAnswer::UsedUp),
                    credit => patience.extend(credit),
                },
                verdict => verdict?,
            }
        }
        let times = self.clock.stop(self.cpu);
        if patience.is_from_suspended_host(self.cpu) {
            return Err(NoAnswer::Paused);
        }
        self.clock.pay_sleep(&patience, times);
        self.bank.pay(match self.budget.clock {
            Clock::Cpu => times.cpu.saturating_sub(times.stolen),
            Clock::Wall => times.wall,
        });
        Ok(times)
    }
}

fn one_millisecond() -> Budget {
    Budget {
        limit: BudgetLimit::Time { per_move: ms(1) },
        bank: ms(100),
        clock: Clock::Cpu,
        overrun: Overrun::EndGame,
        ..Budget::default()
    }
}

fn on_wall_clock() -> Budget {
    Budget {
        clock: Clock::Wall,
        ..one_millisecond()
    }
}

#[test]
fn all_cpu_time_is_charged_except_for_empty_turns() {
    let mut game = Game::with_one_millisecond();
    let mut charged = Duration::ZERO;
    for microseconds in [54, 54, 404] {
        // What is used between the answer and the next turn is in the next reading.
        game.cpu += us(microseconds);
        charged += game.turn(&[works(0)]).unwrap().cpu;
    }
    assert_eq!(charged, us(512 - 3 * 4));
}

#[test]
fn an_agent_that_waits_for_its_core_pays_nothing_and_is_waited_for() {
    let mut game = Game::with_one_millisecond();
    let steps: Vec<Step> = vec![waits_for_its_core(50); 1000];
    let times = game.turn(&steps).unwrap();
    assert_eq!((times.cpu, times.stolen), (ms(0), ms(0)));
    assert_eq!(game.bank.saved(), ms(100));
}

#[test]
fn a_host_that_comes_late_charges_only_what_the_worker_used() {
    let mut game = Game::with_one_millisecond();
    // The answer was there after 1 ms; the host had no core for 5 s.
    let late = Step {
        wall: ms(5000),
        state: Asleep,
        ..works(1)
    };
    for _ in 0..100 {
        game.turn(&[late]).unwrap();
    }
    assert_eq!(game.bank.saved(), ms(100));
    // It is not taken for sleep either: one look that comes late counts what was planned.
    game.turn(&[late, late, works(0)]).unwrap();
}

#[test]
fn the_bank_covers_what_exceeds_the_increment_until_it_is_empty() {
    let mut game = Game::with_one_millisecond();
    for number in 1..=10 {
        game.turn(&[works(11)]).unwrap();
        assert!(game.bank.saved() >= ms(100 - 10 * number));
    }
    assert!(game.bank.saved() < ms(1), "only empty turns are left over");
    // The host looks as soon as the time can be used up, and waits no longer.
    let verdict = game.turn(&[works(1), works(1), works(1), works(1)]);
    assert_eq!(verdict, Err(NoAnswer::UsedUp));
}

#[test]
fn an_agent_that_spends_its_increment_plays_for_ever() {
    let mut game = Game::with_one_millisecond();
    for _ in 0..10_000 {
        game.turn(&[works(1)]).unwrap();
    }
    assert_eq!(game.bank.saved(), ms(100));
}

#[test]
fn stolen_time_is_credited_and_the_turn_goes_on() {
    let mut game = Game::with_one_millisecond();
    let times = game
        .turn(&[works(1), is_robbed(470), works(1), works(0)])
        .unwrap();
    assert_eq!(times.cpu, us(471_996));
    assert_eq!(times.stolen, ms(470));
    assert!(game.bank.saved() >= ms(99), "{:?}", game.bank);
}

#[test]
fn an_agent_that_computes_while_another_core_is_robbed_gets_no_credit() {
    let mut game = Game::with_one_millisecond();
    let computes = Step {
        stolen: Duration::ZERO,
        ..works(51)
    };
    let verdict = game.turn(&[computes, computes, computes, works(0)]);
    assert_eq!(verdict, Err(NoAnswer::UsedUp));
}

#[test]
fn time_that_was_stolen_while_the_agent_slept_is_not_credited() {
    let mut game = Game::with_one_millisecond();
    let robbed_asleep = Step {
        stolen: ms(40),
        ..sleeps(50)
    };
    let times = game.turn(&[robbed_asleep, works(40)]).unwrap();
    assert_eq!((times.cpu, times.stolen), (us(39_996), ms(0)));
}

#[test]
fn sleep_is_limited_over_the_whole_game() {
    let mut game = Game::with_one_millisecond();
    let limit = game.budget.sleep_limit();
    let mut slept = Duration::ZERO;
    while slept < 2 * limit {
        match game.turn(&[sleeps(50), works(0)]) {
            Ok(times) => assert_eq!(times.cpu, ms(0), "sleep is not charged as CPU time"),
            Err(reason) => {
                assert_eq!(reason, NoAnswer::Asleep);
                break;
            }
        }
        slept += ms(50);
    }
    assert!(
        slept + ms(50) > limit && slept < limit + ms(50),
        "{slept:?}"
    );
}

#[test]
fn after_many_naps_the_host_looks_closely_and_sees_them() {
    let mut game = Game::with_one_millisecond();
    let nap = Step {
        wall: us(500),
        ..sleeps(0)
    };
    // Naps of 10 ms between two looks of which none is due.
    let naps = [nap; 20];
    let mut n_turns = 0;
    while game.clock.sleep.available() > ms(1) {
        n_turns += 1;
        assert!(n_turns < 1000, "naps stay unseen");
        if let Err(reason) = game.turn(&naps) {
            assert_eq!(reason, NoAnswer::Asleep);
            break;
        }
    }
    assert!(game.clock.sleep.is_suspicious());
}

#[test]
fn on_the_wall_clock_everything_counts_that_passes() {
    let mut game = Game::new(on_wall_clock());
    let times = game.turn(&[waits_for_its_core(30), works(1)]).unwrap();
    assert_eq!((times.wall, times.stolen), (us(30_991), ms(0)));
    assert_eq!(game.bank.saved(), ms(70) + us(9));
    let verdict = game.turn(&[waits_for_its_core(50), waits_for_its_core(50), works(0)]);
    assert_eq!(verdict, Err(NoAnswer::UsedUp));
}

#[test]
fn on_the_wall_clock_a_suspended_machine_is_no_turn_of_the_agent() {
    let mut game = Game::new(on_wall_clock());
    assert_eq!(game.turn(&[sleeps(3000)]), Err(NoAnswer::Paused));
    let mut game = Game::new(on_wall_clock());
    let verdict = game.turn(&[sleeps(3000), works(0)]);
    assert_eq!(verdict, Err(NoAnswer::Paused));
}

#[test]
fn on_the_wall_clock_an_agent_whose_threads_keep_the_host_waiting_overruns() {
    let mut game = Game::new(on_wall_clock());
    let verdict = game.turn(&[works(3000), works(0)]);
    assert_eq!(verdict, Err(NoAnswer::UsedUp));
    // The answer came before the host did: it is charged, and the referee finds it too late.
    let mut game = Game::new(on_wall_clock());
    let times = game.turn(&[works(3000)]).unwrap();
    assert_eq!(times.wall, us(2_999_991));
    assert_eq!(game.bank.n_overruns(), 1);
}

#[test]
fn spending_the_increment_keeps_the_bank() {
    let mut bank = Bank::new(ms(1), ms(100));
    for _ in 0..20_000 {
        assert_eq!(bank.pay(ms(1)), Payment::Covered);
    }
    assert_eq!(bank.saved(), ms(100));
}

#[test]
fn an_agent_that_spends_more_is_caught_when_the_bank_is_empty() {
    let mut bank = Bank::new(ms(10), ms(100));
    let n_covered = (0..1000)
        .take_while(|_| bank.pay(ms(15)) == Payment::Covered)
        .count();
    assert_eq!(n_covered, 20);
    assert_eq!((bank.n_overruns(), bank.overdrawn()), (1, ms(5)));
}

#[test]
fn saving_ends_at_the_size_of_the_bank() {
    let mut bank = Bank::new(ms(10), ms(30));
    assert_eq!(bank.pay(ms(40)), Payment::Covered);
    assert_eq!(bank.saved(), ms(0));
    bank.pay(ms(0));
    bank.pay(ms(5));
    assert_eq!(bank.saved(), ms(15));
    bank.pay(ms(0));
    bank.pay(ms(0));
    assert_eq!(bank.saved(), ms(30));
}

#[test]
fn many_naps_raise_suspicion_and_seen_sleep_is_paid() {
    let budget = Budget {
        limit: BudgetLimit::Time { per_move: ms(1) },
        ..Budget::default()
    };
    let mut account = SleepAccount::new(&budget);
    let all = account.available();
    let n_trusted = (0..1000)
        .take_while(|_| {
            account.pay(ms(0), ms(6));
            !account.is_suspicious()
        })
        .count();
    assert_eq!(
        n_trusted, 50,
        "250 ms last for fifty turns with 5 ms too much"
    );
    assert_eq!(account.available(), all, "nothing was seen so far");
    account.pay(ms(101), ms(101));
    assert_eq!(account.available() + ms(100), all);
}

#[test]
fn a_few_disturbed_turns_do_not_change_the_median() {
    let mut times = vec![us(4); 17];
    times.extend([ms(9); 15]);
    assert_eq!(median(times), us(4));
}

#[test]
fn the_least_value_so_far_counts() {
    let so_far = AtomicU64::new(u64::MAX);
    let of = |microseconds| least(&so_far, Duration::from_micros(microseconds));
    assert_eq!(of(7), Duration::from_micros(7));
    assert_eq!(of(4), us(4));
    assert_eq!(of(9), us(4));
}

#[test]
fn the_eighth_number_of_a_cores_line_counts() {
    let stat = "cpu  9 9 9 9 9 9 9 9 0 0\ncpu1 7 7 7 7 7 7 7 17 0 0\n\
                cpu10 3 3 3 3 3 3 3 30 0 0\nintr 5\n";
    let of = |core: &str| stolen_in(stat, core);
    assert_eq!(of("cpu1 "), Some(ms(170)));
    assert_eq!(of("cpu10 "), Some(ms(300)));
    assert_eq!(of("cpu2 "), None);
}

#[test]
fn only_what_the_cpu_clock_shows_too_much_is_credited() {
    // A turn that took all of the core, and most of it was stolen.
    assert_eq!(credit(ms(472), ms(470), ms(471)), ms(469));
    // The same where the kernel keeps stolen time out of the clock.
    assert_eq!(credit(ms(472), ms(470), ms(2)), ms(0));
    // An agent that sleeps for 3 s and then works for 210 ms was robbed of nothing,
    // whatever was stolen from others.
    assert_eq!(credit(ms(3210), ms(300), ms(210)), ms(0));
}

/// The bound by proportion, stolen time times CPU time over wall time, is never less.
#[test]
fn the_credit_is_at_most_the_share_of_the_worker() {
    for (wall, stolen, cpu) in [(100, 40, 90), (100, 90, 30), (50, 50, 50), (70, 10, 69)] {
        let share = ms(stolen * cpu / wall) + ms(1);
        assert!(credit(ms(wall), ms(stolen), ms(cpu)) <= share);
    }
}

#[test]
fn without_a_core_nothing_is_stolen() {
    let of_core = |core| StolenTime::of_core(core, Instant::now);
    assert_eq!(of_core(None).since_last_reading(ms(5)), Duration::ZERO);
    of_core(Some(0)).renew_if_old(ms(5));
}
