//! The order in which the answers to a tile are searched: the best static value first.
//!
//! Four numbers are sorted by a network of comparisons without branches, because a
//! search sorts at every board inside its tree and branches would be mispredicted.

use super::judge::JudgedMove;

const ILLEGAL: i64 = i64::MIN;

/// The indices of the legal answers, best value first; equal values keep their order.
#[must_use]
#[inline]
pub fn best_first(answers: &[JudgedMove; 4]) -> [Option<usize>; 4] {
    let [a, b, c, d] = answers;
    let (a, b) = descending(key(a, 0), key(b, 1));
    let (c, d) = descending(key(c, 2), key(d, 3));
    let (first, c) = descending(a, c);
    let (b, last) = descending(b, d);
    let (second, third) = descending(b, c);
    [first, second, third, last].map(place)
}

/// The value with the index in its lowest two bits; earlier indices are larger.
#[inline]
fn key(answer: &JudgedMove, place: i64) -> i64 {
    if answer.is_legal {
        i64::from(answer.value) << 2 | (3 - place)
    } else {
        ILLEGAL
    }
}

#[inline]
fn place(key: i64) -> Option<usize> {
    let place = match key & 3 {
        0 => 3,
        1 => 2,
        2 => 1,
        _ => 0,
    };
    (key != ILLEGAL).then_some(place)
}

#[inline]
fn descending(a: i64, b: i64) -> (i64, i64) {
    (a.max(b), a.min(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(values: [Option<i32>; 4], expected: &[usize]) {
        let answers = values.map(|value| JudgedMove {
            value: value.unwrap_or(i32::MAX),
            is_legal: value.is_some(),
            ..JudgedMove::default()
        });
        let order: Vec<usize> = best_first(&answers)
            .into_iter()
            .map_while(|place| place)
            .collect();
        assert_eq!(order, expected, "{values:?}");
    }

    #[test]
    fn legal_answers_are_sorted_best_first_and_equals_keep_their_order() {
        check([Some(-5), Some(7), Some(0), Some(-6)], &[1, 2, 0, 3]);
        check([Some(1), Some(2), Some(3), Some(4)], &[3, 2, 1, 0]);
        check([Some(3), Some(3), Some(3), Some(3)], &[0, 1, 2, 3]);
        check([None, Some(-9), None, Some(-8)], &[3, 1]);
        check([None; 4], &[]);
    }
}
