//! What an executable or a shared library of 64 bits says about itself.
//!
//! Files come from strangers: what this module does not understand is `None`, and every length
//! that a file names has a bound.

use std::{fs::File, os::unix::fs::FileExt, path::PathBuf};

/// A file in the Executable and Linkable Format, as elf(5) describes it.
pub(super) struct ElfFile<'f> {
    file: &'f File,
    segments: Vec<Segment>,
}

struct Segment {
    kind: u64,
    position: u64,
    address: u64,
    size: u64,
}

// Kinds of segments, and of entries in the dynamic section.
const LOADED: u64 = 1;
const DYNAMIC: u64 = 2;
const LOADER: u64 = 3;
const NEEDED: u64 = 1;
const TEXTS: u64 = 5;

impl<'f> ElfFile<'f> {
    pub(super) fn of(file: &'f File) -> Option<Self> {
        const SEGMENT_SIZE: usize = 56;
        let header = read(file, 0, 64)?;
        if !header.starts_with(b"\x7fELF\x02\x01") {
            return None;
        }
        let n_segments = usize::from(u16::from_le_bytes([*header.get(56)?, *header.get(57)?]));
        let segments = read(file, word(&header, 32)?, n_segments * SEGMENT_SIZE)?;
        let segments = segments
            .chunks_exact(SEGMENT_SIZE)
            .filter_map(|entry| {
                Some(Segment {
                    kind: word(entry, 0)? & 0xffff_ffff,
                    position: word(entry, 8)?,
                    address: word(entry, 16)?,
                    size: word(entry, 32)?,
                })
            })
            .collect();
        Some(Self { file, segments })
    }

    /// Whether the kernel starts a loader for this executable.
    pub(super) fn has_loader(&self) -> bool {
        self.segment(LOADER).is_some()
    }

    /// The loader that the kernel starts for an executable; nothing for a static one.
    pub(super) fn loader(&self) -> Option<PathBuf> {
        self.text(self.segment(LOADER)?.position).map(PathBuf::from)
    }

    /// The names of the libraries that the file asks for.
    pub(super) fn needed_libraries(&self) -> Option<Vec<String>> {
        const ENTRY_SIZE: usize = 16;
        const LONGEST_SECTION: usize = 1 << 16;
        let section = self.segment(DYNAMIC)?;
        let size = usize::try_from(section.size).ok()?.min(LONGEST_SECTION);
        let entries: Vec<(u64, u64)> = read(self.file, section.position, size)?
            .chunks_exact(ENTRY_SIZE)
            .filter_map(|entry| Some((word(entry, 0)?, word(entry, 8)?)))
            .collect();
        let texts = self.position_of(entries.iter().find(|(tag, _)| *tag == TEXTS)?.1)?;
        let names = entries.iter().filter(|(tag, _)| *tag == NEEDED);
        names
            .map(|(_, offset)| self.text(texts.checked_add(*offset)?))
            .collect()
    }

    fn segment(&self, kind: u64) -> Option<&Segment> {
        self.segments.iter().find(|segment| segment.kind == kind)
    }

    /// Where in the file an address of the loaded program lies.
    fn position_of(&self, address: u64) -> Option<u64> {
        self.segments.iter().find_map(|segment| {
            let offset = address.checked_sub(segment.address)?;
            let is_inside = segment.kind == LOADED && offset < segment.size;
            is_inside.then_some(segment.position.checked_add(offset)?)
        })
    }

    /// The text at a position, which ends with a zero.
    fn text(&self, position: u64) -> Option<String> {
        const LONGEST: usize = 256;
        let bytes = read(self.file, position, LONGEST)?;
        let length = bytes.iter().position(|&byte| byte == 0)?;
        Some(std::str::from_utf8(&bytes[..length]).ok()?.to_owned())
    }
}

fn read(file: &File, position: u64, length: usize) -> Option<Vec<u8>> {
    let mut bytes = vec![0; length];
    let n_read = file.read_at(&mut bytes, position).ok()?;
    bytes.truncate(n_read);
    Some(bytes)
}

fn word(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn this_program_names_its_loader_and_its_libraries() {
        let own = File::open(std::env::current_exe().unwrap()).unwrap();
        let elf = ElfFile::of(&own).unwrap();
        let loader = elf.loader().unwrap();
        assert!(loader.is_absolute() && loader.exists(), "{loader:?}");
        let names = elf.needed_libraries().unwrap();
        assert!(names.iter().any(|name| name == "libc.so.6"), "{names:?}");
        let text = File::open("/etc/passwd").unwrap();
        assert!(ElfFile::of(&text).is_none());
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_read_without_harm(bytes: Vec<u8>, position: u16, value: u8) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("x");
            let own = File::open(std::env::current_exe().unwrap()).unwrap();
            let mut own = read(&own, 0, 1 << 16).unwrap();
            own[usize::from(position)] = value;
            for content in [&bytes, &own] {
                fs::write(&path, content).unwrap();
                let file = File::open(&path).unwrap();
                if let Some(elf) = ElfFile::of(&file) {
                    let _ = (elf.loader(), elf.needed_libraries());
                }
            }
        }
    }
}
