//! A file in memory without reading it: all workers share the kernel's one copy.
//!
//! The weights are as large as a short game is long: reading them would cost every game more
//! CPU time than it plays. The host shows workers a copy in memory that cannot change.
#![expect(unsafe_code, reason = "mapping a file into memory")]

use std::{fs::File, io, path::Path, ptr};

use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};

/// The bytes of a file.
pub(crate) struct MappedFile {
    start: *const u8,
    length: usize,
}

// SAFETY: the bytes are only read.
unsafe impl Send for MappedFile {}
// SAFETY: the bytes are only read.
unsafe impl Sync for MappedFile {}

impl MappedFile {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let length = usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?;
        // SAFETY: a new mapping that replaces no other; a failure is an error.
        let start = unsafe {
            mmap(
                ptr::null_mut(),
                length,
                ProtFlags::READ,
                MapFlags::PRIVATE,
                &file,
                0,
            )
        }?;
        Ok(Self {
            start: start.cast_const().cast(),
            length,
        })
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: the mapping is readable, has this length and lasts as long as `self`. The
        // host shows a copy that never changes; without the sandbox it is up to the user to
        // leave the file alone, as it is for the plugin's own file.
        unsafe { std::slice::from_raw_parts(self.start, self.length) }
    }
}

impl Drop for MappedFile {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and no reference to it outlives `self`.
        let _ = unsafe { munmap(self.start.cast_mut().cast(), self.length) };
    }
}
