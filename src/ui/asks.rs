//! What panels ask for while they draw: carried out after the frame, by the one who may change something.

use std::path::{Path, PathBuf};

use super::commands::Command;
use crate::session::{Action, Transport, View};

/// Requests of one frame, in order.
#[derive(Default)]
pub struct Asks {
    /// For the session.
    pub actions: Vec<Action>,
    /// For the window.
    pub commands: Vec<Command>,
    /// Files to be shown in the desktop's file manager.
    pub reveals: Vec<PathBuf>,
}

impl Asks {
    /// The session is to do something.
    pub fn act(&mut self, action: Action) {
        self.actions.push(action);
    }

    /// The window is to do something.
    pub fn run(&mut self, command: Command) {
        self.commands.push(command);
    }

    /// A file is to be shown in the desktop's file manager.
    pub fn reveal(&mut self, path: &Path) {
        self.reveals.push(path.to_owned());
    }

    /// The playhead is to move.
    pub fn transport(&mut self, what: Transport) {
        self.act(Action::Transport(what));
    }

    /// The view is to be another: a changed copy of the session's.
    pub fn view(&mut self, view: &View, change: impl FnOnce(&mut View)) {
        let mut view = view.clone();
        change(&mut view);
        self.act(Action::View(view));
    }
}
