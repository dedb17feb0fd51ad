//! Meshes made ready for drawing: small files at once, big ones on a thread of their own while bones stand in.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use eframe::egui;

use crate::motion::{FileId, SourceFile};
use crate::render::Model;

/// Files with less than this are made ready within a frame, bytes of meshes and encoded pictures.
const SMALL_BYTES: usize = 4 << 20;

/// The models of the files on the desk.
#[derive(Default)]
pub struct Models {
    known: BTreeMap<FileId, State>,
}

enum State {
    Ready(Arc<Model>),
    Pending(Receiver<Arc<Model>>),
    /// The thread ended without one.
    Failed,
}

impl Models {
    /// The model of a file; `None` while it is being made, then `context` draws again.
    pub fn get(&mut self, context: &egui::Context, file: &Arc<SourceFile>) -> Option<Arc<Model>> {
        let state = self.known.entry(file.id).or_insert_with(|| start(context, file));
        if let State::Pending(receiver) = state {
            match receiver.try_recv() {
                Ok(model) => *state = State::Ready(model),
                Err(TryRecvError::Empty) => {}
                Err(TryRecvError::Disconnected) => *state = State::Failed,
            }
        }
        match state {
            State::Ready(model) => Some(model.clone()),
            State::Pending(_) | State::Failed => None,
        }
    }

    /// Whether a file's model is still being made.
    pub fn is_pending(&self, file: FileId) -> bool {
        matches!(self.known.get(&file), Some(State::Pending(_)))
    }

    /// Whether nothing can be drawn of a file's meshes.
    pub fn has_failed(&self, file: FileId) -> bool {
        matches!(self.known.get(&file), Some(State::Failed))
    }

    /// Forgets the files that are not on the desk any more.
    pub fn retain(&mut self, on_desk: impl Fn(FileId) -> bool) {
        self.known.retain(|&file, _| on_desk(file));
    }
}

fn start(context: &egui::Context, file: &Arc<SourceFile>) -> State {
    if bytes(file) < SMALL_BYTES {
        return State::Ready(Arc::new(Model::new(file)));
    }
    let (sender, receiver) = channel();
    let (file, context) = (file.clone(), context.clone());
    let work = move || {
        // Nobody waits any more when the file has been closed meanwhile.
        let _nobody = sender.send(Arc::new(Model::new(&file)));
        context.request_repaint();
    };
    match std::thread::Builder::new().name("model".into()).spawn(work) {
        Ok(_) => State::Pending(receiver),
        Err(_) => State::Failed,
    }
}

fn bytes(file: &SourceFile) -> usize {
    let meshes: usize = file.meshes.iter().map(|mesh| mesh.positions.len() * 64 + mesh.indices.len() * 4).sum();
    // A picture unpacks to about ten times its size.
    meshes + file.textures.iter().map(|texture| texture.bytes.len() * 10).sum::<usize>()
}
