// In front of every other shader: what all of them know about the picture, and how surfaces take light.
// Positions are relative to the scene's origin, colours linear with straight alpha; depth is 1 near and 0 far.

struct Frame {
    clip_from_scene: mat4x4f,
    // w: 1 perspective, 0 parallel
    eye: vec4f,
    // Direction of sight; w: distance of the focus
    forward: vec4f,
    // Half the picture's width and height: at a depth of one metre (perspective) or everywhere (parallel)
    right: vec4f,
    up: vec4f,
    focus: vec4f,
    // Towards the light; w: how much the shadow darkens
    light: vec4f,
    // Width and height in pixels, pixels per point, level of the floor
    picture: vec4f,
    // A point of the grid (x, z), where the axes cross (x, z)
    grid_at: vec4f,
    // Centre (x, z) of the shadow's square, half its side
    shadow_area: vec4f,
    // The part of it that may be dark: lower and upper corner (x, z)
    shadow_part: vec4f,
    // 1 each: grid, axes, floor; how often the shadow's picture is looked at per pixel
    floor_shows: vec4f,
    background: vec4f,
    floor: vec4f,
    grid_fine: vec4f,
    grid: vec4f,
    axis_x: vec4f,
    axis_z: vec4f,
    below_floor: vec4f,
}

@group(0) @binding(0) var<uniform> frame: Frame;

// Unit vector from a surface point towards the eye.
fn towards_eye(point: vec3f) -> vec3f {
    if frame.eye.w < 0.5 {
        return -frame.forward.xyz;
    }
    return normalize(frame.eye.xyz - point);
}

// A pale sky, a floor that throws some light back, one soft key light from above, a little light from the camera so
// that no side is black, and a rim that parts the figure from what is behind it.
fn shaded(albedo: vec3f, given_normal: vec3f, point: vec3f) -> vec3f {
    let view = towards_eye(point);
    // Both sides of a triangle are drawn: cloth and hair are open, and mirrored bones turn the winding around.
    let normal = select(given_normal, -given_normal, dot(given_normal, view) < 0.0);
    let facing = saturate(dot(normal, view));
    let sky = mix(vec3f(0.19, 0.18, 0.175), vec3f(0.43, 0.45, 0.48), normal.y * 0.5 + 0.5);
    let key = saturate((dot(normal, frame.light.xyz) + 0.2) / 1.2);
    let light = sky + vec3f(0.62, 0.60, 0.57) * key + vec3f(0.11) * facing;
    let rim = pow(1.0 - facing, 4.0) * 0.10 * (normal.y * 0.5 + 0.5);
    let color = albedo * light + vec3f(rim);
    // White things keep their shape: what would be too bright bends towards white instead of being cut off.
    let over = max(color - vec3f(0.55), vec3f(0.0));
    return min(color, vec3f(0.55)) + 0.45 * (1.0 - exp(-over / 0.45));
}

// A little towards the eye, to the same pixel: lines and discs on a surface do not fight with it.
fn lifted(point: vec3f) -> vec3f {
    if frame.eye.w < 0.5 {
        return point - frame.forward.xyz * 0.004;
    }
    return point + (frame.eye.xyz - point) * 0.002;
}

// How much of the floor is left at a point of it: the farther from what is looked at, the less.
fn floor_shown(on_floor: vec2f) -> f32 {
    let away = length(on_floor - frame.focus.xz) / (3.0 + frame.forward.w * 3.5);
    return exp(-away * away);
}

struct ShadowOut {
    @builtin(position) clip: vec4f,
    @location(0) height: f32,
}

// Onto the floor along the light, into the square that the shadow's picture covers.
fn cast_onto_floor(point: vec3f) -> ShadowOut {
    let height = max(point.y - frame.picture.w, 0.0);
    let on_floor = point.xz - frame.light.xz / frame.light.y * height;
    let at = (on_floor - frame.shadow_area.xy) / frame.shadow_area.z;
    return ShadowOut(vec4f(at.x, -at.y, 0.5, 1.0), height);
}

// Coverage, and how low the caster hangs: the lowest wins where the blend keeps the larger value.
@fragment
fn fs_shadow(in: ShadowOut) -> @location(0) vec4f {
    return vec4f(1.0, 1.0 - saturate(in.height / 2.0), 0.0, 1.0);
}
