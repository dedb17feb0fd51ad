// Flat discs and rings with smooth edges.

struct In {
    @location(0) center: vec3f,
    @location(1) radius: f32,
    @location(2) normal: vec3f,
    @location(3) inner: f32,
    @location(4) color: vec4f,
}

struct Out {
    @builtin(position) clip: vec4f,
    // Metres from the centre, in the disc's plane
    @location(0) at: vec2f,
    @location(1) @interpolate(flat) radii: vec2f,
    @location(2) @interpolate(flat) color: vec4f,
}

@vertex
fn vs_main(in: In, @builtin(vertex_index) index: u32) -> Out {
    let length = length(in.normal);
    let up = select(vec3f(0.0, 1.0, 0.0), in.normal / max(length, 1e-20), length > 1e-9);
    let side = normalize(cross(up, select(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 0.0, 1.0), abs(up.x) > 0.7)));
    let corner = vec2f(f32(index & 1u), f32(index >> 1u)) * 2.0 - 1.0;
    // A tenth more for the smooth edge.
    let at = corner * in.radius * 1.1;
    let point = in.center + side * at.x + cross(up, side) * at.y;
    return Out(frame.clip_from_scene * vec4f(lifted(point), 1.0), at, vec2f(in.inner, in.radius), in.color);
}

fn drawn(in: Out) -> vec4f {
    let from_centre = length(in.at);
    let pixel = max(fwidth(from_centre), 1e-6);
    let outside = saturate((in.radii.y - from_centre) / pixel + 0.5);
    let inside = select(1.0, saturate((from_centre - in.radii.x) / pixel + 0.5), in.radii.x > 0.0);
    return vec4f(in.color.rgb, in.color.a * outside * inside);
}

@fragment
fn fs_main(in: Out) -> @location(0) vec4f {
    let color = drawn(in);
    if color.a < 0.004 {
        discard;
    }
    return color;
}

@fragment
fn fs_behind(in: Out) -> @location(0) vec4f {
    let color = drawn(in);
    return vec4f(color.rgb, color.a * 0.28);
}
