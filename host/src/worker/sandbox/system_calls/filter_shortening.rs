//! Makes a filter shorter without changing what it says.
//!
//! The kernel checks, converts and compiles every instruction of a filter for every worker.
//! The tree of a list of calls has a leaf for every range of calls, and `seccompiler` writes
//! every condition so that it can stand alone: it jumps to jumps, loads what is loaded
//! already, and compares bits that no mask selects. Here, every jump goes straight to where
//! something new happens, and what no jump leads to any more is left out.

use nix::libc;
use seccompiler::{BpfProgram, sock_filter};

const LOAD: u32 = libc::BPF_LD | libc::BPF_W | libc::BPF_ABS;
const MASK: u32 = libc::BPF_ALU | libc::BPF_AND | libc::BPF_K;
const JUMP: u32 = libc::BPF_JMP | libc::BPF_JA;
const IF_EQUAL: u32 = libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K;
const RETURN: u32 = libc::BPF_RET | libc::BPF_K;
/// The lowest bits of a code: what kind of instruction it is.
const KIND: u32 = 7;

/// The longest distance of a conditional jump.
const FARTHEST: usize = u8::MAX as usize;

/// What the accumulator holds before an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Held {
    /// No instruction before leads here.
    Unreached,
    /// The word at this place of what the filter sees, unchanged.
    Word(u32),
    /// It depends on the way.
    Something,
}

/// The same filter with fewer instructions.
pub(super) fn shortened(mut filter: BpfProgram) -> BpfProgram {
    loop {
        let shorter = shortened_once(&filter);
        // What is nearer now may be reached by a jump that was too long before.
        if shorter.len() == filter.len() {
            return shorter;
        }
        filter = shorter;
    }
}

fn shortened_once(filter: &BpfProgram) -> BpfProgram {
    let mut is_needed = vec![false; filter.len()];
    is_needed[0] = true;
    let mut destinations = Vec::new();
    for (at, held) in held_before(filter).into_iter().enumerate() {
        let (one, other) = match next(filter, at) {
            // Where nothing leads anywhere, nothing more is needed.
            _ if !is_needed[at] => (0, 0),
            Next::Nothing => (at, at),
            Next::Following => (at + 1, at + 1),
            Next::Place(place) => {
                let place = destination(filter, at, held, place, usize::MAX);
                (place, place)
            }
            Next::Either(one, other) => {
                let place = |place| destination(filter, at, held, place, FARTHEST);
                (place(one), place(other))
            }
        };
        destinations.push((one, other));
        (is_needed[one], is_needed[other]) = (true, true);
    }
    let mut n_needed = 0;
    let new_places: Vec<usize> = is_needed
        .iter()
        .map(|&is_needed| {
            n_needed += usize::from(is_needed);
            n_needed - usize::from(is_needed)
        })
        .collect();
    let distance = |at: usize, place: usize| new_places[place] - new_places[at] - 1;
    let is_near = "distances only shrink";
    (0..filter.len())
        .filter(|&at| is_needed[at])
        .map(|at| {
            let mut step = filter[at].clone();
            let (one, other) = destinations[at];
            match next(filter, at) {
                Next::Nothing | Next::Following => {}
                Next::Place(_) => step.k = u32::try_from(distance(at, one)).expect(is_near),
                Next::Either(..) => {
                    step.jt = u8::try_from(distance(at, one)).expect(is_near);
                    step.jf = u8::try_from(distance(at, other)).expect(is_near);
                }
            }
            step
        })
        .collect()
}

/// Where an instruction leads.
enum Next {
    Nothing,
    Following,
    Place(usize),
    Either(usize, usize),
}

fn next(filter: &[sock_filter], at: usize) -> Next {
    let step = &filter[at];
    match u32::from(step.code) {
        RETURN => Next::Nothing,
        JUMP => Next::Place(at + 1 + step.k as usize),
        code if code & KIND == libc::BPF_JMP => {
            Next::Either(at + 1 + usize::from(step.jt), at + 1 + usize::from(step.jf))
        }
        _ => Next::Following,
    }
}

/// What is held before every instruction. Jumps only go forward, so one walk is enough.
fn held_before(filter: &[sock_filter]) -> Vec<Held> {
    let mut held = vec![Held::Unreached; filter.len()];
    held[0] = Held::Something;
    for at in 0..filter.len() {
        let after = match u32::from(filter[at].code) {
            LOAD => Held::Word(filter[at].k),
            code if code & KIND == libc::BPF_JMP => held[at],
            _ => Held::Something,
        };
        let mut reach = |place: usize| {
            held[place] = match held[place] {
                Held::Unreached => after,
                same if same == after => same,
                _ => Held::Something,
            };
        };
        match next(filter, at) {
            Next::Nothing => {}
            Next::Following => reach(at + 1),
            Next::Place(place) => reach(place),
            Next::Either(one, other) => {
                reach(one);
                reach(other);
            }
        }
    }
    held
}

/// Where a jump to a place can go instead, no farther than this.
fn destination(
    filter: &[sock_filter],
    from: usize,
    held: Held,
    place: usize,
    farthest: usize,
) -> usize {
    let mut place = place;
    while let Some(further) = further(filter, held, place)
        && further - from - 1 <= farthest
    {
        place = further;
    }
    // The last one that says the same is the same for all.
    let is_same = |&other: &usize| {
        filter[place].code == filter[other].code && filter[place].k == filter[other].k
    };
    let last = from.saturating_add(1).saturating_add(farthest);
    match u32::from(filter[place].code) {
        RETURN => (place..filter.len().min(last.saturating_add(1)))
            .rfind(is_same)
            .unwrap_or(place),
        _ => place,
    }
}

/// Where an instruction leads that does nothing for who comes with this in the accumulator.
fn further(filter: &[sock_filter], held: Held, place: usize) -> Option<usize> {
    let step = &filter[place];
    match u32::from(step.code) {
        JUMP => Some(place + 1 + step.k as usize),
        LOAD if held == Held::Word(step.k) => Some(place + 1),
        LOAD => compared_with_nothing(filter, place),
        _ => None,
    }
}

/// Where a comparison leads that looks at no bit. Only where what it leaves in the accumulator
/// does not matter.
fn compared_with_nothing(filter: &[sock_filter], place: usize) -> Option<usize> {
    let [mask, comparison] = filter.get(place + 1..place + 3)? else {
        return None;
    };
    let is_one =
        u32::from(mask.code) == MASK && mask.k == 0 && u32::from(comparison.code) == IF_EQUAL;
    let distance = if comparison.k == 0 {
        comparison.jt
    } else {
        comparison.jf
    };
    let mut after = place + 3 + usize::from(distance);
    while u32::from(filter[after].code) == JUMP {
        after += 1 + filter[after].k as usize;
    }
    let forgets = matches!(u32::from(filter[after].code), LOAD | RETURN);
    (is_one && forgets).then_some(after)
}

#[cfg(test)]
mod tests {
    use super::super::{
        ALLOWED_FOR_NODE, ALLOWED_FOR_PROGRAMS, call_list, filter_tree::tests::verdict,
    };
    use super::*;

    /// Values that make a difference to some instruction, and those beside them.
    fn telling_values(filter: &[sock_filter]) -> Vec<u32> {
        let constants = filter.iter().map(|step| step.k);
        let mut values: Vec<u32> = constants
            .flat_map(|k| [k, k.wrapping_add(1), k.wrapping_sub(1), !k, k | 1 << 31])
            .chain([0, 1, u32::MAX])
            .collect();
        values.sort_unstable();
        values.dedup();
        values
    }

    #[test]
    fn a_shorter_filter_says_the_same() {
        for more in [
            [].as_slice(),
            &[ALLOWED_FOR_PROGRAMS],
            &[ALLOWED_FOR_PROGRAMS, ALLOWED_FOR_NODE],
        ] {
            let list = call_list(1, more).unwrap();
            let conditional: Vec<i64> = list.conditions.keys().copied().collect();
            let long = list.tree().unwrap();
            let short = shortened(long.clone());
            let (n_long, n_short) = (long.len(), short.len());
            assert!(n_short * 2 < n_long, "{n_short} of {n_long}");
            let values = telling_values(&long);
            let mut words = [0; 16];
            words[1] = long[1].k;
            let check = |words: &[u32; 16]| {
                let said = verdict(&short, words);
                assert_eq!(said, verdict(&long, words), "{words:x?}");
            };
            for call in (0..600).chain([0x4000_0000, 0x4000_0003, u32::MAX]) {
                words[0] = call;
                words[4..].fill(0);
                check(&words);
                if !conditional.contains(&call.into()) {
                    continue;
                }
                // One word of an argument at a time beside others of two kinds, then all mixed.
                for other in [0, u32::MAX] {
                    for place in 4..10 {
                        words[4..].fill(other);
                        for &value in &values {
                            words[place] = value;
                            check(&words);
                        }
                    }
                }
                for round in 0..2000 {
                    for (place, word) in words.iter_mut().enumerate().take(10).skip(4) {
                        let number = round * 31 + place * 17 * (round + 1);
                        *word = values[number % values.len()];
                    }
                    check(&words);
                }
            }
            words[1] += 1;
            assert_eq!(verdict(&short, &words), libc::SECCOMP_RET_KILL_PROCESS);
        }
    }
}
