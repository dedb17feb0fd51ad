//! The numbers of each gait: how a person walks, runs or sidesteps.
//!
//! Stride, duty, sway, bob and joint angles are what gait laboratories print for adults at these speeds, rounded
//! (stride about 1.4 m and 60 % stance at 1.4 m/s; 35 % at a jog, 27 % at a run; 4 cm of bob and 4 cm of sway).

use super::Gait;
use super::feet::Swing;

/// How a gait looks. Angles in radians, lengths in metres, shares of one stride or one stance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Style {
    /// At this speed…
    pub usual_m_s: f64,
    /// …a stride takes this long; it shortens with the root of the speed.
    pub usual_stride_secs: f64,
    /// Share of the stride that a foot is on the ground.
    pub duty: f64,
    /// Share of the stance after which the body is over the ankle.
    pub over_at: f64,
    /// Feet from the path.
    pub half_width_m: f64,
    /// Toes outward.
    pub toe_out_rad: f64,
    /// Toes up on landing, and heel up on lifting.
    pub strike_rad: f64,
    pub push_rad: f64,
    /// Shares of the stance after which the foot is flat, and the heel rises.
    pub flat_at: f64,
    pub rise_at: f64,
    pub swing: Swing,
    /// Bend of the knee when the heel comes down.
    pub knee_rad: f64,
    /// To either side, once a stride.
    pub sway_m: f64,
    /// Up and down, twice a stride.
    pub bob_m: f64,
    /// The pelvis is lowest in mid-stance (running), not in double support (walking).
    pub bounces: bool,
    /// Pelvis about the vertical, and about the line of travel.
    pub pelvis_yaw_rad: f64,
    pub pelvis_roll_rad: f64,
    /// Trunk forward.
    pub lean_rad: f64,
    /// Shoulders against the pelvis.
    pub chest_yaw_rad: f64,
    /// Upper arms to and fro, about this far forward.
    pub arm_swing_rad: f64,
    pub arm_forward_rad: f64,
    /// Arms away from the body.
    pub arm_out_rad: f64,
    /// Elbows, and how much more of it on the forward swing.
    pub elbow_rad: f64,
    pub elbow_swing_rad: f64,
}

impl Style {
    pub(super) fn of(gait: Gait) -> Self {
        match gait {
            Gait::Walk | Gait::Arc | Gait::StartStop => WALK,
            Gait::Jog => JOG,
            Gait::Run => RUN,
            Gait::StrafeLeft | Gait::StrafeRight => SIDESTEP,
            Gait::TurnInPlace => TURN,
            Gait::Stagger => STAGGER,
            Gait::Jump => JUMP,
        }
    }

    /// The gait at a lower speed than usual: what a step asks for shrinks with its length, the drop with its square.
    pub(super) fn at_speed(mut self, speed_m_s: f64) -> Self {
        if self.steps_on_the_spot() {
            return self;
        }
        let length = speed_m_s * self.stride_secs(speed_m_s) / (self.usual_m_s * self.usual_stride_secs);
        let share = length.min(1.0);
        self.bob_m *= share * share;
        for angle in [&mut self.strike_rad, &mut self.pelvis_yaw_rad, &mut self.arm_swing_rad, &mut self.chest_yaw_rad]
        {
            *angle *= share;
        }
        self
    }

    fn steps_on_the_spot(&self) -> bool {
        self.usual_m_s == 0.0
    }

    /// Seconds of a stride at a speed.
    pub(super) fn stride_secs(&self, speed_m_s: f64) -> f64 {
        if self.steps_on_the_spot() {
            return self.usual_stride_secs;
        }
        self.usual_stride_secs * (self.usual_m_s / speed_m_s.max(0.1)).sqrt()
    }
}

const WALK: Style = Style {
    usual_m_s: 1.4,
    usual_stride_secs: 1.0,
    duty: 0.6,
    over_at: 0.47,
    half_width_m: 0.05,
    toe_out_rad: 0.1,
    strike_rad: 0.32,
    push_rad: 0.45,
    flat_at: 0.16,
    rise_at: 0.55,
    swing: Swing { clearance_m: 0.02, peak_per_push: 1.7 },
    knee_rad: 0.0873,
    sway_m: 0.02,
    bob_m: 0.02,
    bounces: false,
    pelvis_yaw_rad: 0.09,
    pelvis_roll_rad: 0.05,
    lean_rad: 0.05,
    chest_yaw_rad: 0.09,
    arm_swing_rad: 0.38,
    arm_forward_rad: -0.02,
    arm_out_rad: 0.14,
    elbow_rad: 0.35,
    elbow_swing_rad: 0.15,
};

const JOG: Style = Style {
    usual_m_s: 2.8,
    usual_stride_secs: 0.74,
    duty: 0.36,
    over_at: 0.42,
    half_width_m: 0.04,
    strike_rad: 0.14,
    push_rad: 0.5,
    rise_at: 0.5,
    swing: Swing { clearance_m: 0.2, peak_per_push: 2.4 },
    knee_rad: 0.26,
    sway_m: 0.014,
    bob_m: 0.035,
    bounces: true,
    lean_rad: 0.12,
    chest_yaw_rad: 0.14,
    arm_swing_rad: 0.5,
    arm_forward_rad: -0.12,
    arm_out_rad: 0.16,
    elbow_rad: 1.35,
    elbow_swing_rad: 0.2,
    ..WALK
};

const RUN: Style = Style {
    usual_m_s: 4.5,
    usual_stride_secs: 0.66,
    duty: 0.27,
    half_width_m: 0.03,
    strike_rad: 0.1,
    push_rad: 0.52,
    swing: Swing { clearance_m: 0.27, peak_per_push: 2.7 },
    knee_rad: 0.3,
    bob_m: 0.04,
    pelvis_yaw_rad: 0.12,
    lean_rad: 0.2,
    chest_yaw_rad: 0.2,
    arm_swing_rad: 0.75,
    elbow_rad: 1.5,
    ..JOG
};

const SIDESTEP: Style = Style {
    usual_m_s: 0.8,
    usual_stride_secs: 0.6,
    over_at: 0.5,
    toe_out_rad: 0.05,
    strike_rad: 0.0,
    push_rad: 0.16,
    rise_at: 0.6,
    swing: Swing { clearance_m: 0.03, peak_per_push: 1.25 },
    sway_m: 0.01,
    bob_m: 0.012,
    pelvis_yaw_rad: 0.0,
    pelvis_roll_rad: 0.03,
    lean_rad: 0.08,
    chest_yaw_rad: 0.03,
    arm_swing_rad: 0.06,
    arm_out_rad: 0.3,
    elbow_rad: 0.6,
    elbow_swing_rad: 0.05,
    ..WALK
};

const TURN: Style = Style {
    usual_m_s: 0.0,
    usual_stride_secs: 0.9,
    over_at: 0.5,
    half_width_m: 0.09,
    strike_rad: 0.05,
    push_rad: 0.2,
    swing: Swing { clearance_m: 0.03, peak_per_push: 1.5 },
    bob_m: 0.008,
    pelvis_yaw_rad: 0.0,
    pelvis_roll_rad: 0.03,
    lean_rad: 0.03,
    chest_yaw_rad: 0.03,
    arm_swing_rad: 0.1,
    ..WALK
};

const STAGGER: Style = Style {
    usual_m_s: 0.7,
    usual_stride_secs: 0.9,
    over_at: 0.5,
    half_width_m: 0.12,
    toe_out_rad: 0.2,
    strike_rad: 0.0,
    push_rad: 0.2,
    swing: Swing { clearance_m: 0.05, peak_per_push: 1.5 },
    sway_m: 0.03,
    bob_m: 0.015,
    pelvis_roll_rad: 0.07,
    lean_rad: -0.12,
    arm_swing_rad: 0.3,
    arm_forward_rad: 0.3,
    arm_out_rad: 0.7,
    elbow_rad: 0.7,
    ..WALK
};

const JUMP: Style = Style {
    usual_m_s: 1.5,
    half_width_m: 0.09,
    toe_out_rad: 0.08,
    strike_rad: 0.0,
    push_rad: 0.6,
    swing: Swing { clearance_m: 0.24, peak_per_push: 1.5 },
    sway_m: 0.0,
    bob_m: 0.0,
    lean_rad: 0.0,
    arm_swing_rad: 0.0,
    ..WALK
};
