//! The HIERARCHY section: joints, their OFFSETs and channels.

use glam::DVec3;

use super::scan::{ParseError, Scanner, note, shown};
use crate::formats::Limits;
use crate::motion::{Warning, WarningKind};

/// An axis of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// First.
    X,
    /// Second.
    Y,
    /// Third.
    Z,
}

/// What one column of the table drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Place along an axis of the parent, file units.
    Position(Axis),
    /// Turn about an axis, degrees.
    Rotation(Axis),
    /// Scale, which some exporters add: its column is read and not shown.
    Scale(Axis),
}

impl Channel {
    fn from_word(word: &[u8]) -> Option<Self> {
        let (first, rest) = word.split_first()?;
        let axis = match first.to_ascii_uppercase() {
            b'X' => Axis::X,
            b'Y' => Axis::Y,
            b'Z' => Axis::Z,
            _ => return None,
        };
        if rest.eq_ignore_ascii_case(b"position") {
            Some(Self::Position(axis))
        } else if rest.eq_ignore_ascii_case(b"rotation") {
            Some(Self::Rotation(axis))
        } else if rest.eq_ignore_ascii_case(b"scale") {
            Some(Self::Scale(axis))
        } else {
            None
        }
    }
}

/// A ROOT or JOINT.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// As written; spaces, colons and duplicates are possible, emptiness too.
    pub name: String,
    /// Index of the parent, always smaller than the joint's own; `None` for a top.
    pub parent: Option<u32>,
    /// File units.
    pub offset: DVec3,
    /// In listed order, which is the order of the rotation product.
    pub channels: Vec<Channel>,
    /// Column of the first channel.
    pub first_column: usize,
    /// OFFSETs of the End Sites below, file units.
    pub end_sites: Vec<DVec3>,
}

impl Joint {
    /// Whether some position channel drives it.
    pub fn has_position(&self) -> bool {
        self.channels.iter().any(|channel| matches!(channel, Channel::Position(_)))
    }

    /// Whether some rotation channel drives it.
    pub fn has_rotation(&self) -> bool {
        self.channels.iter().any(|channel| matches!(channel, Channel::Rotation(_)))
    }

    /// Channel values that leave the joint as its OFFSET puts it.
    pub(super) fn resting_channels(&self) -> impl Iterator<Item = f32> {
        self.channels.iter().map(|channel| match channel {
            Channel::Position(axis) => self.offset[*axis as usize] as f32,
            Channel::Rotation(_) => 0.0,
            Channel::Scale(_) => 1.0,
        })
    }
}

enum Block {
    Joint(usize),
    EndSite { below: usize, offset: DVec3 },
}

const TRUNCATED: &str = "the file seems cut off; export or download it again";
const FOREIGN: &str = "only HIERARCHY with ROOT, JOINT, End Site, OFFSET, CHANNELS and braces can stand here";

/// Reads up to the end of the last joint; the cursor then stands at MOTION or at the end of the file.
pub fn read(scan: &mut Scanner<'_>, limits: &Limits, warnings: &mut Vec<Warning>) -> Result<Vec<Joint>, ParseError> {
    if !scan.eat(b"HIERARCHY") {
        return Err(scan.fail(
            "a BVH file starts with the word HIERARCHY, this one does not",
            "save it as plain text (UTF-8), or check that it is a BVH file at all",
        ));
    }
    let mut tree = Tree { joints: Vec::new(), open: Vec::new(), nodes: 0 };
    loop {
        scan.skip_space();
        let word = scan.peek_word();
        if tree.open.is_empty() && (word.is_empty() || word.eq_ignore_ascii_case(b"MOTION")) {
            break;
        }
        tree.statement(scan, limits, warnings)?;
    }
    if tree.joints.is_empty() {
        return Err(scan.fail("the hierarchy has no ROOT", TRUNCATED));
    }
    // Columns go by the order of the joints, wherever in its block a joint lists its channels.
    let mut column = 0;
    for joint in &mut tree.joints {
        joint.first_column = column;
        column += joint.channels.len();
    }
    Ok(tree.joints)
}

struct Tree {
    joints: Vec<Joint>,
    open: Vec<Block>,
    nodes: u64,
}

impl Tree {
    fn statement(
        &mut self,
        scan: &mut Scanner<'_>,
        limits: &Limits,
        warnings: &mut Vec<Warning>,
    ) -> Result<(), ParseError> {
        let before = *scan;
        let word = scan.word();
        let is = |keyword: &[u8]| word.eq_ignore_ascii_case(keyword);
        if is(b"ROOT") || is(b"JOINT") {
            self.open_joint(scan, limits)
        } else if is(b"END") {
            let below = self.current(&before)?;
            self.count_node(limits)?;
            scan.name();
            self.open.push(Block::EndSite { below, offset: DVec3::ZERO });
            open_brace(scan)
        } else if is(b"OFFSET") {
            self.offset(scan, &before, warnings)
        } else if is(b"CHANNELS") {
            self.channels(scan, &before, warnings)
        } else if word == b"}" {
            match self.open.pop() {
                Some(Block::EndSite { below, offset }) => self.joints[below].end_sites.push(offset),
                Some(Block::Joint(_)) => {}
                None => return Err(before.fail("a closing brace without an opening one", FOREIGN)),
            }
            Ok(())
        } else if word.is_empty() || is(b"MOTION") {
            let open = self.open.len();
            Err(before.fail(format!("the hierarchy ends with {open} braces still open"), TRUNCATED))
        } else {
            Err(before.fail(format!("\"{}\" in the hierarchy", shown(word)), FOREIGN))
        }
    }

    fn count_node(&mut self, limits: &Limits) -> Result<(), ParseError> {
        self.nodes += 1;
        if self.nodes > limits.nodes {
            return Err(ParseError::TooLarge { what: "too many joints", asked: self.nodes, limit: limits.nodes });
        }
        let depth = self.open.len() as u64 + 1;
        if depth > limits.depth {
            return Err(ParseError::TooLarge { what: "joints nested too deep", asked: depth, limit: limits.depth });
        }
        Ok(())
    }

    fn open_joint(&mut self, scan: &mut Scanner<'_>, limits: &Limits) -> Result<(), ParseError> {
        self.count_node(limits)?;
        let parent = match self.open.last() {
            None => None,
            Some(Block::Joint(index)) => Some(*index as u32),
            Some(Block::EndSite { .. }) => return Err(scan.fail("a joint inside an End Site", FOREIGN)),
        };
        self.joints.push(Joint {
            name: scan.name(),
            parent,
            offset: DVec3::ZERO,
            channels: Vec::new(),
            first_column: 0,
            end_sites: Vec::new(),
        });
        self.open.push(Block::Joint(self.joints.len() - 1));
        open_brace(scan)
    }

    fn current(&self, at: &Scanner<'_>) -> Result<usize, ParseError> {
        match self.open.last() {
            Some(Block::Joint(index)) => Ok(*index),
            _ => Err(at.fail("this does not stand in a ROOT or JOINT", FOREIGN)),
        }
    }

    fn offset(
        &mut self,
        scan: &mut Scanner<'_>,
        before: &Scanner<'_>,
        warnings: &mut Vec<Warning>,
    ) -> Result<(), ParseError> {
        let mut read = DVec3::ZERO;
        for axis in 0..3 {
            read[axis] = scan.number("OFFSET")?;
        }
        if !(read.is_finite() && read.abs().max_element() <= super::rows::LARGEST) {
            note(warnings, before, WarningKind::Repaired, "an OFFSET that is not a finite number became 0");
            read = DVec3::ZERO;
        }
        match self.open.last_mut() {
            Some(Block::Joint(index)) => self.joints[*index].offset = read,
            Some(Block::EndSite { offset, .. }) => *offset = read,
            None => return Err(before.fail("OFFSET outside of a joint", FOREIGN)),
        }
        Ok(())
    }

    fn channels(
        &mut self,
        scan: &mut Scanner<'_>,
        before: &Scanner<'_>,
        warnings: &mut Vec<Warning>,
    ) -> Result<(), ParseError> {
        let announced = scan.number("CHANNELS")?;
        if announced == 0.0 && Channel::from_word(scan.peek_word()).is_none() {
            return Ok(());
        }
        let index = self.current(before)?;
        if !self.joints[index].channels.is_empty() {
            return Err(before.fail("a second CHANNELS in one joint", "remove one of the two lines"));
        }
        while let Some(channel) = Channel::from_word(scan.peek_word()) {
            scan.word();
            if matches!(channel, Channel::Scale(_)) {
                note(warnings, before, WarningKind::SetAside, "scale channels of a BVH are not shown");
            }
            self.joints[index].channels.push(channel);
        }
        let listed = self.joints[index].channels.len();
        if announced == listed as f64 {
            return Ok(());
        }
        let next = scan.peek_word();
        let keywords: [&[u8]; 6] = [b"JOINT", b"END", b"OFFSET", b"MOTION", b"{", b"}"];
        if !keywords.iter().any(|keyword| next.eq_ignore_ascii_case(keyword)) {
            scan.skip_space();
            let advice = "channels are called Xposition … Zrotation; their number stands before them";
            return Err(scan.fail(format!("\"{}\" is not a channel", shown(next)), advice));
        }
        let message = "CHANNELS announces another number of channels than it lists: the listed ones count";
        note(warnings, before, WarningKind::Repaired, message);
        Ok(())
    }
}

fn open_brace(scan: &mut Scanner<'_>) -> Result<(), ParseError> {
    scan.skip_space();
    if scan.bytes.get(scan.at) == Some(&b'{') {
        scan.at += 1;
        return Ok(());
    }
    let reason =
        if scan.at >= scan.bytes.len() { "the file ends before an opening brace" } else { "a brace is missing" };
    Err(scan.fail(reason, TRUNCATED))
}
