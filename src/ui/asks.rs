//! What panels ask for while they draw: carried out after the frame, by the one who may change something.

use super::commands::Command;
use crate::session::{Action, Transport, View};

/// Requests of one frame, in order.
#[derive(Default)]
pub struct Asks {
    /// For the session.
    pub actions: Vec<Action>,
    /// For the window.
    pub commands: Vec<Command>,
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
