//! Everything a person can ask of the window, in one table: menus, palette, keys and help are made from it.

use eframe::egui::{Key, KeyboardShortcut, Modifiers};
use lucide_icons::Icon;

use super::dock::Pane;
use super::text::tr;
use super::theme::ThemeChoice;
use crate::session::{Session, TravelView};

/// What can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the table below says what each does")]
pub enum Command {
    Open,
    OpenPath,
    OpenDemo,
    OpenProject,
    SaveProject,
    SaveProjectAs,
    Export,
    ExportAll,
    Quit,
    Undo,
    Redo,
    Duplicate,
    Rename,
    Remove,
    SelectAll,
    CopyCommandLine,
    ApplyCard,
    ApplyCardHere,
    CancelCard,
    SuggestedFix,
    Card(Card),
    PlayPause,
    PlayForwards,
    PlayBackwards,
    Pause,
    NextFrame,
    PreviousFrame,
    NextTenFrames,
    PreviousTenFrames,
    FirstFrame,
    LastFrame,
    LoopFromHere,
    LoopToHere,
    LoopAll,
    Slower,
    Faster,
    FrameFigure,
    Camera(CameraView),
    Orthographic,
    Follow,
    ToggleGhost,
    GhostBeside,
    ToggleTrails,
    TogglePaths,
    ToggleMesh,
    ToggleBones,
    ToggleGrid,
    ToggleShadow,
    Travel(TravelView),
    Navigation(Navigation),
    Theme(ThemeChoice),
    ResetLayout,
    ShowPane(Pane),
    Palette,
    Help,
    About,
}

/// The action cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "named as the operations are")]
pub enum Card {
    Extract,
    InPlace,
    BakeToHips,
    MoveToOrigin,
    StartAtZero,
}

/// Where the camera goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "named as the views are")]
pub enum CameraView {
    Front,
    Side,
    Top,
    LeftFoot,
    RightFoot,
    ThreeQuarter,
}

/// Whose habits the mouse follows in the 3D view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "named as the programs are")]
pub enum Navigation {
    #[default]
    Maya,
    Blender,
    Unity,
}

/// The menu a command is in; `None`: palette and keys alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "named as the menus are")]
pub enum Menu {
    File,
    Edit,
    Clip,
    Play,
    View,
    Help,
}

impl Menu {
    /// Left to right.
    pub const ALL: [Self; 6] = [Self::File, Self::Edit, Self::Clip, Self::Play, Self::View, Self::Help];

    /// Its title.
    pub fn label(self) -> &'static str {
        match self {
            Self::File => tr("File"),
            Self::Edit => tr("Edit"),
            Self::Clip => tr("Clip"),
            Self::Play => tr("Play"),
            Self::View => tr("View"),
            Self::Help => tr("Help"),
        }
    }
}

/// A row of the table.
#[derive(Clone, Debug)]
pub struct Entry {
    /// What it does.
    pub command: Command,
    /// Name in the file of keys.
    pub id: &'static str,
    /// On the button.
    pub label: &'static str,
    /// One sentence on what it does.
    pub tooltip: &'static str,
    /// Beside the label.
    pub icon: Option<Icon>,
    /// The keys it has unless a file says otherwise.
    pub keys: Vec<KeyboardShortcut>,
    /// Other words people type for it.
    pub synonyms: &'static str,
    /// Where it is listed, and whether a line stands above it.
    pub menu: Option<(Menu, bool)>,
}

struct Table(Vec<Entry>);

impl Table {
    /// Adds a row; what follows refines it.
    fn add(&mut self, command: Command, id: &'static str, label: &'static str, tooltip: &'static str) -> &mut Entry {
        let at = self.0.len();
        self.0.push(Entry { command, id, label, tooltip, icon: None, keys: Vec::new(), synonyms: "", menu: None });
        &mut self.0[at]
    }
}

impl Entry {
    fn icon(&mut self, icon: Icon) -> &mut Self {
        self.icon = Some(icon);
        self
    }

    fn key(&mut self, modifiers: Modifiers, key: Key) -> &mut Self {
        self.keys.push(KeyboardShortcut::new(modifiers, key));
        self
    }

    fn menu(&mut self, menu: Menu) -> &mut Self {
        self.menu = Some((menu, false));
        self
    }

    fn below_line(&mut self) -> &mut Self {
        self.menu = self.menu.map(|(menu, _)| (menu, true));
        self
    }

    fn also(&mut self, synonyms: &'static str) -> &mut Self {
        self.synonyms = synonyms;
        self
    }
}

/// The whole table, in the order of the menus.
pub fn table() -> Vec<Entry> {
    let mut t = Table(Vec::new());
    file(&mut t);
    edit(&mut t);
    clip(&mut t);
    play(&mut t);
    view(&mut t);
    help(&mut t);
    t.0
}

const NONE: Modifiers = Modifiers::NONE;
const COMMAND: Modifiers = Modifiers::COMMAND;
const COMMAND_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

fn file(t: &mut Table) {
    use Command as C;
    let m = Menu::File;
    t.add(C::Open, "open", tr("Open…"), tr("Opens FBX, glTF, GLB and BVH files"))
        .icon(Icon::FolderOpen)
        .key(COMMAND, Key::O)
        .menu(m)
        .also("import load file");
    t.add(C::OpenPath, "open_path", tr("Open path…"), tr("Opens a file whose path you type or paste"))
        .menu(m)
        .also("import load typed");
    t.add(C::OpenDemo, "open_demo", tr("Open the demo character"), tr("A mannequin in every gait, made on the spot"))
        .icon(Icon::PersonStanding)
        .menu(m)
        .also("sample example mannequin");
    t.add(C::OpenProject, "open_project", tr("Open project…"), tr("Opens a desk that was saved: files, steps, names"))
        .menu(m)
        .below_line();
    t.add(C::SaveProject, "save_project", tr("Save project"), tr("Saves which files are open and every step made"))
        .icon(Icon::Save)
        .key(COMMAND, Key::S)
        .menu(m);
    t.add(C::SaveProjectAs, "save_project_as", tr("Save project as…"), tr("Saves the project under another name"))
        .key(COMMAND_SHIFT, Key::S)
        .menu(m);
    t.add(C::Export, "export", tr("Export…"), tr("Writes the selected clips into new files, or updates files of ours"))
        .icon(Icon::Download)
        .key(COMMAND, Key::E)
        .menu(m)
        .below_line()
        .also("write save glb gltf update");
    t.add(C::ExportAll, "export_all", tr("Export all…"), tr("Writes every clip that no other was made from"))
        .key(COMMAND_SHIFT, Key::E)
        .menu(m)
        .also("write save batch");
    t.add(C::Quit, "quit", tr("Quit"), tr("Closes the window; asks when something was not exported"))
        .key(COMMAND, Key::Q)
        .menu(m)
        .below_line()
        .also("exit close");
}

fn edit(t: &mut Table) {
    use Command as C;
    let m = Menu::Edit;
    t.add(C::Undo, "undo", tr("Undo"), tr("Takes the last change back")).icon(Icon::Undo2).key(COMMAND, Key::Z).menu(m);
    t.add(C::Redo, "redo", tr("Redo"), tr("Makes the change that was taken back again"))
        .icon(Icon::Redo2)
        .key(COMMAND_SHIFT, Key::Z)
        .key(COMMAND, Key::Y)
        .menu(m);
    t.add(C::SelectAll, "select_all", tr("Select all clips"), tr("Marks every clip in the list"))
        .key(COMMAND, Key::A)
        .menu(m)
        .below_line();
    t.add(C::Rename, "rename", tr("Rename"), tr("Gives the clip another name")).key(NONE, Key::F2).menu(m);
    t.add(C::Duplicate, "duplicate", tr("Duplicate"), tr("A copy of the clip with its steps"))
        .icon(Icon::Copy)
        .key(COMMAND, Key::D)
        .menu(m)
        .also("copy clone");
    t.add(C::Remove, "remove", tr("Remove from the desk"), tr("Takes clips off the desk; no file is touched"))
        .icon(Icon::Trash2)
        .key(NONE, Key::Delete)
        .menu(m)
        .also("delete close");
    t.add(
        C::CopyCommandLine,
        "copy_command_line",
        tr("Copy as command line"),
        tr("Copies the command that makes this clip from its file"),
    )
    .icon(Icon::Terminal)
    .menu(m)
    .also("script batch shell cli");
}

fn clip(t: &mut Table) {
    use Command as C;
    let m = Menu::Clip;
    t.add(C::SuggestedFix, "suggested_fix", tr("Suggested fix"), tr("Applies the steps that the checks suggest"))
        .icon(Icon::WandSparkles)
        .menu(m)
        .also("auto repair");
    t.add(
        C::Card(Card::Extract),
        "extract",
        tr("Extract root motion"),
        tr("Moves the travel from the pelvis to the root bone"),
    )
    .icon(Icon::Footprints)
    .menu(m)
    .below_line()
    .also("root motion travel hips pelvis smooth");
    t.add(C::Card(Card::InPlace), "in_place", tr("In place"), tr("Takes the travel out, sway and bob stay"))
        .icon(Icon::Pin)
        .menu(m)
        .also("treadmill root lock zero out");
    t.add(
        C::Card(Card::BakeToHips),
        "bake_to_hips",
        tr("Bake root motion to hips"),
        tr("Moves the root's travel onto the pelvis"),
    )
    .icon(Icon::ArrowUpFromLine)
    .menu(m)
    .also("pelvis root lock");
    t.add(
        C::Card(Card::MoveToOrigin),
        "to_origin",
        tr("Move to origin"),
        tr("The clip starts at the origin, facing forward"),
    )
    .icon(Icon::Crosshair)
    .menu(m)
    .also("zero out reset offset");
    t.add(C::Card(Card::StartAtZero), "start_at_zero", tr("Start at 0"), tr("The first key comes at time 0"))
        .icon(Icon::Timer)
        .menu(m)
        .also("time offset shift frame");
    t.add(C::ApplyCard, "apply", tr("Apply"), tr("Makes a new clip with the settings that are previewed"))
        .icon(Icon::Check)
        .key(COMMAND, Key::Enter)
        .menu(m)
        .below_line();
    t.add(C::ApplyCardHere, "apply_here", tr("Apply here"), tr("Adds the step to the clip itself"))
        .key(COMMAND_SHIFT, Key::Enter)
        .menu(m);
    t.add(C::CancelCard, "cancel", tr("Cancel preview"), tr("Forgets the settings that are previewed"))
        .key(NONE, Key::Escape)
        .menu(m);
}

fn play(t: &mut Table) {
    use Command as C;
    let m = Menu::Play;
    t.add(C::PlayPause, "play", tr("Play or pause"), tr("Starts and stops the clip"))
        .icon(Icon::Play)
        .key(NONE, Key::Space)
        .menu(m);
    t.add(C::PlayForwards, "play_forwards", tr("Play forwards"), tr("Plays")).key(NONE, Key::L).menu(m);
    t.add(C::PlayBackwards, "play_backwards", tr("Play backwards"), tr("Plays against time"))
        .key(NONE, Key::J)
        .menu(m)
        .also("reverse");
    t.add(C::Pause, "pause", tr("Pause"), tr("Stops the clip where it is")).key(NONE, Key::K).menu(m);
    t.add(C::NextFrame, "next_frame", tr("Next frame"), tr("One frame on"))
        .key(NONE, Key::ArrowRight)
        .menu(m)
        .below_line();
    t.add(C::PreviousFrame, "previous_frame", tr("Previous frame"), tr("One frame back"))
        .key(NONE, Key::ArrowLeft)
        .menu(m);
    t.add(C::NextTenFrames, "next_ten", tr("Ten frames on"), tr("Ten frames on"))
        .key(Modifiers::SHIFT, Key::ArrowRight)
        .menu(m);
    t.add(C::PreviousTenFrames, "previous_ten", tr("Ten frames back"), tr("Ten frames back"))
        .key(Modifiers::SHIFT, Key::ArrowLeft)
        .menu(m);
    t.add(C::FirstFrame, "first_frame", tr("First frame"), tr("To the start")).key(NONE, Key::Home).menu(m);
    t.add(C::LastFrame, "last_frame", tr("Last frame"), tr("To the end")).key(NONE, Key::End).menu(m);
    t.add(C::LoopFromHere, "loop_from", tr("Loop from here"), tr("What loops starts at the playhead"))
        .key(NONE, Key::OpenBracket)
        .key(NONE, Key::I)
        .menu(m)
        .below_line();
    t.add(C::LoopToHere, "loop_to", tr("Loop to here"), tr("What loops ends at the playhead"))
        .key(NONE, Key::CloseBracket)
        .key(NONE, Key::O)
        .menu(m);
    t.add(C::LoopAll, "loop_all", tr("Loop the whole clip"), tr("The whole clip loops again")).menu(m);
    t.add(C::Slower, "slower", tr("Slower"), tr("Plays more slowly: 10, 25, 50, 100, 200 %"))
        .key(NONE, Key::Minus)
        .menu(m)
        .below_line();
    t.add(C::Faster, "faster", tr("Faster"), tr("Plays faster: 10, 25, 50, 100, 200 %"))
        .key(NONE, Key::Equals)
        .key(NONE, Key::Plus)
        .menu(m);
}

fn view(t: &mut Table) {
    use Command as C;
    let m = Menu::View;
    t.add(C::FrameFigure, "frame", tr("Frame the figure"), tr("Brings the whole figure into view"))
        .icon(Icon::Scan)
        .key(NONE, Key::F)
        .menu(m)
        .also("focus zoom centre");
    let views = [
        (CameraView::Front, "front", tr("Front"), Key::Num1),
        (CameraView::Side, "side", tr("Side"), Key::Num3),
        (CameraView::Top, "top", tr("Top"), Key::Num7),
        (CameraView::LeftFoot, "left_foot", tr("Left foot, at floor height"), Key::Num4),
        (CameraView::RightFoot, "right_foot", tr("Right foot, at floor height"), Key::Num6),
        (CameraView::ThreeQuarter, "three_quarter", tr("Three-quarter"), Key::Num2),
    ];
    for (view, id, label, key) in views {
        t.add(C::Camera(view), id, label, tr("Puts the camera there")).key(NONE, key).menu(m).also("camera view");
    }
    t.add(C::Orthographic, "orthographic", tr("Orthographic"), tr("With or without perspective"))
        .key(NONE, Key::Num5)
        .menu(m)
        .also("perspective camera");
    t.add(C::Follow, "follow", tr("Follow the figure"), tr("The camera goes with the figure"))
        .menu(m)
        .also("camera track");
    t.add(C::Travel(TravelView::Travels), "travels", tr("Travels"), tr("Round after round, the figure goes on"))
        .menu(m)
        .below_line();
    t.add(
        C::Travel(TravelView::Treadmill),
        "treadmill",
        tr("Treadmill"),
        tr("The figure stays, the ground moves: the slide you see is the slide you ship"),
    )
    .menu(m);
    t.add(
        C::Travel(TravelView::AsInFile),
        "as_in_file",
        tr("As in the file"),
        tr("Each round starts where it starts in the file"),
    )
    .menu(m);
    let toggles = [
        (C::ToggleMesh, "mesh", tr("Mesh"), Some(Key::M), "skin"),
        (C::ToggleBones, "bones", tr("Bones"), None, "joints skeleton"),
        (C::ToggleTrails, "trails", tr("Trails of pelvis and feet"), Some(Key::T), "path foot"),
        (C::TogglePaths, "paths", tr("Travel paths"), None, "root raw chosen"),
        (C::ToggleGrid, "grid", tr("Grid"), None, "ground floor"),
        (C::ToggleShadow, "shadow", tr("Shadow"), None, "floor"),
        (
            C::ToggleGhost,
            "ghost",
            tr("Ghost of the source over the result"),
            Some(Key::G),
            "onion compare before after",
        ),
        (C::GhostBeside, "ghost_beside", tr("Source beside the result"), None, "compare before after side"),
    ];
    for (n, (command, id, label, key, synonyms)) in toggles.into_iter().enumerate() {
        let entry = t.add(command, id, label, tr("Shows it or hides it")).menu(m).also(synonyms);
        if let Some(key) = key {
            entry.key(NONE, key);
        }
        if n == 0 {
            entry.below_line();
        }
    }
    let presets = [
        (Navigation::Maya, "navigation_maya", tr("Mouse as in Maya and Unreal")),
        (Navigation::Blender, "navigation_blender", tr("Mouse as in Blender")),
        (Navigation::Unity, "navigation_unity", tr("Mouse as in Unity")),
    ];
    for (n, (preset, id, label)) in presets.into_iter().enumerate() {
        let tooltip = tr("Whose habits the mouse follows in the 3D view");
        let entry = t.add(C::Navigation(preset), id, label, tooltip).menu(m).also("orbit pan camera controls");
        if n == 0 {
            entry.below_line();
        }
    }
    t.add(C::Theme(ThemeChoice::Dark), "dark", tr("Dark theme"), tr("Light letters on dark")).menu(m).below_line();
    t.add(C::Theme(ThemeChoice::Light), "light", tr("Light theme"), tr("Dark letters on light")).menu(m);
    for pane in Pane::ALL {
        let entry = t.add(C::ShowPane(pane), pane.id(), pane.title(), tr("Brings the panel to the front")).menu(m);
        entry.synonyms = "panel window tab";
        if pane == Pane::ALL[0] {
            entry.below_line();
        }
    }
    t.add(C::ResetLayout, "reset_layout", tr("Reset the layout"), tr("Puts all panels where they were at first"))
        .menu(m);
}

fn help(t: &mut Table) {
    use Command as C;
    let m = Menu::Help;
    t.add(C::Palette, "palette", tr("Find a command…"), tr("Every command by name, or by what else people call it"))
        .icon(Icon::Search)
        .key(COMMAND, Key::P)
        .menu(m);
    t.add(C::Help, "help", tr("Guide and keys"), tr("What the program does, and every key"))
        .icon(Icon::CircleQuestionMark)
        .key(NONE, Key::F1)
        .menu(m)
        .also("manual documentation shortcuts");
    t.add(C::About, "about", tr("About Stridesmith"), tr("Version and licences")).menu(m);
}

/// Why a command cannot be given now; `None` when it can.
pub fn refusal(command: Command, session: &Session) -> Option<&'static str> {
    use Command as C;
    let no_clip = || session.selection().clips.is_empty().then(|| tr("Select a clip first"));
    match command {
        C::Undo if session.history().undo_label().is_none() => Some(tr("There is nothing to undo")),
        C::Redo if session.history().redo_label().is_none() => Some(tr("There is nothing to redo")),
        C::Duplicate | C::Rename | C::Remove | C::CopyCommandLine | C::Export | C::SuggestedFix | C::Card(_) => {
            no_clip()
        }
        C::ExportAll if session.document().ends().is_empty() => Some(tr("Nothing has been made yet")),
        C::ApplyCard | C::ApplyCardHere | C::CancelCard if session.previewed().is_none() => {
            Some(tr("Nothing is being previewed"))
        }
        C::SelectAll if session.document().clips().len() == 0 => Some(tr("Open a file first")),
        _ => None,
    }
}
