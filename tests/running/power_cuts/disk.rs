//! A model of a disk: what has reached it, and what a power cut may drop.
//!
//! The model promises no more than POSIX does. What was written to a file is safe after a
//! sync of the file; a name is safe after a sync of its folder. Everything else may be there
//! after the cut or not, in any order.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    path::{Path, PathBuf},
};

use super::recording::Call;

/// The files after a power cut; folders have no content.
pub(super) type CrashState = BTreeMap<PathBuf, Option<Vec<u8>>>;

/// What a name stands for.
#[derive(Clone, Debug, PartialEq)]
enum Node {
    Folder,
    /// Index into the files.
    File(usize),
}

#[derive(Clone, Debug, Default)]
struct StoredFile {
    synced: Vec<u8>,
    /// Changes since the last sync.
    pending: Vec<Change>,
    /// The content that programs see.
    current: Vec<u8>,
}

#[derive(Clone, Debug)]
enum Change {
    Append(Vec<u8>),
    Cut(usize),
}

/// A change of the names in a folder.
#[derive(Clone, Debug)]
enum Naming {
    Add(PathBuf, Node),
    Move(PathBuf, PathBuf),
    Drop(PathBuf),
}

#[derive(Clone, Debug, Default)]
pub(super) struct Disk {
    files: Vec<StoredFile>,
    /// The names that programs see.
    current: BTreeMap<PathBuf, Node>,
    synced: BTreeMap<PathBuf, Node>,
    pending: Vec<Naming>,
    /// What open descriptors stand for.
    descriptors: HashMap<u32, (PathBuf, Node)>,
}

/// What becomes of the changes that were not synced.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fate {
    /// Nothing reaches the disk.
    AllLost,
    /// Everything does, as when only the program is killed.
    AllKept,
    /// Names do and contents do not: files are empty.
    OnlyNames,
    /// Contents do and names do not.
    OnlyContents,
    /// Files have their length, but zeros instead of what was appended.
    Zeros,
    /// A part of it, drawn with this number.
    Some(u64),
}

impl Disk {
    /// A disk with the files of a folder, all of them safe.
    pub(super) fn of(folder: &Path) -> Self {
        let mut disk = Self::default();
        disk.load(folder, folder);
        disk.synced = disk.current.clone();
        disk
    }

    fn load(&mut self, root: &Path, folder: &Path) {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            let name = path
                .strip_prefix(root)
                .expect("below the root")
                .to_path_buf();
            if path.is_dir() {
                self.current.insert(name, Node::Folder);
                self.load(root, &path);
            } else {
                let content = fs::read(&path).expect("a file");
                self.files.push(StoredFile {
                    synced: content.clone(),
                    current: content,
                    pending: Vec::new(),
                });
                self.current.insert(name, Node::File(self.files.len() - 1));
            }
        }
    }

    /// Does what a program did.
    pub(super) fn apply(&mut self, call: &Call) {
        match call {
            Call::Open {
                descriptor,
                creates,
                truncates,
                path,
            } => {
                if *creates && !self.current.contains_key(path) {
                    self.files.push(StoredFile::default());
                    let node = Node::File(self.files.len() - 1);
                    self.name(Naming::Add(path.clone(), node));
                }
                let root = Node::Folder;
                let node = self.current.get(path).unwrap_or(&root).clone();
                if let (Node::File(file), true) = (&node, truncates) {
                    self.change(*file, Change::Cut(0));
                }
                self.descriptors.insert(*descriptor, (path.clone(), node));
            }
            Call::Copy { descriptor, copy } => {
                let target = self.descriptors[descriptor].clone();
                self.descriptors.insert(*copy, target);
            }
            Call::Close(descriptor) => drop(self.descriptors.remove(descriptor)),
            Call::Write(descriptor, bytes) => {
                self.change(self.file(*descriptor), Change::Append(bytes.clone()));
            }
            Call::Cut(descriptor, length) => {
                self.change(self.file(*descriptor), Change::Cut(*length));
            }
            Call::Sync(descriptor) => match self.descriptors[descriptor].clone() {
                (_, Node::File(file)) => self.files[file].sync(),
                (folder, Node::Folder) => self.sync_names(&folder),
            },
            Call::Rename(from, to) => self.name(Naming::Move(from.clone(), to.clone())),
            Call::Remove(path) => self.name(Naming::Drop(path.clone())),
            Call::Folder(path) => self.name(Naming::Add(path.clone(), Node::Folder)),
        }
    }

    fn file(&self, descriptor: u32) -> usize {
        match self.descriptors[&descriptor] {
            (_, Node::File(file)) => file,
            (ref path, Node::Folder) => panic!("{} is a folder", path.display()),
        }
    }

    fn change(&mut self, file: usize, change: Change) {
        change.apply(&mut self.files[file].current);
        self.files[file].pending.push(change);
    }

    fn name(&mut self, naming: Naming) {
        naming.apply(&mut self.current);
        self.pending.push(naming);
    }

    fn sync_names(&mut self, folder: &Path) {
        let is_here = |naming: &Naming| {
            let parent = naming.path().parent().filter(|p| !p.as_os_str().is_empty());
            parent.unwrap_or(Path::new(".")) == folder
        };
        let (here, elsewhere) = self.pending.drain(..).partition(is_here);
        self.pending = elsewhere;
        let here: Vec<Naming> = here;
        for naming in here {
            naming.apply(&mut self.synced);
        }
    }

    /// The content of a file that survives every power cut.
    pub(super) fn safe_content(&self, path: &Path) -> Option<&[u8]> {
        match self.synced.get(path)? {
            // A file that will be removed or replaced is safe until then only.
            Node::File(file) if self.current.get(path) == Some(&Node::File(*file)) => {
                Some(&self.files[*file].synced)
            }
            _ => None,
        }
    }

    /// What is on the disk after a power cut.
    pub(super) fn after_cut(&self, fate: Fate) -> CrashState {
        let mut chance = Chance(match fate {
            Fate::Some(number) => number,
            _ => 0,
        });
        let mut names = self.synced.clone();
        let mut lost: Vec<PathBuf> = Vec::new();
        for naming in &self.pending {
            let is_kept = match fate {
                Fate::AllLost | Fate::OnlyContents => false,
                Fate::AllKept | Fate::OnlyNames | Fate::Zeros => true,
                // Changes of one name keep their order.
                Fate::Some(_) => {
                    !naming.paths().iter().any(|path| lost.contains(path)) && chance.is_kept()
                }
            };
            if is_kept {
                naming.apply(&mut names);
            } else {
                lost.extend(naming.paths());
            }
        }
        // Without its folder a file cannot be found.
        let has_folder = |path: &Path| {
            let parents = path.ancestors().skip(1);
            let mut parents = parents.filter(|parent| !parent.as_os_str().is_empty());
            parents.all(|parent| names.get(parent) == Some(&Node::Folder))
        };
        let found = names.iter().filter(|(path, _)| has_folder(path));
        let content = |node: &Node| match node {
            Node::Folder => None,
            Node::File(file) => Some(*file),
        };
        let found: Vec<(PathBuf, Option<usize>)> = found
            .map(|(path, node)| (path.clone(), content(node)))
            .collect();
        let stored = |file: usize, chance: &mut Chance| self.files[file].after_cut(fate, chance);
        found
            .into_iter()
            .map(|(path, file)| (path, file.map(|file| stored(file, &mut chance))))
            .collect()
    }
}

impl StoredFile {
    fn sync(&mut self) {
        self.synced.clone_from(&self.current);
        self.pending.clear();
    }

    fn after_cut(&self, fate: Fate, draw: &mut Chance) -> Vec<u8> {
        let mut content = self.synced.clone();
        for change in &self.pending {
            match (fate, change) {
                (Fate::AllLost | Fate::OnlyNames, _) => (),
                (Fate::AllKept | Fate::OnlyContents, _) | (_, Change::Cut(_)) => {
                    change.apply(&mut content);
                }
                (Fate::Zeros, Change::Append(bytes)) => {
                    content.extend(std::iter::repeat_n(0, bytes.len()));
                }
                (Fate::Some(_), Change::Append(bytes)) => match draw.below(4) {
                    0 => content.extend(bytes),
                    1 => content.extend(std::iter::repeat_n(0, bytes.len())),
                    2 => content.extend(&bytes[..draw.below(bytes.len() + 1)]),
                    _ => return content,
                },
            }
        }
        content
    }
}

impl Change {
    fn apply(&self, content: &mut Vec<u8>) {
        match self {
            Self::Append(bytes) => content.extend(bytes),
            Self::Cut(length) => content.truncate(*length),
        }
    }
}

impl Naming {
    /// The name that tells the folder; renaming never crosses folders here.
    fn path(&self) -> &Path {
        match self {
            Self::Add(path, _) | Self::Move(_, path) | Self::Drop(path) => path,
        }
    }

    fn paths(&self) -> Vec<PathBuf> {
        match self {
            Self::Add(path, _) | Self::Drop(path) => vec![path.clone()],
            Self::Move(from, to) => vec![from.clone(), to.clone()],
        }
    }

    fn apply(&self, names: &mut BTreeMap<PathBuf, Node>) {
        match self {
            Self::Add(path, node) => drop(names.insert(path.clone(), node.clone())),
            Self::Move(from, to) => {
                if let Some(node) = names.remove(from) {
                    names.insert(to.clone(), node);
                }
            }
            Self::Drop(path) => drop(names.remove(path)),
        }
    }
}

/// Numbers that are the same in every execution (`SplitMix64`).
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) >> 33).expect("31 bits") % limit
    }

    fn is_kept(&mut self) -> bool {
        self.below(2) == 0
    }
}
