// Skinned and carried meshes: linear-blend skinning with matrices from a texture, since not every graphics card lets
// a vertex shader read storage buffers.

struct Draw {
    color: vec4f,
    tint: vec4f,
    opacity: f32,
    lit: f32,
    below_floor: f32,
    cutout: f32,
    first_matrix: u32,
    pad_a: u32,
    pad_b: u32,
    pad_c: u32,
}

// Three texels per matrix: its rows, translation last.
@group(1) @binding(0) var matrices: texture_2d<f32>;
@group(1) @binding(1) var<uniform> draw: Draw;
@group(2) @binding(0) var base_picture: texture_2d<f32>;
@group(2) @binding(1) var base_sampler: sampler;

// Texels in a row of the texture: whole matrices only.
const ROW: u32 = 1536u;

struct In {
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) uv: vec2f,
    @location(3) joints: vec4u,
    @location(4) weights: vec4f,
}

struct Out {
    // Two passes must agree to the last bit for the ghost's depth test.
    @builtin(position) @invariant clip: vec4f,
    @location(0) point: vec3f,
    @location(1) normal: vec3f,
    @location(2) uv: vec2f,
}

struct Rows {
    x: vec4f,
    y: vec4f,
    z: vec4f,
}

fn blended(joints: vec4u, weights: vec4f) -> Rows {
    var sum = Rows(vec4f(0.0), vec4f(0.0), vec4f(0.0));
    let total = weights.x + weights.y + weights.z + weights.w;
    for (var i = 0u; i < 4u; i++) {
        let weight = weights[i] / total;
        if weight > 0.0 {
            let texel = (draw.first_matrix + joints[i]) * 3u;
            let at = vec2u(texel % ROW, texel / ROW);
            sum.x += textureLoad(matrices, at, 0) * weight;
            sum.y += textureLoad(matrices, at + vec2u(1u, 0u), 0) * weight;
            sum.z += textureLoad(matrices, at + vec2u(2u, 0u), 0) * weight;
        }
    }
    return sum;
}

fn moved(rows: Rows, position: vec3f) -> vec3f {
    let p = vec4f(position, 1.0);
    return vec3f(dot(rows.x, p), dot(rows.y, p), dot(rows.z, p));
}

@vertex
fn vs_main(in: In) -> Out {
    let rows = blended(in.joints, in.weights);
    var out: Out;
    out.point = moved(rows, in.position);
    out.clip = frame.clip_from_scene * vec4f(out.point, 1.0);
    // The cofactors turn normals rightly under any scale.
    let x = cross(rows.y.xyz, rows.z.xyz);
    let y = cross(rows.z.xyz, rows.x.xyz);
    let z = cross(rows.x.xyz, rows.y.xyz);
    out.normal = vec3f(dot(x, in.normal), dot(y, in.normal), dot(z, in.normal));
    out.uv = in.uv;
    return out;
}

@fragment
fn fs_main(in: Out) -> @location(0) vec4f {
    let texel = textureSample(base_picture, base_sampler, in.uv);
    if draw.cutout > 0.5 && texel.a < 0.4 {
        discard;
    }
    let base = mix(draw.color.rgb * texel.rgb, draw.tint.rgb, draw.tint.a);
    // A collapsed bone leaves no normal: then light from straight ahead.
    let length = length(in.normal);
    let normal = select(towards_eye(in.point), in.normal / max(length, 1e-30), length > 1e-20);
    var color = mix(base, shaded(base, normal, in.point), draw.lit);
    // Two millimetres are a shoe's tread; five are wrong.
    let depth = frame.picture.w - in.point.y;
    let wrong = smoothstep(0.001, 0.006, depth) * draw.below_floor * 0.85;
    color = mix(color, frame.below_floor.rgb * (0.75 + 0.25 * saturate(normal.y)), wrong);
    return vec4f(color, draw.opacity);
}

@vertex
fn vs_shadow(in: In) -> ShadowOut {
    return cast_onto_floor(moved(blended(in.joints, in.weights), in.position));
}
