//! `host serve`: a web page to watch agents play, replay games and follow tournaments.
//!
//! HTTP requests enter; JSON, server-sent events and the files of the page (`page/`) leave. The
//! server contains no game rules and stores no results of its own: live games are played by the
//! referee and the workers of a tournament (`live_session`), runs are read from their folders
//! (`run_catalog`), and the page displays the JSON that it receives.
//!
//! Start with `routes`, which lists every request that the server answers.

mod agent_catalog;
mod connections;
mod error_response;
mod event_stream;
mod game_moves;
mod live_session;
mod page;
mod page_script;
mod person_game;
mod question;
mod request_check;
mod results;
mod routes;
mod run_catalog;
mod saved_session;
mod session_registry;
mod solving;
mod views;

use std::{
    future::Future,
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::{net::TcpListener, time::interval};

use agent_catalog::AgentCatalog;
use play::agents::plugin_finder::PluginFinder;
use routes::ServerState;
use run_catalog::RunCatalog;
use session_registry::SessionRegistry;

/// How often the server looks for sessions without viewers.
const CLEANUP_INTERVAL: Duration = Duration::from_secs(1);

/// The address of a server and the folders it uses.
pub struct ServerOptions {
    pub address: SocketAddr,
    pub finder: PluginFinder,
    /// Run folders, or folders that contain run folders.
    pub runs: Vec<PathBuf>,
    /// Where live games are saved; runs in this folder are listed as well.
    pub saved: PathBuf,
}

/// A server that is bound to its address.
pub struct Server {
    listener: TcpListener,
    state: Arc<ServerState>,
}

impl Server {
    /// Binds the address.
    ///
    /// # Errors
    /// When the address is in use or does not belong to this machine.
    pub async fn bind(options: ServerOptions) -> io::Result<Self> {
        let listener = TcpListener::bind(options.address).await?;
        let mut roots = options.runs;
        roots.push(options.saved.clone());
        Ok(Self {
            listener,
            state: Arc::new(ServerState {
                agents: AgentCatalog::new(options.finder),
                sessions: SessionRegistry::default(),
                runs: RunCatalog::new(roots),
                saved: options.saved,
                n_streams: Arc::default(),
            }),
        })
    }

    /// The URL of the page.
    ///
    /// # Errors
    /// When the system cannot report the local address.
    pub fn url(&self) -> io::Result<String> {
        let address = self.listener.local_addr()?;
        // 0.0.0.0 can be listened on, but not opened in a browser.
        let address = match address.ip() {
            IpAddr::V4(Ipv4Addr::UNSPECIFIED) => {
                SocketAddr::new(Ipv4Addr::LOCALHOST.into(), address.port())
            }
            _ => address,
        };
        Ok(format!("http://{address}/"))
    }

    /// Answers requests until `end` completes.
    ///
    /// # Errors
    /// When the network fails.
    pub async fn serve_until(self, end: impl Future<Output = ()>) -> io::Result<()> {
        let state = Arc::clone(&self.state);
        let clean_up = async move {
            let mut ticks = interval(CLEANUP_INTERVAL);
            loop {
                ticks.tick().await;
                state.sessions.end_unwatched(Instant::now());
            }
        };
        let router = routes::router(self.state);
        tokio::select! {
            // No graceful shutdown: event streams never end by themselves.
            result = connections::accept(self.listener, router) => result,
            () = clean_up => Ok(()),
            () = end => Ok(()),
        }
    }
}
