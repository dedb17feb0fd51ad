//! fbx
