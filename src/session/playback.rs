//! The playhead: where it is, whether it moves, and how often the clip has gone round.

use serde::{Deserialize, Serialize};

use crate::motion::TimeRange;

/// What a person does to the playhead.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Transport {
    /// Play, or pause.
    Toggle,
    /// Play forwards.
    Forwards,
    /// Play backwards.
    Backwards,
    /// Stay where it is.
    Pause,
    /// To an instant of the clip; play goes on from there if it was going on.
    Seek(f64),
    /// So many frames on; pauses.
    Step(i32),
    /// To the first instant of what loops.
    First,
    /// To the last.
    Last,
    /// How fast, 1 = as the clip says.
    Speed(f64),
    /// Loop only this part; `None` the whole clip.
    Loop(Option<TimeRange>),
    /// The part that loops begins here.
    LoopFromHere,
    /// The part that loops ends here.
    LoopToHere,
}

/// Where the playhead is. Times are the shown clip's own, seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playback {
    /// Whether it moves.
    pub playing: bool,
    /// The instant that is shown.
    pub secs: f64,
    /// How fast it moves, 1 = as the clip says; positive.
    pub speed: f64,
    /// Whether it moves against time.
    pub backwards: bool,
    /// How often the whole clip has gone round, for a figure that travels on; negative when it went backwards.
    pub rounds: i64,
    /// The part that loops; `None` the whole clip.
    pub looped: Option<TimeRange>,
}

impl Default for Playback {
    fn default() -> Self {
        Self { playing: true, secs: 0.0, speed: 1.0, backwards: false, rounds: 0, looped: None }
    }
}

impl Playback {
    /// The speeds that keys go through.
    pub const SPEEDS: [f64; 5] = [0.1, 0.25, 0.5, 1.0, 2.0];

    /// The next speed of [`Self::SPEEDS`] above or below the present one.
    pub fn next_speed(&self, faster: bool) -> f64 {
        let mut speeds = Self::SPEEDS.into_iter();
        match faster {
            true => speeds.find(|&speed| speed > self.speed * 1.001).unwrap_or(Self::SPEEDS[4]),
            false => speeds.rev().find(|&speed| speed < self.speed * 0.999).unwrap_or(Self::SPEEDS[0]),
        }
    }

    /// What loops in a clip of this range; a part that does not touch the clip is none.
    pub fn span(&self, clip: TimeRange) -> TimeRange {
        let Some(part) = self.looped else { return clip };
        let start_secs = part.start_secs.max(clip.start_secs);
        let end_secs = part.end_secs.min(clip.end_secs);
        if start_secs < end_secs { TimeRange { start_secs, end_secs } } else { clip }
    }

    /// Moves on by some seconds of the person's time.
    pub fn advance(&mut self, real_secs: f64, clip: TimeRange) {
        if !self.playing {
            return;
        }
        let span = self.span(clip);
        let length = span.duration_secs();
        if length <= 0.0 {
            self.secs = span.start_secs;
            return;
        }
        let step = real_secs * self.speed * if self.backwards { -1.0 } else { 1.0 };
        let along = self.secs.clamp(span.start_secs, span.end_secs) - span.start_secs + step;
        let rounds = (along / length).floor();
        self.secs = span.start_secs + (along - rounds * length).clamp(0.0, length);
        // Only whole rounds of the whole clip carry the figure on; a looped part starts where it started.
        if span == clip {
            self.rounds = self.rounds.saturating_add(rounds as i64);
        }
    }

    /// Carries a request out on a clip with frames of `frame_secs`.
    pub fn transport(&mut self, what: Transport, clip: TimeRange, frame_secs: f64) {
        let span = self.span(clip);
        match what {
            Transport::Toggle => self.playing = !self.playing,
            Transport::Forwards => (self.playing, self.backwards) = (true, false),
            Transport::Backwards => (self.playing, self.backwards) = (true, true),
            Transport::Pause => self.playing = false,
            Transport::Seek(secs) if secs.is_finite() => self.secs = secs.clamp(clip.start_secs, clip.end_secs),
            Transport::Seek(_) => {}
            Transport::Step(frames) => {
                self.playing = false;
                self.secs = self.stepped(frames, clip, frame_secs);
            }
            Transport::First => (self.secs, self.rounds) = (span.start_secs, 0),
            Transport::Last => self.secs = span.end_secs,
            Transport::Speed(speed) if speed.is_finite() => self.speed = speed.clamp(0.01, 16.0),
            Transport::Speed(_) => {}
            Transport::Loop(part) => self.looped = part.filter(|part| part.start_secs < part.end_secs),
            Transport::LoopFromHere => {
                let end_secs = if span.end_secs > self.secs { span.end_secs } else { clip.end_secs };
                self.looped = Some(TimeRange { start_secs: self.secs, end_secs }).filter(|part| *part != clip);
            }
            Transport::LoopToHere => {
                let start_secs = if span.start_secs < self.secs { span.start_secs } else { clip.start_secs };
                self.looped = Some(TimeRange { start_secs, end_secs: self.secs }).filter(|part| *part != clip);
            }
        }
        if self.looped.is_some_and(|part| part.start_secs >= part.end_secs) {
            self.looped = None;
        }
    }

    /// To a whole frame: the next one in that direction even from between two.
    fn stepped(&self, frames: i32, clip: TimeRange, frame_secs: f64) -> f64 {
        let now = (self.secs - clip.start_secs) / frame_secs;
        let whole = now.round();
        let near = if (now - whole).abs() < 1e-6 {
            whole
        } else if frames > 0 {
            now.floor()
        } else {
            now.ceil()
        };
        let target = clip.start_secs + (near + f64::from(frames)) * frame_secs;
        target.clamp(clip.start_secs, clip.end_secs)
    }
}
