//! stub
/// stub
#[derive(Debug, thiserror::Error)]
#[error("stub")]
pub struct ProofError;
