//! Keys: those of the table of commands, or of a file that a person wrote, and what was pressed in a frame.
//!
//! The file `keys.json` maps names of commands to lists of keys: `{ "open": ["Ctrl+O"], "play": ["Space", "P"] }`.
//! Commands it does not name keep their keys; an empty list takes them away.

use std::collections::BTreeMap;

use eframe::egui::{Context, Key, KeyboardShortcut, Modifiers, os::OperatingSystem};

use super::commands::{Command, Entry};

/// Which keys give which command.
#[derive(Clone, Debug)]
pub struct Keymap {
    /// As given: the first key of a command is the one that menus show.
    given: Vec<(KeyboardShortcut, Command)>,
    /// The most specific first: Ctrl+Shift+Z before Ctrl+Z before Z.
    bindings: Vec<(KeyboardShortcut, Command)>,
}

/// What is wrong with a file of keys.
#[derive(Debug, thiserror::Error)]
pub enum KeysError {
    /// Not JSON of that shape.
    #[error("it is not a JSON object of lists of keys, such as {{ \"open\": [\"Ctrl+O\"] }}")]
    Shape(#[from] serde_json::Error),
    /// A name that no command has.
    #[error("there is no command \"{0}\"; Help lists their names")]
    UnknownCommand(String),
    /// A key that does not exist.
    #[error("\"{key}\" of \"{command}\" is no key: write for example Ctrl+Shift+E, Space or F5")]
    UnknownKey {
        /// As written.
        key: String,
        /// The command's name.
        command: String,
    },
    /// One key, two commands.
    #[error("\"{key}\" is given to both \"{first}\" and \"{second}\"")]
    Twice {
        /// The key.
        key: String,
        /// The command that has it already.
        first: String,
        /// The other.
        second: String,
    },
}

impl Keymap {
    /// The keys of the table.
    pub fn standard(table: &[Entry]) -> Self {
        Self::of(table.iter().flat_map(|entry| entry.keys.iter().map(|&keys| (keys, entry.command))).collect())
    }

    /// The keys of the table with those a file gives.
    ///
    /// # Errors
    /// The first thing that is wrong with the file; nothing of it is used then.
    pub fn with_file(table: &[Entry], json: &str) -> Result<Self, KeysError> {
        let written: BTreeMap<String, Vec<String>> = serde_json::from_str(json)?;
        if let Some(unknown) = written.keys().find(|name| !table.iter().any(|entry| entry.id == name.as_str())) {
            return Err(KeysError::UnknownCommand(unknown.clone()));
        }
        let mut bindings: Vec<(KeyboardShortcut, Command)> = Vec::new();
        let id_of = |command: Command| table.iter().find(|entry| entry.command == command).map_or("", |e| e.id);
        for entry in table.iter().filter(|entry| written.contains_key(entry.id)) {
            for text in &written[entry.id] {
                let key = parse(text)
                    .ok_or_else(|| KeysError::UnknownKey { key: text.clone(), command: entry.id.to_owned() })?;
                if let Some((_, first)) = bindings.iter().find(|(taken, _)| *taken == key) {
                    let (first, second) = (id_of(*first).to_owned(), entry.id.to_owned());
                    return Err(KeysError::Twice { key: text.clone(), first, second });
                }
                bindings.push((key, entry.command));
            }
        }
        // A key that the file gives away is taken from the command that had it.
        for entry in table.iter().filter(|entry| !written.contains_key(entry.id)) {
            let free = |key: &KeyboardShortcut| !bindings.iter().any(|(taken, _)| taken == key);
            let kept: Vec<_> = entry.keys.iter().copied().filter(free).collect();
            bindings.extend(kept.into_iter().map(|key| (key, entry.command)));
        }
        Ok(Self::of(bindings))
    }

    fn of(given: Vec<(KeyboardShortcut, Command)>) -> Self {
        let mut bindings = given.clone();
        let weight = |modifiers: Modifiers| {
            u8::from(modifiers.shift) + u8::from(modifiers.alt) + u8::from(modifiers.command || modifiers.ctrl)
        };
        bindings.sort_by_key(|(keys, _)| std::cmp::Reverse(weight(keys.modifiers)));
        Self { given, bindings }
    }

    /// The keys of a command, for menus and help; empty when it has none.
    pub fn text(&self, command: Command) -> String {
        let of_command = self.given.iter().filter(|(_, of)| *of == command);
        of_command.map(|(keys, _)| text_of(keys)).collect::<Vec<_>>().join(", ")
    }

    /// The first key of a command, for tooltips.
    pub fn first(&self, command: Command) -> Option<String> {
        self.given.iter().find(|(_, of)| *of == command).map(|(keys, _)| text_of(keys))
    }

    /// The commands whose keys were pressed in this frame. While text is typed, only keys with Ctrl count that a text
    /// field has no use for; while a button has the focus of the keyboard, Space, Enter and the arrows are its own.
    pub fn pressed(&self, context: &Context) -> Vec<Command> {
        let typing = context.text_edit_focused();
        let focused = context.egui_wants_keyboard_input();
        let free = |keys: &KeyboardShortcut| {
            let with_command = keys.modifiers.command || keys.modifiers.ctrl;
            let of_text = matches!(keys.logical_key, Key::A | Key::C | Key::V | Key::X | Key::Y | Key::Z);
            let of_focus = matches!(
                keys.logical_key,
                Key::Space
                    | Key::ArrowLeft
                    | Key::ArrowRight
                    | Key::ArrowUp
                    | Key::ArrowDown
                    | Key::Enter
                    | Key::Escape
            );
            match (typing, focused) {
                (true, _) => with_command && !of_text,
                (false, true) => with_command || !of_focus,
                (false, false) => true,
            }
        };
        context.input_mut(|input| {
            let of_this_frame = self.bindings.iter().filter(|(keys, _)| free(keys));
            of_this_frame.filter(|(keys, _)| input.consume_shortcut(keys)).map(|(_, command)| *command).collect()
        })
    }
}

fn text_of(keys: &KeyboardShortcut) -> String {
    let names = if OperatingSystem::default().is_mac() {
        eframe::egui::ModifierNames::SYMBOLS
    } else {
        eframe::egui::ModifierNames::NAMES
    };
    keys.format(&names, OperatingSystem::default().is_mac())
}

/// `Ctrl+Shift+E`, in any case.
fn parse(text: &str) -> Option<KeyboardShortcut> {
    let mut modifiers = Modifiers::NONE;
    let mut parts: Vec<&str> = text.split('+').map(str::trim).collect();
    // A plus is a key too: "Ctrl++".
    if text.ends_with('+') {
        parts.retain(|part| !part.is_empty());
        parts.push("+");
    }
    let (key, with) = parts.split_last()?;
    for part in with {
        modifiers = modifiers.plus(match part.to_ascii_lowercase().as_str() {
            "ctrl" | "cmd" | "command" => Modifiers::COMMAND,
            "shift" => Modifiers::SHIFT,
            "alt" | "option" => Modifiers::ALT,
            _ => return None,
        });
    }
    let key = Key::from_name(key)
        .or_else(|| Key::ALL.iter().copied().find(|known| known.name().eq_ignore_ascii_case(key)))?;
    Some(KeyboardShortcut::new(modifiers, key))
}
