//! gltf_read
