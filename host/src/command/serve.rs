//! `host serve`: the web page.

use std::{
    io::{self, Write},
    net::SocketAddr,
    path::PathBuf,
    process::{Command, Stdio},
};

use anyhow::anyhow;
use arena2048::{
    exit_code,
    plugin_finder::PluginFinder,
    serve::{Server, ServerOptions},
};
use tokio::signal::unix::{SignalKind, signal};

use super::{CommandError, CommandResult};
use crate::command_line::ServeArguments;

pub(crate) fn serve(arguments: &ServeArguments) -> CommandResult {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(serve_until_interrupted(arguments))?;
    // Workers die with the host: the kernel sees to it.
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
                "choose another with --port, or --port 0 for any that is free"
            }
            _ => "choose an --address of this machine, or leave it out",
        };
        CommandError::new(
            exit_code::UNEXPECTED,
            anyhow!("{address} cannot be used: {error}; {way_out}"),
        )
    })?;
    let url = server.url()?;
    writeln!(io::stdout(), "{url}")?;
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

/// What is there has to be a folder; what is not may come.
fn check_folders(arguments: &ServeArguments) -> Result<(), CommandError> {
    let mut folders = arguments.run.iter().chain([&arguments.out]);
    match folders.find(|path| path.exists() && !path.is_dir()) {
        None => Ok(()),
        Some(path) => Err(CommandError::new(
            exit_code::USAGE,
            anyhow!(
                "`{}` is no folder; a run is the folder that `host run` left",
                path.display()
            ),
        )),
    }
}

/// Those that were given, or all below `runs`.
fn runs_to_show(arguments: &ServeArguments) -> Vec<PathBuf> {
    if arguments.run.is_empty() {
        vec![PathBuf::from("runs")]
    } else {
        arguments.run.clone()
    }
}

fn announce(arguments: &ServeArguments, url: &str) {
    // Nobody is left to be told when the standard error output is closed.
    let say = |sentence: String| {
        let _ = writeln!(io::stderr(), "{sentence}");
    };
    for run in arguments.run.iter().filter(|run| !run.exists()) {
        say(format!(
            "`{}` is not there yet; it is shown when it is",
            run.display()
        ));
    }
    if !arguments.address.is_loopback() {
        say(format!(
            "warning: everybody who can reach {} may start games here; without --address only this machine can",
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
                "warning: no browser could be opened with xdg-open: {error}"
            ));
        }
    }
    say("open it in a browser; Ctrl-C ends it".to_owned());
}
