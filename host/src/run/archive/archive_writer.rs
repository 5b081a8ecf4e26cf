//! Writes an archive.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, BufWriter, Read, Write},
    path::Path,
    time::UNIX_EPOCH,
};

use tar::{Builder, EntryType, Header};

use super::{ArchiveSummary, CHECKSUMS, COPIED, Description, Hashing, REPORT_JSON};
use crate::run::{
    atomic_file,
    game_log::OpenLog,
    run_files,
    run_folder::RunFolder,
    run_plan::RunPlan,
    unlinked::{self, InnerFolder},
};

/// How strongly the log is compressed: the standard of `zstd`. Stronger levels gain a few
/// percent and take ten times as long.
const LEVEL: i32 = 3;

/// A file of stderr is shorter.
const LONGEST_STDERR: u64 = 1 << 20;

/// The report of a run, which is part of its archive.
#[derive(Clone, Copy, Debug)]
pub struct ArchivedReport<'r> {
    pub json: &'r str,
    pub page: &'r str,
    /// How many games are planned, played and missing, as in the report.
    pub games: &'r serde_json::Value,
}

/// Writes the run in a folder to a file, in one step.
///
/// # Errors
/// When the run cannot be read or the file cannot be written.
pub fn write(
    run: &Path,
    plan: &RunPlan,
    report: ArchivedReport<'_>,
    file: &Path,
) -> io::Result<ArchiveSummary> {
    let has_secret_salt = plan.published_salt.is_none();
    let mut summary = ArchiveSummary {
        name: plan.tournament.name.clone(),
        n_files: 0,
        n_bytes: 0,
        has_secret_salt,
    };
    let write_all = |writer: &mut BufWriter<File>| {
        let mut archive = ArchiveWriter {
            tar: Builder::new(writer),
            name: &plan.tournament.name,
            changed: RunFolder::last_change(run)
                .and_then(|time| time.duration_since(UNIX_EPOCH).ok())
                .map_or(0, |time| time.as_secs()),
            checksums: BTreeMap::new(),
        };
        archive.add_run(run, plan, report)?;
        summary.n_files = archive.checksums.len() + 1;
        archive.finish()
    };
    if has_secret_salt {
        atomic_file::replace_private_with(file, write_all)?;
    } else {
        atomic_file::replace_with(file, write_all)?;
    }
    summary.n_bytes = fs::metadata(file)?.len();
    Ok(summary)
}

struct ArchiveWriter<'a> {
    tar: Builder<&'a mut BufWriter<File>>,
    name: &'a str,
    /// All files have the time of the log, so that an archive made again is the same.
    changed: u64,
    /// By the path within the folder.
    checksums: BTreeMap<String, String>,
}

impl ArchiveWriter<'_> {
    fn add_run(
        &mut self,
        run: &Path,
        plan: &RunPlan,
        report: ArchivedReport<'_>,
    ) -> io::Result<()> {
        let description = Description::of(plan, report.games.clone());
        let description = serde_json::to_vec_pretty(&description)?;
        self.add(super::DESCRIPTION, &description)?;
        for name in COPIED {
            match unlinked::open(&run.join(name)) {
                Ok(file) => self.add_file(name, &file)?,
                Err(error) if error.kind() == io::ErrorKind::NotFound => (),
                Err(error) => return Err(error),
            }
        }
        self.add(REPORT_JSON, report.json.as_bytes())?;
        self.add(run_files::REPORT_PAGE, report.page.as_bytes())?;
        self.add_stderr_files(run)?;
        self.add_log(run, plan)
    }

    fn add_stderr_files(&mut self, run: &Path) -> io::Result<()> {
        let folder = run_files::stderr_folder(run);
        let Ok(entries) = fs::read_dir(&folder) else {
            return Ok(());
        };
        let mut names: Vec<String> = entries
            .flatten()
            .filter_map(|entry| entry.file_name().into_string().ok())
            .collect();
        names.sort_unstable();
        let inner = InnerFolder::open(&folder)?;
        for name in names {
            let text = inner.read_beginning(&name, LONGEST_STDERR)?;
            let path = format!("{}/{name}", run_files::STDERR_FOLDER);
            self.add(&path, &text)?;
        }
        Ok(())
    }

    /// Adds the log, compressed.
    fn add_log(&mut self, run: &Path, plan: &RunPlan) -> io::Result<()> {
        let Some(log) = OpenLog::of_run(run, plan)? else {
            return Ok(());
        };
        let path = run_files::compressed(Path::new(run_files::GAME_LOG));
        let path = path.display().to_string();
        let mut header = self.header(0);
        let entry = self
            .tar
            .append_writer(&mut header, format!("{}/{path}", self.name))?;
        let mut entry = Hashing::new(entry);
        let mut encoder = zstd::Encoder::new(&mut entry, LEVEL)?;
        // A flipped bit is found when it is read.
        encoder.include_checksum(true)?;
        log.copy_to(&mut encoder)?;
        encoder.finish()?;
        let Hashing { stream, digest } = entry;
        stream.finish()?;
        let checksum = Hashing { stream: (), digest }.finish();
        self.checksums.insert(path, checksum);
        Ok(())
    }

    fn add(&mut self, path: &str, content: &[u8]) -> io::Result<()> {
        self.add_content(path, content.len() as u64, content)
    }

    fn add_file(&mut self, path: &str, file: &File) -> io::Result<()> {
        let length = file.metadata()?.len();
        self.add_content(path, length, file.take(length))
    }

    fn add_content(&mut self, path: &str, length: u64, content: impl Read) -> io::Result<()> {
        let mut header = self.header(length);
        let mut content = Hashing::new(content);
        let full = format!("{}/{path}", self.name);
        self.tar.append_data(&mut header, full, &mut content)?;
        self.checksums.insert(path.to_owned(), content.finish());
        Ok(())
    }

    fn header(&self, length: u64) -> Header {
        let mut header = Header::new_gnu();
        header.set_entry_type(EntryType::Regular);
        header.set_mode(0o644);
        header.set_mtime(self.changed);
        header.set_size(length);
        header
    }

    fn finish(mut self) -> io::Result<()> {
        let lines = self.checksums.iter();
        let lines = lines.map(|(path, checksum)| format!("{checksum}  {path}\n"));
        let text = lines.collect::<Vec<_>>().concat();
        self.add(CHECKSUMS, text.as_bytes())?;
        self.tar.into_inner()?.flush()
    }
}
