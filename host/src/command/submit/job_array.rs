//! A job array that plays the shards of a tournament, one task per shard.

use std::{
    fmt::Write,
    num::{NonZeroU32, NonZeroUsize},
    path::PathBuf,
};

use run::{run_files, shard::Shard};
use text::shell_word::{quoted, quoted_path};

/// What the script of a job array depends on. Paths are absolute, because a task may start
/// in any folder.
#[derive(Clone, Debug)]
pub(crate) struct JobArray {
    /// The name of the tournament.
    pub(crate) name: String,
    pub(crate) n_shards: NonZeroU32,
    /// Games played at once in one shard, each on a core of its own.
    pub(crate) workers: NonZeroUsize,
    pub(crate) partition: Option<String>,
    /// The time limit of a task, as the batch system writes it.
    pub(crate) time: Option<String>,
    /// Further options for the batch system, as typed.
    pub(crate) options: Vec<String>,
    /// The folder in which the command was typed: plugins are searched in its `./agents`.
    pub(crate) working_folder: PathBuf,
    pub(crate) host: PathBuf,
    pub(crate) tournament_file: PathBuf,
    /// The parent of the shards' run folders.
    pub(crate) shards_folder: PathBuf,
    /// The folder for the output of the tasks, one file per shard.
    pub(crate) output_folder: PathBuf,
    pub(crate) plugin_folders: Vec<PathBuf>,
    /// The variable `HOST_PLUGINS`, which some clusters do not pass on.
    pub(crate) host_plugins: Option<String>,
    pub(crate) salt_file: Option<PathBuf>,
    /// The file that says which games are played next, where there is a stop rule.
    pub(crate) stage_file: Option<PathBuf>,
    /// The memory of a task in bytes.
    pub(crate) memory: u64,
    /// The exit codes of the host after which a task does not try again.
    pub(crate) final_codes: Vec<u8>,
}

impl JobArray {
    /// A text that cannot be part of a script, because it would end its line.
    #[must_use]
    pub(crate) fn unusable_text(&self) -> Option<&str> {
        let typed = self.options.iter().chain(&self.partition).chain(&self.time);
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
            .chain(&self.salt_file)
            .chain(&self.stage_file);
        let paths = paths.filter_map(|path| path.to_str());
        let mut texts = typed
            .map(String::as_str)
            .chain(paths)
            .chain(self.host_plugins.as_deref());
        texts.find(|text| text.contains(['\n', '\r', '\0']))
    }

    /// The shell commands of a task, after the options of the batch system. `task` is the
    /// shell expression for the number of the task, from 1.
    #[must_use]
    pub(crate) fn shell_commands(&self, task: &str) -> String {
        let mut text = format!("cd {} || exit 1\n", quoted_path(&self.working_folder));
        if let Some(folders) = &self.host_plugins {
            let _ = writeln!(text, "export HOST_PLUGINS={}", quoted(folders));
        }
        let (folder, n_shards) = (quoted_path(&self.shards_folder), self.n_shards);
        // An array after the first counts its shards from an argument.
        let output = quoted_path(&self.output_folder);
        let _ = writeln!(text, "shard=$(({task} + ${{1:-0}}))");
        let _ = writeln!(text, "[ $# -eq 0 ] || exec >> {output}/$shard.log 2>&1");
        let own_folder = Shard::folder_name_of("$shard", n_shards);
        let _ = writeln!(text, "folder={folder}/{own_folder}");
        let codes: Vec<String> = self.final_codes.iter().map(u8::to_string).collect();
        text += &RETRY_LOOP
            .replace("CODES", &codes.join(" | "))
            .replace("LOG", run_files::GAME_LOG)
            .replace("COMMAND", &self.command());
        text
    }

    fn command(&self) -> String {
        let mut words = vec![
            quoted_path(&self.host),
            "run".to_owned(),
            quoted_path(&self.tournament_file),
            format!("--shard \"$shard/{}\" --out \"$folder\"", self.n_shards),
            format!("--workers {}", self.workers),
        ];
        let folders = self.plugin_folders.iter().map(|path| quoted_path(path));
        words.extend(folders.map(|folder| format!("--plugins {folder}")));
        let salt = self.salt_file.iter().map(|path| quoted_path(path));
        words.extend(salt.map(|file| format!("--salt-file {file}")));
        let stage = self.stage_file.iter().map(|path| quoted_path(path));
        words.extend(stage.map(|file| format!("--stage {file}")));
        words.join(" ")
    }
}

/// Plays the shard; `LOG`, `COMMAND` and `CODES` are placeholders.
const RETRY_LOOP: &str = r#"log_size() { { wc -c < "$folder/LOG"; } 2>/dev/null || echo 0; }

# A host that dies resumes from its log. Give up after five attempts without a new game.
attempts=0
while :; do
    before=$(log_size)
    COMMAND
    code=$?
    case $code in
        0) exit 0 ;;
        CODES) exit "$code" ;; # retrying does not help, or the batch system ends the job
    esac
    if [ "$(log_size)" -gt "$before" ]; then attempts=0; else attempts=$((attempts + 1)); fi
    [ "$attempts" -lt 5 ] || exit "$code"
    sleep $((1 + 4 * attempts))
done
"#;

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::command::submit) fn job_array() -> JobArray {
        JobArray {
            name: "spring".into(),
            n_shards: NonZeroU32::new(8).unwrap(),
            workers: NonZeroUsize::new(2).unwrap(),
            partition: Some("long".into()),
            time: Some("2:00:00".into()),
            options: vec!["--account=games".into()],
            working_folder: "/users/me".into(),
            host: "/opt/it's/host".into(),
            tournament_file: "/users/me/a b.yaml".into(),
            shards_folder: "/users/me/runs/spring.shards".into(),
            output_folder: "/users/me/runs/100%/submit-of-8".into(),
            plugin_folders: vec!["/users/me/$(rm -rf x)".into()],
            host_plugins: Some("/a:/b".into()),
            salt_file: Some("/users/me/salt".into()),
            stage_file: None,
            memory: (2 * 4096 + 256) << 20,
            final_codes: vec![2, 130],
        }
    }

    #[test]
    fn every_path_is_quoted_for_the_shell() {
        let commands = job_array().shell_commands("$TASK");
        let (before, after) = commands.split_once("    code=$?").unwrap();
        insta::assert_snapshot!(before, @r##"
        cd /users/me || exit 1
        export HOST_PLUGINS=/a:/b
        shard=$(($TASK + ${1:-0}))
        [ $# -eq 0 ] || exec >> '/users/me/runs/100%/submit-of-8'/$shard.log 2>&1
        folder=/users/me/runs/spring.shards/$shard-of-8
        log_size() { { wc -c < "$folder/games.jsonl"; } 2>/dev/null || echo 0; }

        # A host that dies resumes from its log. Give up after five attempts without a new game.
        attempts=0
        while :; do
            before=$(log_size)
            '/opt/it'\''s/host' run '/users/me/a b.yaml' --shard "$shard/8" --out "$folder" --workers 2 --plugins '/users/me/$(rm -rf x)' --salt-file /users/me/salt
        "##);
        let (codes, after) = after.split_once("    esac").unwrap();
        assert!(
            codes.contains("        2 | 130) exit \"$code\" ;;"),
            "{codes}"
        );
        assert!(RETRY_LOOP.ends_with(after), "{after}");
    }

    #[test]
    fn text_that_would_end_a_line_is_rejected() {
        assert_eq!(job_array().unusable_text(), None);
        let evil = JobArray {
            options: vec!["--account=x\nrm -rf ~".into()],
            ..job_array()
        };
        assert_eq!(evil.unusable_text(), Some("--account=x\nrm -rf ~"));
    }
}
