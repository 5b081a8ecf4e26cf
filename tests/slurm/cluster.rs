//! A private Slurm: two nodes of two cores on the loopback interface, all files in a
//! temporary folder, without systemd and without accounting.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    fs,
    io::Read,
    net::{Ipv4Addr, TcpListener},
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use tempfile::TempDir;

use crate::support::patience::try_wait_until;

/// How long a daemon may take to end by itself before it is killed.
const PATIENCE_AT_THE_END: Duration = Duration::from_secs(5);

/// A running Slurm, which ends when the value is dropped.
pub(crate) struct Cluster {
    folder: TempDir,
    /// By name, in the order in which they are started. All stay in the foreground, so
    /// that they are children of this process.
    daemons: RefCell<BTreeMap<&'static str, Child>>,
}

impl Cluster {
    /// What this machine lacks for a cluster, if anything.
    pub(crate) fn missing() -> Option<String> {
        let advice = "install it with `apt-get install slurm-wlm munge`";
        for program in ["munged", "slurmctld", "slurmd"] {
            if !Path::new("/usr/sbin").join(program).exists() {
                return Some(format!("{program} is missing; {advice}"));
            }
        }
        let is_root = fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0);
        (!is_root).then(|| "the daemons of Slurm need root; run the tests as root".to_owned())
    }

    /// Starts authentication, controller and nodes.
    pub(crate) fn start() -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let cluster = Self {
            folder,
            daemons: RefCell::default(),
        };
        cluster.configure().map_err(|error| error.to_string())?;
        let path = |name: &str| cluster.path(name).display().to_string();
        cluster.spawn(
            "a-munged",
            Command::new("/usr/sbin/munged").args([
                "--foreground",
                "--force",
                "--num-threads=2",
                &format!("--key-file={}", path("munge.key")),
                &format!("--socket={}", path("munge.sock")),
                &format!("--pid-file={}", path("munged.pid")),
                &format!("--log-file={}", path("munged.log")),
                &format!("--seed-file={}", path("munged.seed")),
            ]),
        )?;
        try_wait_until("munged", || cluster.path("munge.sock").exists())?;
        cluster.spawn(
            "b-slurmctld",
            Command::new("/usr/sbin/slurmctld").args(["-D", "-c"]),
        )?;
        cluster.start_node("n1")?;
        cluster.start_node("n2")?;
        cluster.wait_for_nodes()?;
        Ok(cluster)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn configure(&self) -> std::io::Result<()> {
        let folder = self.folder.path();
        // munged rejects keys and sockets in a folder that other users may write to.
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755))?;
        for name in ["state", "n1", "n2"] {
            fs::create_dir(folder.join(name))?;
        }
        let mut key = [0; 1024];
        fs::File::open("/dev/urandom")?.read_exact(&mut key)?;
        fs::write(self.path("munge.key"), key)?;
        fs::set_permissions(self.path("munge.key"), fs::Permissions::from_mode(0o600))?;
        let host = fs::read_to_string("/proc/sys/kernel/hostname")?;
        let host = host.trim();
        let [controller, n1, n2] = free_ports()?;
        let folder = folder.display();
        let node = |name: &str, port: u16| {
            format!(
                "NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=2 \
                 RealMemory=20000\n"
            )
        };
        let text = format!(
            "ClusterName=arena\nSlurmctldHost=localhost(127.0.0.1)\nSlurmUser=root\n\
             AuthType=auth/munge\nAuthInfo=socket={folder}/munge.sock,cred_expire=5\n\
             CommunicationParameters=NoInAddrAny,NoCtldInAddrAny\nSlurmctldPort={controller}\n\
             StateSaveLocation={folder}/state\nSlurmdSpoolDir={folder}/%n\n\
             SlurmctldPidFile={folder}/slurmctld.pid\nSlurmdPidFile={folder}/slurmd.%n.pid\n\
             SlurmctldLogFile={folder}/slurmctld.log\nSlurmdLogFile={folder}/slurmd.%n.log\n\
             ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n\
             JobAcctGatherType=jobacct_gather/none\nAccountingStorageType=accounting_storage/none\n\
             SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n\
             SlurmdParameters=config_overrides\nReturnToService=2\nSlurmctldTimeout=30\n\
             SlurmdTimeout=600\nMaxArraySize=9\nMinJobAge=3600\nJobRequeue=1\nMailProg=/bin/true\n\
             SchedulerParameters=sched_interval=2,batch_sched_delay=0,sched_min_interval=10000\n\
             {}{}PartitionName=main Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP\n",
            node("n1", n1),
            node("n2", n2)
        );
        fs::write(self.conf(), text)
    }

    fn conf(&self) -> PathBuf {
        self.path("slurm.conf")
    }

    fn spawn(&self, name: &'static str, command: &mut Command) -> Result<(), String> {
        let child = command
            .env("SLURM_CONF", self.conf())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{name} cannot be started: {error}"))?;
        self.daemons.borrow_mut().insert(name, child);
        Ok(())
    }

    /// Starts a node, or starts it again.
    pub(crate) fn start_node(&self, name: &'static str) -> Result<(), String> {
        self.spawn(
            name,
            Command::new("/usr/sbin/slurmd").args(["-D", "-N", name]),
        )
    }

    /// Both nodes are ready for jobs.
    pub(crate) fn wait_for_nodes(&self) -> Result<(), String> {
        try_wait_until("two idle nodes", || {
            let answer = self
                .command("sinfo")
                .args(["-h", "-t", "idle", "-o", "%D"])
                .output();
            answer.is_ok_and(|answer| answer.stdout.trim_ascii() == b"2")
        })
    }

    /// Kills a node with everything on it, as a power cut would.
    pub(crate) fn kill_node(&self, name: &str) {
        let mut daemons = self.daemons.borrow_mut();
        let slurmd = daemons.get_mut(name).expect("a node of this name");
        slurmd.kill().expect("our own child");
        slurmd.wait().expect("it has ended");
        for process in self.processes() {
            if is_on_node(process, name) || is_step_of(process, name) {
                let _ = kill(Pid::from_raw(process), Signal::SIGKILL);
            }
        }
        // Without a health check, Slurm notices it after `SlurmdTimeout`.
        let node = format!("NodeName={name}");
        let told = self
            .command("scontrol")
            .args(["update", &node, "State=DOWN", "Reason=dead"])
            .status();
        assert!(told.is_ok_and(|status| status.success()));
    }

    /// A command that talks to this Slurm.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("SLURM_CONF", self.conf()).stdin(Stdio::null());
        command
    }

    /// Where the daemons keep their configuration: in the environment of everything they
    /// start.
    pub(crate) fn variable(&self) -> (&'static str, PathBuf) {
        ("SLURM_CONF", self.conf())
    }

    /// All processes that belong to this Slurm, its tasks included.
    pub(crate) fn processes(&self) -> Vec<i32> {
        let ours = format!("SLURM_CONF={}", self.conf().display());
        process_numbers()
            .filter(|process| environment(*process).contains(&ours))
            .collect()
    }
}

/// The numbers of all processes.
pub(crate) fn process_numbers() -> impl Iterator<Item = i32> {
    let entries = fs::read_dir("/proc").expect("Linux");
    entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
}

/// The process that started this one; nothing if it has ended.
pub(crate) fn parent(process: i32) -> Option<i32> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let mut lines = status.lines();
    let parent = lines.find_map(|line| line.strip_prefix("PPid:"))?;
    parent.trim().parse().ok()
}

/// Whether a node of the cluster has started a process.
pub(crate) fn is_on_node(process: i32, node: &str) -> bool {
    environment(process).contains(&format!("SLURMD_NODENAME={node}"))
}

/// The environment a process was started with.
fn environment(process: i32) -> Vec<String> {
    let bytes = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
    let variables = bytes.split(|byte| *byte == 0);
    variables
        .map(|text| String::from_utf8_lossy(text).into_owned())
        .collect()
}

/// The command line of a process.
pub(crate) fn command_line(process: i32) -> Vec<String> {
    let bytes = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
    let words = bytes.split(|byte| *byte == 0);
    words
        .map(|word| String::from_utf8_lossy(word).into_owned())
        .collect()
}

/// Whether a process is Slurm's supervisor of a task on a node. It lacks the variable that
/// identifies the cluster, but its child, the task, has it.
fn is_step_of(process: i32, node: &str) -> bool {
    let children = fs::read_to_string(format!("/proc/{process}/task/{process}/children"));
    let children = children.unwrap_or_default();
    let is_step = command_line(process)
        .first()
        .is_some_and(|name| name.contains("slurmstepd"));
    is_step
        && children
            .split_whitespace()
            .filter_map(|child| child.parse().ok())
            .any(|child| is_on_node(child, node))
}

fn free_ports() -> std::io::Result<[u16; 3]> {
    // All listeners are open at the same time, so that the ports differ.
    let listeners = [(); 3].map(|()| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)));
    let mut ports = [0; 3];
    for (port, listener) in ports.iter_mut().zip(listeners) {
        *port = listener?.local_addr()?.port();
    }
    Ok(ports)
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // First what is left of the jobs, then the daemons, each by its process number.
        let daemons: Vec<i32> = self
            .daemons
            .borrow()
            .values()
            .filter_map(|child| child.id().try_into().ok())
            .collect();
        for process in self.processes() {
            if !daemons.contains(&process) {
                let _ = kill(Pid::from_raw(process), Signal::SIGKILL);
            }
        }
        // SIGTERM first, so that they end their own children; nodes before the controller,
        // authentication last.
        for child in self.daemons.borrow_mut().values_mut().rev() {
            let process = i32::try_from(child.id()).expect("a process number");
            let _ = kill(Pid::from_raw(process), Signal::SIGTERM);
            let start = Instant::now();
            while matches!(child.try_wait(), Ok(None)) && start.elapsed() < PATIENCE_AT_THE_END {
                thread::sleep(Duration::from_millis(20));
            }
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
