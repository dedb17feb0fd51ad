//! What several tests share.

pub mod exports;
pub mod json_schema;
pub mod validator;
