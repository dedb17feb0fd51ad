// Polylines of constant width on the screen. Each segment is a quad around it; a fragment's coverage follows from its
// distance to the segment, which rounds ends and corners, and the corner's bisector decides which of two segments
// owns a fragment, so that translucent lines do not double where they bend.

struct In {
    @location(0) a: vec3f,
    @location(1) b: vec3f,
    // Neighbouring points; the end itself where there is none
    @location(2) before: vec3f,
    @location(3) after: vec3f,
    @location(4) color_a: vec4f,
    @location(5) color_b: vec4f,
    @location(6) width: f32,
}

struct Out {
    @builtin(position) clip: vec4f,
    // Pixels: both ends
    @location(0) @interpolate(flat) ends: vec4f,
    // Pixels: directions in which the neighbours take over; zero where there is none
    @location(1) @interpolate(flat) owners: vec4f,
    @location(2) @interpolate(flat) color_a: vec4f,
    @location(3) @interpolate(flat) color_b: vec4f,
    @location(4) @interpolate(flat) half_width: f32,
}

const NEAR: f32 = 0.011;

fn clip_of(point: vec3f) -> vec4f {
    return frame.clip_from_scene * vec4f(lifted(point), 1.0);
}

fn pixel_of(clip: vec4f) -> vec2f {
    return (clip.xy / clip.w * vec2f(0.5, -0.5) + 0.5) * frame.picture.xy;
}

// Where the neighbour's half of the corner begins. Zero for segments shorter than they are wide: there halves would
// leave holes, and doubling is not seen.
fn owner(corner: vec2f, own: vec2f, neighbour: vec4f, half_width: f32) -> vec2f {
    if neighbour.w < NEAR {
        return vec2f(0.0);
    }
    let away = pixel_of(neighbour) - corner;
    let length = length(away);
    if length <= half_width {
        return vec2f(0.0);
    }
    // Both point away from the corner: the bisector's normal towards the neighbour.
    return away / length - own;
}

@vertex
fn vs_main(in: In, @builtin(vertex_index) index: u32) -> Out {
    var out: Out;
    var a = clip_of(in.a);
    var b = clip_of(in.b);
    let whole_a = a.w >= NEAR;
    let whole_b = b.w >= NEAR;
    if !whole_a && !whole_b {
        out.clip = vec4f(2.0, 2.0, 2.0, 1.0);
        return out;
    }
    if !whole_a {
        a = mix(a, b, (NEAR - a.w) / (b.w - a.w));
    }
    if !whole_b {
        b = mix(b, a, (NEAR - b.w) / (a.w - b.w));
    }
    let pa = pixel_of(a);
    let pb = pixel_of(b);
    let length = distance(pa, pb);
    let direction = select(vec2f(1.0, 0.0), (pb - pa) / max(length, 1e-6), length > 1e-4);
    out.half_width = max(in.width * frame.picture.z * 0.5, 0.5);
    out.ends = vec4f(pa, pb);
    out.owners = vec4f(0.0);
    let long = length > out.half_width;
    if long && whole_a && any(in.before != in.a) {
        out.owners = vec4f(owner(pa, direction, clip_of(in.before), out.half_width), 0.0, 0.0);
    }
    if long && whole_b && any(in.after != in.b) {
        out.owners = vec4f(out.owners.xy, owner(pb, -direction, clip_of(in.after), out.half_width));
    }
    out.color_a = in.color_a;
    out.color_b = in.color_b;
    let reach = out.half_width + 1.0;
    let at_b = (index & 1u) == 1u;
    let side = select(-1.0, 1.0, (index & 2u) == 2u);
    let end = select(a, b, at_b);
    let pixel = select(pa - direction * reach, pb + direction * reach, at_b) + vec2f(-direction.y, direction.x) * side * reach;
    out.clip = vec4f((pixel / frame.picture.xy - 0.5) * vec2f(2.0, -2.0) * end.w, end.z, end.w);
    return out;
}

fn drawn(in: Out) -> vec4f {
    let pixel = in.clip.xy;
    let a = in.ends.xy;
    let b = in.ends.zw;
    // The first of two owners takes the border itself.
    if dot(pixel - a, in.owners.xy) > 0.0 || (any(in.owners.zw != vec2f(0.0)) && dot(pixel - b, in.owners.zw) >= 0.0) {
        discard;
    }
    let along = b - a;
    let t = saturate(dot(pixel - a, along) / max(dot(along, along), 1e-8));
    let coverage = saturate(in.half_width + 0.5 - distance(pixel, a + along * t));
    let color = mix(in.color_a, in.color_b, t);
    return vec4f(color.rgb, color.a * coverage);
}

@fragment
fn fs_main(in: Out) -> @location(0) vec4f {
    let color = drawn(in);
    // A clear fragment must not hide what lies behind it.
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
