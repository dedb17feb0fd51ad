// The endless floor, painted behind everything: a ray per pixel, lines of constant width smoothed by how many metres
// a pixel covers. It writes no depth, so that what sinks below it stays in sight.

struct Out {
    @builtin(position) clip: vec4f,
    @location(0) at: vec2f,
}

@vertex
fn vs_main(@builtin(vertex_index) index: u32) -> Out {
    let at = vec2f(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0);
    return Out(vec4f(at, 0.0, 1.0), at);
}

// Coverage of lines every `step` metres. Where they stand too close to be told apart they fade.
fn lines(point: vec2f, step: f32, metres_per_pixel: vec2f, half_width: f32) -> f32 {
    let distance = abs(fract(point / step - 0.5) - 0.5) * step / metres_per_pixel;
    let apart = step / metres_per_pixel;
    let covered = saturate(vec2f(half_width + 0.5) - distance) * saturate((apart - 5.0) / 15.0);
    return max(covered.x, covered.y);
}

fn one_line(offset: f32, metres_per_pixel: f32, half_width: f32) -> f32 {
    return saturate(half_width + 0.5 - abs(offset) / metres_per_pixel);
}

fn over(under: vec3f, color: vec4f, coverage: f32) -> vec3f {
    return mix(under, color.rgb, color.a * coverage);
}

@fragment
fn fs_main(in: Out) -> @location(0) vec4f {
    let perspective = frame.eye.w > 0.5;
    let aside = frame.right.xyz * in.at.x + frame.up.xyz * in.at.y;
    let origin = select(frame.eye.xyz + aside, frame.eye.xyz, perspective);
    let sight = select(frame.forward.xyz, normalize(frame.forward.xyz + aside), perspective);
    let level = frame.picture.w;
    // Never divided by zero; such rays are faded out below.
    let along = (level - origin.y) / select(sight.y, 1e-6, abs(sight.y) < 1e-6);
    let hit = (origin + sight * along).xz;
    let point = hit - frame.grid_at.xy;
    let metres_per_pixel = max(vec2f(length(vec2f(dpdx(point.x), dpdy(point.x))),
        length(vec2f(dpdx(point.y), dpdy(point.y)))), vec2f(1e-6));

    let before_eye = (along > 0.0 || !perspective) && frame.floor_shows.z > 0.5;
    let shown = select(0.0, floor_shown(hit), before_eye) * smoothstep(0.004, 0.06, abs(sight.y));
    let half_width = 0.5 * frame.picture.z;
    var color = over(frame.background.rgb, frame.floor, 1.0);
    if frame.floor_shows.x > 0.5 {
        let coarse = lines(point, 1.0, metres_per_pixel, half_width);
        let fine = lines(point, 0.1, metres_per_pixel, half_width) * (1.0 - coarse);
        color = over(color, frame.grid_fine, fine);
        color = over(color, frame.grid, coarse);
    }
    if frame.floor_shows.y > 0.5 {
        let offset = hit - frame.grid_at.zw;
        color = over(color, frame.axis_x, one_line(offset.y, metres_per_pixel.y, half_width * 1.7));
        color = over(color, frame.axis_z, one_line(offset.x, metres_per_pixel.x, half_width * 1.7));
    }
    color = mix(frame.background.rgb, color, shown);
    // Seen exactly from the side the floor is one line.
    if !perspective && frame.floor_shows.z > 0.5 {
        let pixel = 2.0 * length(frame.up.xyz) / frame.picture.y;
        let edge_on = 1.0 - smoothstep(0.004, 0.06, abs(sight.y));
        color = over(color, frame.grid, edge_on * one_line(origin.y - level, pixel, half_width * 1.7));
    }
    return vec4f(color, 1.0);
}
