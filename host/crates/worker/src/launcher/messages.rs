//! What the host and the launcher send each other: JSON in packets, with descriptors.

use std::{
    io::{self, IoSlice, IoSliceMut},
    mem::MaybeUninit,
    os::fd::{AsRawFd, BorrowedFd, OwnedFd, RawFd},
    path::PathBuf,
};

use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, SocketFlags, SocketType, recvmsg, sendmsg, socketpair,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::Program;

/// The longest packet. Only long lists of `allow_read` come near it.
const LONGEST: usize = 1 << 16;
/// The most descriptors in a packet: three streams and the sealed copy.
const MOST_DESCRIPTORS: usize = 4;

/// What the host wants.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Request {
    /// Send the folder in which pipes to workers are made.
    ShowPipes,
    /// Make a room with this plugin, whose sealed copy comes along.
    MakeRoom {
        plugin: PathBuf,
        program: Option<Box<Program>>,
        allow_read: Vec<PathBuf>,
        /// The most bytes that its files may have.
        memory: u64,
    },
    /// Forget a room; there is no reply.
    RemoveRoom(u64),
    /// Fork a worker. Its three standard streams come along and, when it has no room, the sealed
    /// copy of the plugin.
    Start {
        room: Option<u64>,
        lacking: Option<String>,
        /// The core it is bound to.
        core: Option<usize>,
        /// The most threads it may have.
        threads: u64,
    },
}

/// What the launcher answers.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum LauncherReply {
    /// The folder comes along, unless this machine has no rooms.
    Pipes,
    /// The room, and the hash of the files in it that `allow_read` names.
    Room {
        number: u64,
        allow_read_sha256: String,
        /// The size of the agent's files in it.
        n_bytes: u64,
    },
    /// Why this machine has no rooms.
    NoRooms(String),
    /// The agent's files have so many bytes, and do not fit.
    TooLarge(u64),
    /// Why this agent's files cannot be shown in a room, where rooms can be made.
    NotShown(String),
    /// The worker's process, as the host numbers it.
    Started(i32),
    Failed(String),
}

/// One end of the connection.
#[derive(Debug)]
pub(super) struct Connection(OwnedFd);

/// A connection and the other end of it.
pub(super) fn connection() -> io::Result<(Connection, OwnedFd)> {
    let (one, other) = socketpair(
        AddressFamily::UNIX,
        SocketType::SEQPACKET,
        SocketFlags::CLOEXEC,
        None,
    )?;
    Ok((Connection(one), other))
}

impl Connection {
    pub(super) fn new(socket: OwnedFd) -> Self {
        Self(socket)
    }

    pub(super) fn as_raw_fd(&self) -> RawFd {
        self.0.as_raw_fd()
    }

    pub(super) fn send(
        &self,
        message: &impl Serialize,
        descriptors: &[BorrowedFd<'_>],
    ) -> io::Result<()> {
        let text = serde_json::to_vec(message)?;
        if text.len() > LONGEST {
            return Err(io::Error::other("the list of `allow_read` is too long"));
        }
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_DESCRIPTORS))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        if !descriptors.is_empty() {
            control.push(SendAncillaryMessage::ScmRights(descriptors));
        }
        loop {
            let parts = [IoSlice::new(&text)];
            match sendmsg(&self.0, &parts, &mut control, SendFlags::NOSIGNAL) {
                Err(rustix::io::Errno::INTR) => {}
                sent => return sent.map(drop).map_err(io::Error::from),
            }
        }
    }

    /// Waits for a message. The end of the connection is an error of its own kind.
    pub(super) fn receive<T: DeserializeOwned>(&self) -> io::Result<(T, Vec<OwnedFd>)> {
        // The launcher shares its memory with the workers that it forked until one of them
        // writes to it: it takes no more than the message needs.
        let peek = RecvFlags::PEEK | RecvFlags::TRUNC;
        let length = loop {
            match rustix::net::recv(&self.0, &mut [0; 0], peek) {
                Err(rustix::io::Errno::INTR) => {}
                received => break received?.1.min(LONGEST),
            }
        };
        let mut text = vec![0; length];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_DESCRIPTORS))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let length = loop {
            let mut parts = [IoSliceMut::new(&mut text)];
            match recvmsg(&self.0, &mut parts, &mut control, RecvFlags::CMSG_CLOEXEC) {
                Err(rustix::io::Errno::INTR) => {}
                received => break received?.bytes,
            }
        };
        if length == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let descriptors = control
            .drain()
            .filter_map(|message| match message {
                RecvAncillaryMessage::ScmRights(descriptors) => Some(descriptors),
                _ => None,
            })
            .flatten()
            .collect();
        Ok((serde_json::from_slice(&text[..length])?, descriptors))
    }
}

#[cfg(test)]
mod tests {
    use std::{fs::File, io::Read, os::fd::AsFd};

    use super::*;

    #[test]
    fn messages_cross_with_their_descriptors() {
        let (host, launcher) = connection().unwrap();
        let launcher = Connection::new(launcher);
        let null = File::open("/dev/null").unwrap();
        host.send(&Request::RemoveRoom(7), &[null.as_fd()]).unwrap();
        let (request, mut descriptors) = launcher.receive::<Request>().unwrap();
        assert!(matches!(request, Request::RemoveRoom(7)));
        let mut file = File::from(descriptors.remove(0));
        assert_eq!(file.read(&mut [0; 4]).unwrap(), 0);
        drop(host);
        let error = launcher.receive::<Request>().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }
}
