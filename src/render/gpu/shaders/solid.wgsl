// Octahedra of bones, shafts and heads of arrows: one unit shape, many placements.

struct In {
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    // Rows of the placement, translation last
    @location(2) x: vec4f,
    @location(3) y: vec4f,
    @location(4) z: vec4f,
    @location(5) color: vec4f,
}

struct Out {
    @builtin(position) clip: vec4f,
    @location(0) point: vec3f,
    @location(1) normal: vec3f,
    @location(2) @interpolate(flat) color: vec4f,
}

fn placed(in: In) -> vec3f {
    let p = vec4f(in.position, 1.0);
    return vec3f(dot(in.x, p), dot(in.y, p), dot(in.z, p));
}

@vertex
fn vs_main(in: In) -> Out {
    var out: Out;
    out.point = placed(in);
    out.clip = frame.clip_from_scene * vec4f(out.point, 1.0);
    let x = cross(in.y.xyz, in.z.xyz);
    let y = cross(in.z.xyz, in.x.xyz);
    let z = cross(in.x.xyz, in.y.xyz);
    out.normal = vec3f(dot(x, in.normal), dot(y, in.normal), dot(z, in.normal));
    out.color = in.color;
    return out;
}

fn drawn(in: Out) -> vec4f {
    let length = length(in.normal);
    let normal = select(towards_eye(in.point), in.normal / max(length, 1e-30), length > 1e-20);
    return vec4f(shaded(in.color.rgb, normal, in.point), in.color.a);
}

@fragment
fn fs_main(in: Out) -> @location(0) vec4f {
    return drawn(in);
}

@fragment
fn fs_behind(in: Out) -> @location(0) vec4f {
    let color = drawn(in);
    return vec4f(color.rgb, color.a * 0.28);
}

@vertex
fn vs_shadow(in: In) -> ShadowOut {
    return cast_onto_floor(placed(in));
}
