//! gltf_write
