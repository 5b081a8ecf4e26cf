//! `host serve`: the web page, until Ctrl-C.

use std::{
    io::{self, Write},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use play::agents::plugin_finder::PluginFinder;
use run::plan_error::PlanError;
use serve::{Server, ServerOptions};

use crate::command::{command_line::ServeArguments, exit_code};
use anyhow::anyhow;
use tokio::signal::unix::{SignalKind, signal};

use super::{CommandError, CommandResult, StandardOutput};

pub(crate) fn serve(arguments: &ServeArguments) -> CommandResult {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(serve_until_interrupted(arguments))?;
    // No need to stop the workers: the kernel kills them when the host ends.
    runtime.shutdown_background();
    Ok(exit_code::OK)
}

async fn serve_until_interrupted(arguments: &ServeArguments) -> Result<(), CommandError> {
    check_folders(arguments)?;
    let address = SocketAddr::new(arguments.address, arguments.port);
    let options = ServerOptions {
        address,
        finder: PluginFinder::new(&arguments.plugins.folders, None),
        runs: runs_to_show(arguments),
        saved: arguments.out.clone(),
    };
    let server = Server::bind(options).await.map_err(|error| {
        let way_out = match error.kind() {
            io::ErrorKind::AddrInUse => {
                "choose another port with --port, or use --port 0 for any free port"
            }
            _ => "choose an address of this machine with --address, or omit the option",
        };
        CommandError::new(
            exit_code::UNEXPECTED,
            anyhow!("cannot listen on {address}: {error}; {way_out}"),
        )
    })?;
    let url = server.url()?;
    writeln!(StandardOutput::default(), "{url}")?;
    announce(arguments, &url);
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let end = async {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    };
    Ok(server.serve_until(end).await?)
}

/// A path that exists has to be a folder; one that does not may appear later.
fn check_folders(arguments: &ServeArguments) -> Result<(), CommandError> {
    let is_wrong = |path: &Path| path.exists() && !path.is_dir();
    let message = if let Some(run) = arguments.run.iter().find(|run| is_wrong(run)) {
        PlanError::of_file(run).to_string()
    } else if is_wrong(&arguments.out) {
        format!(
            "--out `{}` is not a folder; expected a folder for saved games",
            arguments.out.display()
        )
    } else {
        return Ok(());
    };
    Err(CommandError::new(exit_code::USAGE, anyhow!(message)))
}

/// The folders given, or `runs`.
fn runs_to_show(arguments: &ServeArguments) -> Vec<PathBuf> {
    if arguments.run.is_empty() {
        vec![PathBuf::from("runs")]
    } else {
        arguments.run.clone()
    }
}

fn announce(arguments: &ServeArguments, url: &str) {
    // If stderr is closed, the line is lost.
    let say = |sentence: String| {
        let _ = writeln!(io::stderr(), "{sentence}");
    };
    for run in arguments.run.iter().filter(|run| !run.exists()) {
        say(format!(
            "`{}` does not exist yet; it will be shown when it does",
            run.display()
        ));
    }
    if !arguments.address.is_loopback() {
        say(format!(
            "warning: every machine that can reach {} can start games here; omit --address to allow this machine only",
            arguments.address
        ));
    }
    if arguments.open {
        let opened = Command::new("xdg-open")
            .arg(url)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        if let Err(error) = opened {
            say(format!(
                "warning: cannot open a browser with xdg-open: {error}"
            ));
        }
    }
    say("open the address in a browser; press Ctrl-C to stop".to_owned());
}
