// The shadow's picture laid over its square of floor and blurred: what comes out is how dark.

@group(1) @binding(0) var shadow_picture: texture_2d<f32>;
@group(1) @binding(1) var shadow_sampler: sampler;

struct Out {
    @builtin(position) clip: vec4f,
    @location(0) on_floor: vec2f,
}

@vertex
fn vs_main(@builtin(vertex_index) index: u32) -> Out {
    let on_floor = mix(frame.shadow_part.xy, frame.shadow_part.zw, vec2f(f32(index & 1u), f32(index >> 1u)));
    return Out(frame.clip_from_scene * vec4f(on_floor.x, frame.picture.w, on_floor.y, 1.0), on_floor);
}

// Point `i` of so many, spread evenly over a disc by the golden angle.
fn tap(i: i32, taps: i32) -> vec2f {
    let angle = f32(i) * 2.399963;
    return vec2f(cos(angle), sin(angle)) * sqrt((f32(i) + 0.5) / f32(taps));
}

// Sharp under a planted foot, soft under the head: the blur grows with the height of what casts it.
fn shade_at(point: vec2f) -> f32 {
    let taps = i32(frame.floor_shows.w);
    let metres = 2.0 * frame.shadow_area.z;
    let at = (point - frame.shadow_area.xy) / metres + 0.5;
    var found = vec2f(0.0);
    for (var i = 0; i < taps; i++) {
        found += textureSampleLevel(shadow_picture, shadow_sampler, at + tap(i, taps) * 0.10 / metres, 0.0).rg;
    }
    if found.r < 0.001 {
        return 0.0;
    }
    let height = 1.0 - found.g / found.r;
    let radius = mix(0.012, 0.13, height) / metres;
    var dark = 0.0;
    for (var i = 0; i < taps; i++) {
        dark += textureSampleLevel(shadow_picture, shadow_sampler, at + tap(i, taps) * radius, 0.0).r;
    }
    return dark / f32(taps) * (1.0 - 0.45 * height);
}

@fragment
fn fs_main(in: Out) -> @location(0) vec4f {
    return vec4f(0.0, 0.0, 0.0, frame.light.w * shade_at(in.on_floor) * floor_shown(in.on_floor));
}
