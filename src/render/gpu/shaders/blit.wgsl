// The finished picture into somebody else's pass. The picture is linear once sampled; a target that does no sRGB
// encoding of its own (egui's, which blends encoded colours) gets it encoded here.

@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var picture_sampler: sampler;

struct Out {
    @builtin(position) clip: vec4f,
    @location(0) uv: vec2f,
}

@vertex
fn vs_main(@builtin(vertex_index) index: u32) -> Out {
    let at = vec2f(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0);
    return Out(vec4f(at, 0.0, 1.0), at * vec2f(0.5, -0.5) + 0.5);
}

@fragment
fn fs_linear(in: Out) -> @location(0) vec4f {
    return vec4f(textureSampleLevel(picture, picture_sampler, in.uv, 0.0).rgb, 1.0);
}

@fragment
fn fs_encoded(in: Out) -> @location(0) vec4f {
    let linear = textureSampleLevel(picture, picture_sampler, in.uv, 0.0).rgb;
    let curved = 1.055 * pow(max(linear, vec3f(0.0)), vec3f(1.0 / 2.4)) - 0.055;
    return vec4f(select(curved, linear * 12.92, linear <= vec3f(0.0031308)), 1.0);
}
