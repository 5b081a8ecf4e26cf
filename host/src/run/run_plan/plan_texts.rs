//! The texts of a plan that are only shown: made short where they are read.
//!
//! A stranger's plan may have megabytes where hosts write a few words. What a host writes stays
//! as it is, because a run is continued with the plan that was read.

use crate::{
    agents::inspection::cut_texts,
    run::{game_record::GameRecord, machine::Machine, run_plan::RunPlan},
    text::strangers_words::beginning_on_one_line,
};

const LONGEST_VERSION: usize = 100;
const LONGEST_MACHINE: usize = 200;
/// The longest path of a file.
const LONGEST_FILE: usize = 4096;

/// Cuts the texts that decide nothing.
pub(super) fn cut(plan: &mut RunPlan) {
    shorten(&mut plan.host_version, LONGEST_VERSION);
    cut_machine(&mut plan.machine);
    for part in &mut plan.machines {
        cut_machine(&mut part.machine);
    }
    for agent in &mut plan.agents {
        cut_texts(&mut agent.plugin.info);
    }
    for left_out in &mut plan.left_out {
        shorten(&mut left_out.file, LONGEST_FILE);
        left_out.reason = beginning_on_one_line(&left_out.reason, GameRecord::LONGEST_SENTENCE);
    }
}

fn cut_machine(machine: &mut Machine) {
    shorten(&mut machine.cpu, LONGEST_MACHINE);
    shorten(&mut machine.kernel, LONGEST_MACHINE);
}

fn shorten(text: &mut String, longest: usize) {
    if let Some((end, _)) = text.char_indices().nth(longest) {
        text.truncate(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{example::plan, run_plan::LeftOut};

    #[test]
    fn megabytes_of_a_stranger_are_not_kept() {
        let long = "word\n”`".repeat(1_000_000);
        let mut plan = plan(4, &["a"]);
        plan.host_version.clone_from(&long);
        plan.machine.cpu.clone_from(&long);
        plan.machine.kernel.clone_from(&long);
        plan.machines = plan.played_on();
        plan.agents[0].plugin.info.description.clone_from(&long);
        plan.left_out.push(LeftOut {
            file: long.clone(),
            name: "b".into(),
            reason: long,
        });
        cut(&mut plan);
        let written = serde_json::to_string(&plan).unwrap();
        assert!(written.len() < 20_000, "{} bytes", written.len());
        assert!(plan.left_out[0].reason.starts_with("word ”`word ”`"));
    }

    #[test]
    fn what_a_host_writes_stays_as_it_is() {
        let mut read = plan(4, &["a", "b"]);
        read.machine = Machine::this();
        read.machines = read.played_on();
        read.machines[0].machine.cpu = "Intel(R) Xeon(R) CPU           X5650  @ 2.67GHz".into();
        let written = read.clone();
        cut(&mut read);
        assert_eq!(read, written);
    }
}
