//! A filter that finds the verdict about a system call by halving the list of calls.
//!
//! When a filter is installed, the kernel runs it for every number of a system call, and
//! compiles it. `seccompiler` makes filters that compare one number after the other; for a
//! list of a hundred calls that took a fifth of what starting a worker costs. Here, calls
//! with the same verdict and neighbouring numbers are one range, and the ranges are the
//! leaves of a tree. The conditions on arguments are still `seccompiler`'s: such a leaf leads
//! to the rules of a filter of its own, for that call alone.

use std::collections::BTreeMap;

use nix::libc;
use seccompiler::{BackendError, BpfProgram, SeccompAction, SeccompRule, sock_filter};

use super::{compile, filter_shortening::shortened};

/// What a filter says about a call, whatever its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Allow,
    /// It fails with this error.
    Fail(i32),
}

/// The calls of a filter; every other one fails with "not permitted".
pub(super) struct CallList {
    pub(super) verdicts: BTreeMap<i64, Verdict>,
    /// Calls that are allowed if one of the rules holds.
    pub(super) conditions: BTreeMap<i64, Vec<SeccompRule>>,
}

/// A leaf: what is returned, or the filter that decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leaf {
    Return(u32),
    Filter(usize),
}

/// What happens to a call that no list names.
pub(super) const DENY: u32 = libc::SECCOMP_RET_ERRNO | libc::EPERM.unsigned_abs();

impl CallList {
    /// The filter of these calls.
    pub(super) fn compiled(self) -> Result<BpfProgram, BackendError> {
        self.tree().map(shortened)
    }

    /// The same filter as it is built.
    pub(super) fn tree(self) -> Result<BpfProgram, BackendError> {
        let filters = self
            .conditions
            .iter()
            .map(|(&call, rules)| {
                let rules = BTreeMap::from([(call, rules.clone())]);
                let deny = SeccompAction::Errno(libc::EPERM.unsigned_abs());
                let filter = compile(rules, deny, SeccompAction::Allow)?;
                let asks_for_call = &filter[N_HEAD];
                assert_eq!(
                    u32::try_from(call),
                    Ok(asks_for_call.k),
                    "filters begin alike"
                );
                // The tree knows the machine and the call.
                Ok(filter[N_HEAD + 1..].to_vec())
            })
            .collect::<Result<Vec<_>, BackendError>>()?;
        let mut leaves: BTreeMap<u32, Leaf> = BTreeMap::new();
        let number = |call: i64| u32::try_from(call).expect("numbers of calls are small");
        for (&call, verdict) in &self.verdicts {
            let returned = match verdict {
                Verdict::Allow => libc::SECCOMP_RET_ALLOW,
                Verdict::Fail(error) => libc::SECCOMP_RET_ERRNO | error.unsigned_abs(),
            };
            leaves.insert(number(call), Leaf::Return(returned));
        }
        for (filter, &call) in self.conditions.keys().enumerate() {
            leaves.insert(number(call), Leaf::Filter(filter));
        }
        assembled(&ranges(&leaves), &filters)
    }
}

/// The first number of every range, and the leaf of the range.
fn ranges(leaves: &BTreeMap<u32, Leaf>) -> Vec<(u32, Leaf)> {
    let mut ranges = vec![(0, Leaf::Return(DENY))];
    let mut put = |start: u32, leaf: Leaf| {
        let (last_start, last) = ranges.last_mut().expect("it is never empty");
        if *last_start == start {
            *last = leaf;
        } else if *last != leaf {
            ranges.push((start, leaf));
        }
    };
    for (&call, &leaf) in leaves {
        put(call, leaf);
        if !leaves.contains_key(&(call + 1)) {
            put(call + 1, Leaf::Return(DENY));
        }
    }
    ranges
}

/// Where the number of the call is in the data that a filter sees; see `seccomp(2)`.
const NUMBER: u32 = 0;
/// How every filter of `seccompiler` begins: three instructions end a process that calls in the
/// manner of another machine, and the fourth loads the number of the call.
const N_HEAD: usize = 4;

fn instruction(code: u32, k: u32, jt: u8, jf: u8) -> sock_filter {
    let code = u16::try_from(code).expect("codes of instructions have 16 bits");
    sock_filter { code, jt, jf, k }
}

fn give(verdict: u32) -> sock_filter {
    instruction(libc::BPF_RET | libc::BPF_K, verdict, 0, 0)
}

/// Goes on so many instructions after the next one.
fn jump(distance: usize) -> sock_filter {
    let distance = u32::try_from(distance).expect("filters are short");
    instruction(libc::BPF_JMP | libc::BPF_JA, distance, 0, 0)
}

/// Instructions that go on after the next `n_lower` ones if the number of the call is not
/// below this one. The distance of a conditional jump has eight bits.
fn fork(number: u32, n_lower: usize) -> Vec<sock_filter> {
    let if_not_below = |jt, jf| {
        let code = libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K;
        instruction(code, number, jt, jf)
    };
    match u8::try_from(n_lower) {
        Ok(distance) => vec![if_not_below(distance, 0)],
        Err(_) => vec![if_not_below(0, 1), jump(n_lower)],
    }
}

/// The tree of the ranges, and behind it the filters that its leaves lead to.
fn assembled(ranges: &[(u32, Leaf)], filters: &[BpfProgram]) -> Result<BpfProgram, BackendError> {
    let any = compile(
        BTreeMap::from([(0, Vec::new())]),
        SeccompAction::KillProcess,
        SeccompAction::Allow,
    )?;
    let mut program = any[..N_HEAD].to_vec();
    let loads_number = instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, NUMBER, 0, 0);
    assert_eq!(program[N_HEAD - 1], loads_number, "filters begin alike");
    let mut starts = Vec::new();
    let mut end = N_HEAD + length(ranges);
    for filter in filters {
        starts.push(end);
        end += filter.len();
    }
    grow(&mut program, ranges, &starts);
    assert_eq!(program.len(), N_HEAD + length(ranges));
    program.extend(filters.iter().flatten().cloned());
    Ok(program)
}

/// The number of instructions of the tree of these ranges.
fn length(ranges: &[(u32, Leaf)]) -> usize {
    if ranges.len() < 2 {
        return ranges.len();
    }
    let (lower, upper) = ranges.split_at(ranges.len() / 2);
    fork(upper[0].0, length(lower)).len() + length(lower) + length(upper)
}

/// Adds the tree of these ranges; the filters start at these places.
fn grow(program: &mut BpfProgram, ranges: &[(u32, Leaf)], starts: &[usize]) {
    match ranges {
        [] => {}
        [(_, Leaf::Return(verdict))] => program.push(give(*verdict)),
        [(_, Leaf::Filter(filter))] => program.push(jump(starts[*filter] - program.len() - 1)),
        _ => {
            let (lower, upper) = ranges.split_at(ranges.len() / 2);
            program.extend(fork(upper[0].0, length(lower)));
            grow(program, lower, starts);
            grow(program, upper, starts);
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use seccompiler::{SeccompCmpArgLen, SeccompCmpOp, SeccompCondition};

    /// What a filter says about these words (see `seccomp(2)`), according to `bpf(4)`. It
    /// knows the instructions that filters use.
    pub(in super::super) fn verdict(filter: &BpfProgram, words: &[u32; 16]) -> u32 {
        let (mut at, mut word) = (0, 0);
        loop {
            let step = &filter[at];
            at += 1;
            let go_on = |is_true: bool| usize::from(if is_true { step.jt } else { step.jf });
            match u32::from(step.code) {
                0x20 => word = words[step.k as usize / 4],
                0x05 => at += step.k as usize,
                0x06 => return step.k,
                0x15 => at += go_on(word == step.k),
                0x25 => at += go_on(word > step.k),
                0x35 => at += go_on(word >= step.k),
                0x54 => word &= step.k,
                other => panic!("an instruction with code {other:#x}"),
            }
        }
    }

    /// Numbers that make a tree with every kind of leaf and with forks of both lengths.
    #[test]
    fn every_call_has_the_verdict_of_its_list() {
        let is_seven = || {
            let length = SeccompCmpArgLen::Dword;
            let condition = SeccompCondition::new(0, length, SeccompCmpOp::Eq, 7).unwrap();
            vec![SeccompRule::new(vec![condition]).unwrap()]
        };
        let verdict_of = |call: i64| match call {
            435 | 437 => Some(Verdict::Fail(libc::ENOSYS)),
            _ if call % 7 == 3 => None,
            _ if call % 5 != 0 && call < 1200 => Some(Verdict::Allow),
            _ => None,
        };
        let is_conditional = |call: i64| call % 91 == 3 && call < 1200;
        let list = CallList {
            verdicts: (0..1200)
                .filter_map(|call| Some((call, verdict_of(call)?)))
                .collect(),
            conditions: (0..1200)
                .filter(|&call| is_conditional(call))
                .map(|call| (call, is_seven()))
                .collect(),
        };
        let filter = list.compiled().unwrap();
        for call in (0..1300).chain([0x4000_0000, 0x4000_0001, u32::MAX]) {
            let of_list = verdict_of(i64::from(call));
            let [with_six, with_seven] = [6, 7].map(|argument| {
                let mut words = [0; 16];
                (words[0], words[1], words[4]) = (call, filter[1].k, argument);
                verdict(&filter, &words)
            });
            let expected = match of_list {
                _ if is_conditional(i64::from(call)) => [DENY, libc::SECCOMP_RET_ALLOW],
                Some(Verdict::Allow) => [libc::SECCOMP_RET_ALLOW; 2],
                Some(Verdict::Fail(error)) => [libc::SECCOMP_RET_ERRNO | error.unsigned_abs(); 2],
                None => [DENY; 2],
            };
            assert_eq!([with_six, with_seven], expected, "call {call}");
        }
    }
}
