//! System calls that are allowed for some arguments only.

use std::collections::BTreeMap;

use nix::libc;
use seccompiler::{BackendError, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompRule};

/// The calls, and what their arguments must be.
pub(super) fn rules(process: u32) -> Result<BTreeMap<i64, Vec<SeccompRule>>, BackendError> {
    let mut rules = BTreeMap::new();
    // Reading limits of this process, never setting them.
    rules.insert(
        libc::SYS_prlimit64,
        vec![all(vec![is(0, 0), has(2, u64::MAX, 0)])?],
    );
    rules.insert(libc::SYS_openat, vec![all(vec![only_reads(2)])?]);
    #[cfg(target_arch = "x86_64")]
    rules.insert(libc::SYS_open, vec![all(vec![only_reads(1)])?]);
    rules.insert(libc::SYS_mmap, mappings()?);
    rules.insert(libc::SYS_madvise, any_of(2, ADVICE)?);
    rules.insert(libc::SYS_membarrier, any_of(0, BARRIERS)?);
    rules.insert(libc::SYS_futex, futexes()?);
    rules.insert(libc::SYS_clone, vec![all(vec![starts_a_thread()])?]);
    rules.insert(libc::SYS_tgkill, signals(process)?);
    rules.insert(libc::SYS_fcntl, descriptor_commands()?);
    rules.insert(libc::SYS_ioctl, device_questions()?);
    rules.insert(libc::SYS_prctl, any_of(0, THREAD_NAMES)?);
    // Clocks of this process and of the machine; a negative number is another process's.
    for call in [
        libc::SYS_clock_gettime,
        libc::SYS_clock_getres,
        libc::SYS_clock_nanosleep,
    ] {
        rules.insert(
            call,
            vec![all(vec![at_most(0, libc::CLOCK_TAI.unsigned_abs())])?],
        );
    }
    Ok(rules)
}

/// Flags of `open` that create, change or empty a file.
fn only_reads(argument: u8) -> Condition {
    let writing = libc::O_ACCMODE | libc::O_CREAT | libc::O_TRUNC | libc::O_TMPFILE;
    let writing = writing & !libc::O_DIRECTORY;
    has(argument, u64::from(writing.unsigned_abs()), 0)
}

/// Private memory, and files that are only read. Shared memory, memory that grows like a stack,
/// and large pages that the machine keeps in store would count for no limit.
fn mappings() -> Result<Vec<SeccompRule>, BackendError> {
    let flag = |flag: i32| u64::from(flag.unsigned_abs());
    let kind = flag(libc::MAP_TYPE);
    let counted = kind | flag(libc::MAP_GROWSDOWN) | flag(libc::MAP_HUGETLB);
    Ok(vec![
        all(vec![has(3, counted, flag(libc::MAP_PRIVATE))])?,
        all(vec![
            has(
                3,
                kind | flag(libc::MAP_ANONYMOUS) | flag(libc::MAP_HUGETLB),
                flag(libc::MAP_SHARED),
            ),
            has(2, flag(libc::PROT_WRITE), 0),
        ])?,
    ])
}

/// What allocators and runtimes advise; nothing that takes a page out of memory.
const ADVICE: &[u32] = &[
    libc::MADV_NORMAL.unsigned_abs(),
    libc::MADV_RANDOM.unsigned_abs(),
    libc::MADV_SEQUENTIAL.unsigned_abs(),
    libc::MADV_WILLNEED.unsigned_abs(),
    libc::MADV_DONTNEED.unsigned_abs(),
    libc::MADV_FREE.unsigned_abs(),
    libc::MADV_HUGEPAGE.unsigned_abs(),
    libc::MADV_NOHUGEPAGE.unsigned_abs(),
    libc::MADV_DONTDUMP.unsigned_abs(),
    libc::MADV_DODUMP.unsigned_abs(),
    libc::MADV_POPULATE_READ.unsigned_abs(),
    libc::MADV_POPULATE_WRITE.unsigned_abs(),
];

/// Barriers among the threads of this process. One for the whole machine takes ten
/// milliseconds in which the process neither works nor sleeps.
const BARRIERS: &[u32] = &[
    libc::MEMBARRIER_CMD_QUERY.unsigned_abs(),
    libc::MEMBARRIER_CMD_PRIVATE_EXPEDITED.unsigned_abs(),
    libc::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED.unsigned_abs(),
    libc::MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE.unsigned_abs(),
    libc::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE.unsigned_abs(),
];

/// Futexes of this process. Waiting for the end of a thread has no such flag, so waiting is allowed
/// without it; waking is not. The kernel itself wakes there when a thread ends, at any address:
/// what keeps two workers apart is that they have no file in common.
fn futexes() -> Result<Vec<SeccompRule>, BackendError> {
    let own = u64::from(libc::FUTEX_PRIVATE_FLAG.unsigned_abs());
    let but_for_the_clock = !u64::from(libc::FUTEX_CLOCK_REALTIME.unsigned_abs()) & 0xffff_ffff;
    Ok(vec![
        all(vec![has(1, own, own)])?,
        all(vec![has(
            1,
            but_for_the_clock,
            u64::from(libc::FUTEX_WAIT.unsigned_abs()),
        )])?,
        all(vec![has(
            1,
            but_for_the_clock,
            u64::from(libc::FUTEX_WAIT_BITSET.unsigned_abs()),
        )])?,
    ])
}

/// A new thread, never a new process, and with no flag beyond those of thread libraries.
fn starts_a_thread() -> Condition {
    const DETACHED: i32 = 0x0040_0000;
    let known = libc::CLONE_VM
        | libc::CLONE_FS
        | libc::CLONE_FILES
        | libc::CLONE_SYSVSEM
        | libc::CLONE_SIGHAND
        | libc::CLONE_THREAD
        | libc::CLONE_SETTLS
        | libc::CLONE_PARENT_SETTID
        | libc::CLONE_CHILD_CLEARTID
        | DETACHED;
    let thread = u64::from(libc::CLONE_THREAD.unsigned_abs());
    has(0, !u64::from(known.unsigned_abs()) | thread, thread)
}

/// Signals to threads of this process: what `abort` and the thread library send. An agent
/// that could kill its own worker would look like one that was killed from outside.
fn signals(process: u32) -> Result<Vec<SeccompRule>, BackendError> {
    [libc::SIGABRT.unsigned_abs(), 32, 33]
        .into_iter()
        .map(|signal| all(vec![is(0, process), is(2, signal)]))
        .collect()
}

/// Commands on descriptors. Locks are forbidden, and so are signals when something happens to a
/// descriptor: a worker that dies of a signal it arranged itself would look like one killed from
/// outside.
fn descriptor_commands() -> Result<Vec<SeccompRule>, BackendError> {
    let mut rules = any_of(
        1,
        &[
            libc::F_DUPFD.unsigned_abs(),
            libc::F_DUPFD_CLOEXEC.unsigned_abs(),
            libc::F_GETFD.unsigned_abs(),
            libc::F_SETFD.unsigned_abs(),
            libc::F_GETFL.unsigned_abs(),
        ],
    )?;
    let asynchronous = u64::from(libc::O_ASYNC.unsigned_abs());
    rules.push(all(vec![
        is(1, libc::F_SETFL.unsigned_abs()),
        has(2, asynchronous, 0),
    ])?);
    Ok(rules)
}

/// Whether something is a terminal, how much there is to read, and whether to wait for it.
fn device_questions() -> Result<Vec<SeccompRule>, BackendError> {
    let questions = [
        libc::TCGETS,
        libc::TIOCGWINSZ,
        libc::FIONREAD,
        libc::FIOCLEX,
        libc::FIONBIO,
    ];
    let numbers = questions.map(|question| u32::try_from(question).expect("requests have 32 bits"));
    any_of(1, &numbers)
}

const THREAD_NAMES: &[u32] = &[
    libc::PR_SET_NAME.unsigned_abs(),
    libc::PR_GET_NAME.unsigned_abs(),
];

type Condition = Result<SeccompCondition, BackendError>;

/// A rule that holds when all conditions do.
fn all(conditions: Vec<Condition>) -> Result<SeccompRule, BackendError> {
    SeccompRule::new(conditions.into_iter().collect::<Result<_, _>>()?)
}

/// Rules of which one holds when an argument has one of these values.
fn any_of(argument: u8, values: &[u32]) -> Result<Vec<SeccompRule>, BackendError> {
    values
        .iter()
        .map(|&value| all(vec![is(argument, value)]))
        .collect()
}

/// An argument of 32 bits, whatever stands above them in the register.
fn is(argument: u8, value: u32) -> Condition {
    let length = SeccompCmpArgLen::Dword;
    SeccompCondition::new(argument, length, SeccompCmpOp::Eq, value.into())
}

/// An argument of 32 bits that is no larger than this.
fn at_most(argument: u8, value: u32) -> Condition {
    let length = SeccompCmpArgLen::Dword;
    SeccompCondition::new(argument, length, SeccompCmpOp::Le, value.into())
}

/// An argument of 64 bits that has this value in the bits of the mask.
fn has(argument: u8, mask: u64, value: u64) -> Condition {
    let length = SeccompCmpArgLen::Qword;
    SeccompCondition::new(argument, length, SeccompCmpOp::MaskedEq(mask), value)
}
