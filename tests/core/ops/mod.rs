//! Operations against closed forms.

mod extraction;
mod place;
mod smoothing;
mod yaw;
