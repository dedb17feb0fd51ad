//! stub
/// stub
#[derive(Clone, Debug)]
pub struct Record;
