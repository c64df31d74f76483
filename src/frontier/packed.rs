//! States as bytes, eight for the key and as few as it takes for the count, seven bits in each.
//!
//! So a layer of states takes two thirds of the memory that a table of them does, in memory as on disk,
//! and is the same for counts of any width.

use super::count::Count;
use super::state::NO_KEY;
use super::table::Entry;

/// These bytes are no states, or their counts are wider than asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Malformed;

/// Adds a state to the bytes.
pub(crate) fn pack<C: Count>((key, count): &Entry<C>, bytes: &mut Vec<u8>) {
    bytes.extend(key.to_le_bytes());
    count.pack(bytes);
}

/// All states of some bytes.
///
/// # Errors
/// [`Malformed`] when they are something else.
pub(crate) fn unpack<C: Count>(
    mut bytes: &[u8],
    states: &mut Vec<Entry<C>>,
) -> Result<(), Malformed> {
    while let Some((key, rest)) = bytes.split_first_chunk() {
        let key = u64::from_le_bytes(*key);
        let (count, rest) = C::unpack(rest).filter(|_| key != NO_KEY).ok_or(Malformed)?;
        states.push((key, count));
        bytes = rest;
    }
    bytes.is_empty().then_some(()).ok_or(Malformed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;
    use proptest::prelude::*;

    fn through<C: Count, D: Count>(states: &[Entry<C>]) -> Result<Vec<Entry<D>>, Malformed> {
        let (mut bytes, mut back) = (Vec::new(), Vec::new());
        states.iter().for_each(|state| pack(state, &mut bytes));
        unpack(&bytes, &mut back).map(|()| back)
    }

    proptest! {
        #[test]
        fn states_come_back_from_their_bytes_in_any_width_that_holds_them(
            states in proptest::collection::vec((0..u64::MAX, any::<u128>(), 0..128_u32), 0..50),
        ) {
            let wide: Vec<Entry<u128>> =
                states.iter().map(|&(key, count, shift)| (key, count >> shift)).collect();
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
