//! Prefetches memory: a table of hundreds of megabytes does not fit into a cache.
#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "the processor's hint takes a pointer")
)]

/// Prefetches an item of a table; nothing happens if there is none.
#[inline]
pub(crate) fn prefetch<T>(table: &[T], place: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(item) = table.get(place) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the pointer is that of a valid reference, and a hint changes nothing.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (table, place);
}
