//! States as bytes: in the order of their keys, each as the step from the one before and its count, in as
//! few bytes as these take, seven bits in each.
//!
//! So a layer of states takes a third of the memory that a table of them does, in memory as on disk,
//! and is the same for counts of any width. States of equal kinds, which are much alike, follow each other.

use super::count::Count;
use super::state::KEY_BITS;
use super::table::Entry;

/// These bytes are no states, or their counts are wider than asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Malformed;

/// Puts states in the order in which they are packed.
pub(crate) fn sort<C: Count>(states: &mut [Entry<C>]) {
    states.sort_unstable_by_key(|(key, _)| *key);
}

/// Three or four, and some room.
const TYPICAL_BYTES: usize = 6;

/// The bytes of states in order, each key once.
pub(crate) fn pack<C: Count>(states: &[Entry<C>]) -> Vec<u8> {
    let (mut bytes, mut before) = (Vec::with_capacity(TYPICAL_BYTES * states.len()), 0);
    for (key, count) in states {
        (key - before).pack(&mut bytes);
        count.pack(&mut bytes);
        before = *key;
    }
    bytes
}

/// All states of some bytes.
///
/// # Errors
/// [`Malformed`] when they are something else.
pub(crate) fn unpack<C: Count>(
    mut bytes: &[u8],
    states: &mut Vec<Entry<C>>,
) -> Result<(), Malformed> {
    let mut key = 0_u64;
    while !bytes.is_empty() {
        let (step, rest) = u64::unpack(bytes).ok_or(Malformed)?;
        let (count, rest) = C::unpack(rest).ok_or(Malformed)?;
        key = key
            .checked_add(step)
            .filter(|&key| key < 1 << KEY_BITS)
            .ok_or(Malformed)?;
        states.push((key, count));
        bytes = rest;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;
    use proptest::prelude::*;

    fn through<C: Count, D: Count>(states: &[Entry<C>]) -> Result<Vec<Entry<D>>, Malformed> {
        let mut back = Vec::new();
        unpack(&pack(states), &mut back).map(|()| back)
    }

    proptest! {
        #[test]
        fn states_come_back_from_their_bytes_in_any_width_that_holds_them(
            states in proptest::collection::vec((0..1_u64 << KEY_BITS, any::<u128>(), 0..128_u32), 0..50),
        ) {
            let mut wide: Vec<Entry<u128>> =
                states.iter().map(|&(key, count, shift)| (key, count >> shift)).collect();
            sort(&mut wide);
            let big: Vec<Entry<BigUint>> =
                wide.iter().map(|&(key, count)| (key, BigUint::from(count))).collect();
            prop_assert_eq!(through::<u128, u128>(&wide), Ok(wide.clone()));
            prop_assert_eq!(through::<u128, BigUint>(&wide), Ok(big.clone()));
            prop_assert_eq!(through::<BigUint, u128>(&big), Ok(wide.clone()));
            let narrow: Option<Vec<Entry<u64>>> = wide
                .iter()
                .map(|&(key, count)| Some((key, u64::try_from(count).ok()?)))
                .collect();
            prop_assert_eq!(through::<u128, u64>(&wide), narrow.ok_or(Malformed));
            let wider: Vec<Entry<BigUint>> =
                big.into_iter().map(|(key, count)| (key, count * u128::MAX + 1_u32)).collect();
            prop_assert_eq!(through::<BigUint, BigUint>(&wider), Ok(wider.clone()));
        }

        #[test]
        fn bytes_that_are_no_states_are_refused_without_harm(
            bytes in proptest::collection::vec(any::<u8>(), 0..100),
        ) {
            let (mut narrow, mut big) = (Vec::<Entry<u64>>::new(), Vec::<Entry<BigUint>>::new());
            if unpack(&bytes, &mut narrow).is_ok() {
                prop_assert!(unpack(&bytes, &mut big).is_ok());
            }
        }
    }
}
