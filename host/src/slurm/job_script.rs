//! The script of a job array: one task a shard.

use std::{
    fmt,
    num::{NonZeroU32, NonZeroUsize},
    path::{Path, PathBuf},
};

use crate::shell_word::quoted;

/// Everything the script says. Paths are absolute: a task may start anywhere.
#[derive(Clone, Debug)]
pub struct JobScript {
    /// The tournament's.
    pub name: String,
    pub n_shards: NonZeroU32,
    /// Games at once in one shard, each on a core of its own.
    pub workers: NonZeroUsize,
    pub partition: Option<String>,
    pub time: Option<String>,
    /// Further options for `sbatch`, as typed.
    pub sbatch_args: Vec<String>,
    /// The folder that the command was given in: `./agents` is looked for there.
    pub working_folder: PathBuf,
    pub host: PathBuf,
    pub tournament_file: PathBuf,
    /// Where the folders of the shards go.
    pub shards_folder: PathBuf,
    /// Where the tasks print to, one file a shard.
    pub output_folder: PathBuf,
    pub plugin_folders: Vec<PathBuf>,
    /// The variable `HOST_PLUGINS`; some clusters do not hand the environment on.
    pub host_plugins: Option<String>,
    pub salt_file: Option<PathBuf>,
}

impl JobScript {
    /// What cannot be written into a script: text that would end its line.
    #[must_use]
    pub fn unusable_text(&self) -> Option<&str> {
        let typed = self
            .sbatch_args
            .iter()
            .chain(&self.partition)
            .chain(&self.time);
        let paths = [
            &self.working_folder,
            &self.host,
            &self.tournament_file,
            &self.shards_folder,
            &self.output_folder,
        ];
        let paths = paths
            .into_iter()
            .chain(&self.plugin_folders)
            .chain(&self.salt_file);
        let paths = paths.filter_map(|path| path.to_str());
        let mut texts = typed
            .map(String::as_str)
            .chain(paths)
            .chain(self.host_plugins.as_deref());
        texts.find(|text| text.contains(['\n', '\r', '\0']))
    }

    fn options(&self) -> Vec<String> {
        let mut options = vec![
            format!("--job-name=arena2048-{}", self.name),
            format!("--array=1-{}", self.n_shards),
            "--ntasks=1".to_owned(),
            format!("--cpus-per-task={}", self.workers),
            "--requeue".to_owned(),
            "--open-mode=append".to_owned(),
            format!("--output={}", in_option(&self.output_folder, "/%a.log")),
        ];
        options.extend(
            self.partition
                .iter()
                .map(|name| format!("--partition={name}")),
        );
        options.extend(self.time.iter().map(|time| format!("--time={time}")));
        options.extend(self.sbatch_args.iter().cloned());
        options
    }

    fn command(&self) -> String {
        let mut words = vec![
            in_shell(&self.host),
            "run".to_owned(),
            in_shell(&self.tournament_file),
            format!("--shard \"$shard/{}\" --out \"$folder\"", self.n_shards),
            format!("--workers {}", self.workers),
        ];
        let folders = self.plugin_folders.iter().map(|path| in_shell(path));
        words.extend(folders.map(|folder| format!("--plugins {folder}")));
        let salt = self.salt_file.iter().map(|path| in_shell(path));
        words.extend(salt.map(|file| format!("--salt-file {file}")));
        words.join(" ")
    }
}

impl fmt::Display for JobScript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "#!/bin/sh")?;
        writeln!(
            f,
            "# Written by `host submit`: the shards of tournament {}, one task each.",
            self.name
        )?;
        for option in self.options() {
            writeln!(f, "#SBATCH {option}")?;
        }
        writeln!(f, "\ncd {} || exit 1", in_shell(&self.working_folder))?;
        if let Some(folders) = &self.host_plugins {
            writeln!(f, "export HOST_PLUGINS={}", quoted(folders))?;
        }
        let (folder, n_shards) = (in_shell(&self.shards_folder), self.n_shards);
        writeln!(f, "shard=$SLURM_ARRAY_TASK_ID")?;
        writeln!(f, "folder={folder}/$shard-of-{n_shards}")?;
        writeln!(f, "{SIZE}")?;
        writeln!(f, "    {}", self.command())?;
        f.write_str(RETRY)
    }
}

const SIZE: &str = r#"log_size() { { wc -c < "$folder/games.jsonl"; } 2>/dev/null || echo 0; }

# A host that dies goes on from its own log, until five tries in a row recorded nothing.
tries=0
while :; do
    before=$(log_size)"#;

const RETRY: &str = r#"    code=$?
    case $code in
        0) exit 0 ;;
        2 | 3 | 4) exit "$code" ;; # wrong arguments, file or plugin stay wrong
        130) exit "$code" ;; # Slurm wants the job to end
    esac
    if [ "$(log_size)" -gt "$before" ]; then tries=0; else tries=$((tries + 1)); fi
    [ "$tries" -lt 5 ] || exit "$code"
    sleep $((1 + 4 * tries))
done
"#;

fn in_shell(path: &Path) -> String {
    quoted(&path.display().to_string())
}

/// A path in an option of `sbatch`, where `%` begins a replacement.
fn in_option(folder: &Path, more: &str) -> String {
    let folder = folder.display().to_string().replace('%', "%%");
    let escaped = folder.replace('\\', r"\\").replace('"', "\\\"");
    format!("\"{escaped}{more}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script() -> JobScript {
        JobScript {
            name: "spring".into(),
            n_shards: NonZeroU32::new(8).unwrap(),
            workers: NonZeroUsize::new(2).unwrap(),
            partition: Some("long".into()),
            time: Some("2:00:00".into()),
            sbatch_args: vec!["--account=games".into()],
            working_folder: "/users/me".into(),
            host: "/opt/it's/host".into(),
            tournament_file: "/users/me/a b.yaml".into(),
            shards_folder: "/users/me/runs/spring.shards".into(),
            output_folder: "/users/me/runs/100%/submit-of-8".into(),
            plugin_folders: vec!["/users/me/$(rm -rf x)".into()],
            host_plugins: Some("/a:/b".into()),
            salt_file: Some("/users/me/salt".into()),
        }
    }

    #[test]
    fn the_script_plays_a_shard_until_it_is_complete() {
        insta::assert_snapshot!(script(), @r##"
        #!/bin/sh
        # Written by `host submit`: the shards of tournament spring, one task each.
        #SBATCH --job-name=arena2048-spring
        #SBATCH --array=1-8
        #SBATCH --ntasks=1
        #SBATCH --cpus-per-task=2
        #SBATCH --requeue
        #SBATCH --open-mode=append
        #SBATCH --output="/users/me/runs/100%%/submit-of-8/%a.log"
        #SBATCH --partition=long
        #SBATCH --time=2:00:00
        #SBATCH --account=games

        cd /users/me || exit 1
        export HOST_PLUGINS=/a:/b
        shard=$SLURM_ARRAY_TASK_ID
        folder=/users/me/runs/spring.shards/$shard-of-8
        log_size() { { wc -c < "$folder/games.jsonl"; } 2>/dev/null || echo 0; }

        # A host that dies goes on from its own log, until five tries in a row recorded nothing.
        tries=0
        while :; do
            before=$(log_size)
            '/opt/it'\''s/host' run '/users/me/a b.yaml' --shard "$shard/8" --out "$folder" --workers 2 --plugins '/users/me/$(rm -rf x)' --salt-file /users/me/salt
            code=$?
            case $code in
                0) exit 0 ;;
                2 | 3 | 4) exit "$code" ;; # wrong arguments, file or plugin stay wrong
                130) exit "$code" ;; # Slurm wants the job to end
            esac
            if [ "$(log_size)" -gt "$before" ]; then tries=0; else tries=$((tries + 1)); fi
            [ "$tries" -lt 5 ] || exit "$code"
            sleep $((1 + 4 * tries))
        done
        "##);
    }

    #[test]
    fn text_that_would_end_a_line_is_refused() {
        assert_eq!(script().unusable_text(), None);
        let evil = JobScript {
            sbatch_args: vec!["--account=x\nrm -rf ~".into()],
            ..script()
        };
        assert_eq!(evil.unusable_text(), Some("--account=x\nrm -rf ~"));
    }
}
