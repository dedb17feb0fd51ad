//! Writes small FBX 7.5 ASCII files from plain numbers, so that the FBX oracles need no files from outside.
//!
//! Nothing here is shared with the reader under test; the layout follows what the Autodesk SDK writes.

use std::fmt::Write;

/// FBX's own clock.
pub const TICKS_PER_SECOND: f64 = 46_186_158_000.0;

/// A scene; lengths in its own unit, angles in degrees.
#[derive(Clone)]
pub struct Scene {
    /// Centimetres per unit.
    pub unit_scale: f64,
    pub axes: Axes,
    /// FbxTime::EMode.
    pub time_mode: i32,
    pub custom_rate: f64,
    pub nodes: Vec<Node>,
    pub takes: Vec<Take>,
    pub mesh: Option<SkinnedMesh>,
}

/// Axis numbers 0 x, 1 y, 2 z with a sign: up, front, and what points to the viewer's right.
#[derive(Clone, Copy)]
pub struct Axes {
    pub up: (i32, i32),
    pub front: (i32, i32),
    pub coord: (i32, i32),
}

pub const MAYA_Y_UP: Axes = Axes { up: (1, 1), front: (2, 1), coord: (0, 1) };
pub const MAX_Z_UP: Axes = Axes { up: (2, 1), front: (1, -1), coord: (0, 1) };

#[derive(Clone)]
pub struct Node {
    pub name: String,
    pub parent: Option<usize>,
    /// "LimbNode", "Null", "Mesh" …
    pub class: &'static str,
    pub translation: [f64; 3],
    pub rotation: [f64; 3],
    pub scaling: [f64; 3],
    /// 0 XYZ, 1 XZY, 2 YZX, 3 YXZ, 4 ZXY, 5 ZYX, 6 spheric.
    pub rotation_order: i32,
    pub rotation_active: bool,
    pub pre_rotation: [f64; 3],
    pub post_rotation: [f64; 3],
    pub rotation_pivot: [f64; 3],
    pub rotation_offset: [f64; 3],
    pub scaling_pivot: [f64; 3],
    pub scaling_offset: [f64; 3],
    pub geometric_translation: [f64; 3],
    /// 0 RrSs, 1 RSrs, 2 Rrs.
    pub inherit_type: i32,
}

impl Node {
    pub fn limb(name: &str, parent: Option<usize>) -> Self {
        Self {
            name: name.into(),
            parent,
            class: "LimbNode",
            translation: [0.0; 3],
            rotation: [0.0; 3],
            scaling: [1.0; 3],
            rotation_order: 0,
            rotation_active: true,
            pre_rotation: [0.0; 3],
            post_rotation: [0.0; 3],
            rotation_pivot: [0.0; 3],
            rotation_offset: [0.0; 3],
            scaling_pivot: [0.0; 3],
            scaling_offset: [0.0; 3],
            geometric_translation: [0.0; 3],
            inherit_type: 1,
        }
    }

    pub fn of_class(self, class: &'static str) -> Self {
        Self { class, ..self }
    }
}

#[derive(Clone, Default)]
pub struct Take {
    pub name: String,
    /// LocalStart and LocalStop, seconds.
    pub span: Option<(f64, f64)>,
    pub layers: Vec<Layer>,
}

impl Take {
    /// One layer.
    pub fn simple(name: &str, span: Option<(f64, f64)>, curves: Vec<Curve>) -> Self {
        Self { name: name.into(), span, layers: vec![Layer { blend_mode: 0, weight: 100.0, curves }] }
    }
}

#[derive(Clone)]
pub struct Layer {
    /// 0 additive, 1 override, 2 override passthrough.
    pub blend_mode: i32,
    /// Percent.
    pub weight: f64,
    pub curves: Vec<Curve>,
}

#[derive(Clone)]
pub struct Curve {
    pub node: usize,
    /// 'T', 'R', 'S'.
    pub property: char,
    /// 0 x, 1 y, 2 z.
    pub axis: usize,
    pub keys: Vec<Key>,
    /// 'C' holds, 'R' repeats, 'K' goes on straight, 'A' repeats with offset, 'M' mirrors.
    pub after: char,
}

impl Curve {
    pub fn new(node: usize, property: char, axis: usize, keys: Vec<Key>) -> Self {
        Self { node, property, axis, keys, after: 'C' }
    }

    /// Straight lines through (seconds, value).
    pub fn linear(node: usize, property: char, axis: usize, points: &[(f64, f64)]) -> Self {
        let keys = points.iter().map(|&(secs, value)| Key { secs, value, kind: Kind::Linear }).collect();
        Self::new(node, property, axis, keys)
    }
}

#[derive(Clone, Copy)]
pub struct Key {
    pub secs: f64,
    pub value: f64,
    /// From this key to the next.
    pub kind: Kind,
}

#[derive(Clone, Copy)]
pub enum Kind {
    /// This key's value up to the next.
    Constant,
    /// The next key's value from here on.
    ConstantNext,
    Linear,
    /// Hermite spline; slope here and on arrival at the next key, per second.
    Cubic(f64, f64),
}

/// A mesh on its own node, bound to bones.
#[derive(Clone)]
pub struct SkinnedMesh {
    /// Node of class "Mesh".
    pub node: usize,
    pub points: Vec<[f64; 3]>,
    /// Polygons by point.
    pub polygons: Vec<Vec<usize>>,
    pub clusters: Vec<Cluster>,
}

#[derive(Clone)]
pub struct Cluster {
    pub bone: usize,
    pub weights: Vec<(usize, f64)>,
    /// Where the bone stood in the world at binding.
    pub bind_translation: [f64; 3],
}

impl Scene {
    /// Centimetres, Maya's axes, 30 frames per second.
    pub fn new(nodes: Vec<Node>) -> Self {
        let (unit_scale, axes, time_mode, custom_rate) = (1.0, MAYA_Y_UP, 6, -1.0);
        Self { unit_scale, axes, time_mode, custom_rate, nodes, takes: Vec::new(), mesh: None }
    }

    /// One bone.
    pub fn of_bone(edit: impl FnOnce(&mut Node)) -> Self {
        let mut bone = Node::limb("bone", None);
        edit(&mut bone);
        Self::new(vec![bone])
    }

    /// The file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.text.push_str("; FBX 7.5.0 project file\n; ----\n");
        out.open("FBXHeaderExtension: ");
        out.line("FBXHeaderVersion: 1003");
        out.line("FBXVersion: 7500");
        out.line("Creator: \"stridesmith tests\"");
        out.close();
        self.write_settings(&mut out);
        out.open("Definitions: ");
        out.line("Version: 100");
        out.line("Count: 1");
        for kind in [
            "GlobalSettings",
            "NodeAttribute",
            "Model",
            "Geometry",
            "Deformer",
            "AnimationStack",
            "AnimationLayer",
            "AnimationCurveNode",
            "AnimationCurve",
        ] {
            out.open(&format!("ObjectType: \"{kind}\""));
            out.line("Count: 1");
            out.close();
        }
        out.close();
        let mut links = Writer::default();
        out.open("Objects: ");
        self.write_nodes(&mut out, &mut links);
        self.write_takes(&mut out, &mut links);
        self.write_mesh(&mut out, &mut links);
        out.close();
        out.open("Connections: ");
        out.text.push_str(&links.text);
        out.close();
        out.text.into_bytes()
    }

    fn write_settings(&self, out: &mut Writer) {
        out.open("GlobalSettings: ");
        out.line("Version: 1000");
        out.open("Properties70: ");
        let Axes { up, front, coord } = self.axes;
        for (name, (axis, sign)) in [("UpAxis", up), ("FrontAxis", front), ("CoordAxis", coord)] {
            out.line(&format!("P: \"{name}\", \"int\", \"Integer\", \"\",{axis}"));
            out.line(&format!("P: \"{name}Sign\", \"int\", \"Integer\", \"\",{sign}"));
        }
        out.line(&format!("P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",{}", self.unit_scale));
        out.line(&format!("P: \"TimeMode\", \"enum\", \"\", \"\",{}", self.time_mode));
        out.line(&format!("P: \"CustomFrameRate\", \"double\", \"Number\", \"\",{}", self.custom_rate));
        out.close();
        out.close();
    }

    fn write_nodes(&self, out: &mut Writer, links: &mut Writer) {
        for (i, node) in self.nodes.iter().enumerate() {
            let (model, attribute) = (model_id(i), 1000 + i);
            if node.class == "LimbNode" {
                out.open(&format!("NodeAttribute: {attribute}, \"NodeAttribute::\", \"LimbNode\""));
                out.line("TypeFlags: \"Skeleton\"");
                out.close();
                links.line(&format!("C: \"OO\",{attribute},{model}"));
            }
            out.open(&format!("Model: {model}, \"Model::{}\", \"{}\"", node.name, node.class));
            out.line("Version: 232");
            out.open("Properties70: ");
            out.line(&format!("P: \"RotationActive\", \"bool\", \"\", \"\",{}", i32::from(node.rotation_active)));
            out.line(&format!("P: \"InheritType\", \"enum\", \"\", \"\",{}", node.inherit_type));
            out.line(&format!("P: \"RotationOrder\", \"enum\", \"\", \"\",{}", node.rotation_order));
            for (name, value) in [
                ("PreRotation", node.pre_rotation),
                ("PostRotation", node.post_rotation),
                ("RotationPivot", node.rotation_pivot),
                ("RotationOffset", node.rotation_offset),
                ("ScalingPivot", node.scaling_pivot),
                ("ScalingOffset", node.scaling_offset),
                ("GeometricTranslation", node.geometric_translation),
            ] {
                out.line(&format!("P: \"{name}\", \"Vector3D\", \"Vector\", \"\",{}", list(&value)));
            }
            for (name, value) in
                [("Lcl Translation", node.translation), ("Lcl Rotation", node.rotation), ("Lcl Scaling", node.scaling)]
            {
                out.line(&format!("P: \"{name}\", \"{name}\", \"\", \"A\",{}", list(&value)));
            }
            out.close();
            out.line("Shading: Y");
            out.line("Culling: \"CullingOff\"");
            out.close();
            links.line(&format!("C: \"OO\",{model},{}", node.parent.map_or(0, model_id)));
        }
    }

    fn write_takes(&self, out: &mut Writer, links: &mut Writer) {
        let mut id = 100_000;
        let mut next = || {
            id += 1;
            id
        };
        for take in &self.takes {
            let stack = next();
            out.open(&format!("AnimationStack: {stack}, \"AnimStack::{}\", \"\"", take.name));
            if let Some((start, stop)) = take.span {
                out.open("Properties70: ");
                for (name, secs) in
                    [("LocalStart", start), ("LocalStop", stop), ("ReferenceStart", start), ("ReferenceStop", stop)]
                {
                    out.line(&format!("P: \"{name}\", \"KTime\", \"Time\", \"\",{}", ticks(secs)));
                }
                out.close();
            }
            out.close();
            for (number, layer) in take.layers.iter().enumerate() {
                let layer_id = next();
                out.open(&format!("AnimationLayer: {layer_id}, \"AnimLayer::Layer{number}\", \"\""));
                out.open("Properties70: ");
                out.line(&format!("P: \"Weight\", \"Number\", \"\", \"A\",{}", layer.weight));
                out.line(&format!("P: \"BlendMode\", \"enum\", \"\", \"\",{}", layer.blend_mode));
                out.close();
                out.close();
                links.line(&format!("C: \"OO\",{layer_id},{stack}"));
                self.write_layer(layer, number, layer_id, &mut next, out, links);
            }
        }
    }

    fn write_layer(
        &self,
        layer: &Layer,
        number: usize,
        layer_id: usize,
        next: &mut impl FnMut() -> usize,
        out: &mut Writer,
        links: &mut Writer,
    ) {
        let mut sets: Vec<(usize, char, usize)> = Vec::new();
        for curve in &layer.curves {
            let known = sets.iter().find(|set| (set.0, set.1) == (curve.node, curve.property)).map(|set| set.2);
            let set = known.unwrap_or_else(|| {
                let set = next();
                sets.push((curve.node, curve.property, set));
                let node = &self.nodes[curve.node];
                let (property, default) = match curve.property {
                    'T' => ("Lcl Translation", node.translation),
                    'R' => ("Lcl Rotation", node.rotation),
                    _ => ("Lcl Scaling", node.scaling),
                };
                // A second layer that adds starts from nothing, not from the node's own value.
                let adds = layer.blend_mode == 0 && number > 0;
                let default = if adds && curve.property != 'S' { [0.0; 3] } else { default };
                out.open(&format!("AnimationCurveNode: {set}, \"AnimCurveNode::{}\", \"\"", curve.property));
                out.open("Properties70: ");
                for (axis, value) in ["X", "Y", "Z"].iter().zip(default) {
                    out.line(&format!("P: \"d|{axis}\", \"Number\", \"\", \"A\",{value}"));
                }
                out.close();
                out.close();
                links.line(&format!("C: \"OO\",{set},{layer_id}"));
                links.line(&format!("C: \"OP\",{set},{}, \"{property}\"", model_id(curve.node)));
                set
            });
            let id = next();
            write_curve(curve, id, out);
            links.line(&format!("C: \"OP\",{id},{set}, \"d|{}\"", ["X", "Y", "Z"][curve.axis]));
        }
    }

    fn write_mesh(&self, out: &mut Writer, links: &mut Writer) {
        let Some(mesh) = &self.mesh else { return };
        const GEOMETRY: usize = 50_000;
        const SKIN: usize = 50_001;
        out.open(&format!("Geometry: {GEOMETRY}, \"Geometry::\", \"Mesh\""));
        let points: Vec<f64> = mesh.points.iter().flatten().copied().collect();
        out.array("Vertices", &points);
        // The last corner of a polygon is written as its complement.
        let mut corners: Vec<i64> = Vec::new();
        for polygon in &mesh.polygons {
            corners.extend(polygon.iter().map(|&point| point as i64));
            if let Some(last) = corners.last_mut() {
                *last = !*last;
            }
        }
        out.array("PolygonVertexIndex", &corners);
        out.close();
        links.line(&format!("C: \"OO\",{GEOMETRY},{}", model_id(mesh.node)));
        if mesh.clusters.is_empty() {
            return;
        }
        out.open(&format!("Deformer: {SKIN}, \"Deformer::\", \"Skin\""));
        out.line("Version: 101");
        out.close();
        links.line(&format!("C: \"OO\",{SKIN},{GEOMETRY}"));
        for (k, cluster) in mesh.clusters.iter().enumerate() {
            let id = SKIN + 1 + k;
            out.open(&format!("Deformer: {id}, \"SubDeformer::\", \"Cluster\""));
            out.line("Version: 100");
            out.array("Indexes", &cluster.weights.iter().map(|w| w.0 as i64).collect::<Vec<_>>());
            out.array("Weights", &cluster.weights.iter().map(|w| w.1).collect::<Vec<_>>());
            let [x, y, z] = cluster.bind_translation;
            let moved =
                |x: f64, y: f64, z: f64| [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, x, y, z, 1.0];
            out.array("Transform", &moved(-x, -y, -z));
            out.array("TransformLink", &moved(x, y, z));
            out.close();
            links.line(&format!("C: \"OO\",{id},{SKIN}"));
            links.line(&format!("C: \"OO\",{},{id}", model_id(cluster.bone)));
        }
    }
}

fn write_curve(curve: &Curve, id: usize, out: &mut Writer) {
    out.open(&format!("AnimationCurve: {id}, \"AnimCurve::\", \"\""));
    out.line("Default: 0");
    out.line("KeyVer: 4009");
    out.array("KeyTime", &curve.keys.iter().map(|key| ticks(key.secs)).collect::<Vec<_>>());
    out.array("KeyValueFloat", &curve.keys.iter().map(|key| key.value).collect::<Vec<_>>());
    let (mut flags, mut data): (Vec<i64>, Vec<i64>) = (Vec::new(), Vec::new());
    for key in &curve.keys {
        let (flag, slopes) = match key.kind {
            Kind::Constant => (0x2, [0.0, 0.0]),
            Kind::ConstantNext => (0x102, [0.0, 0.0]),
            Kind::Linear => (0x4, [0.0, 0.0]),
            Kind::Cubic(here, there) => (0x0C08, [here, there]),
        };
        flags.push(flag);
        // ASCII since 7.2 writes the bits of these floats; the third holds both weights, a third each.
        data.extend(slopes.map(|slope| i64::from((slope as f32).to_bits() as i32)));
        data.extend([218_434_821, 0]);
    }
    out.array("KeyAttrFlags", &flags);
    out.array("KeyAttrDataFloat", &data);
    out.array("KeyAttrRefCount", &vec![1i64; curve.keys.len()]);
    if curve.after != 'C' {
        out.open("Post-Extrapolation: ");
        out.line(&format!("Type: {}", curve.after));
        out.line("Repetition: -1");
        out.close();
    }
    out.close();
}

fn ticks(secs: f64) -> i64 {
    (secs * TICKS_PER_SECOND).round() as i64
}

fn model_id(node: usize) -> usize {
    2000 + node
}

fn list<T: ToString>(values: &[T]) -> String {
    values.iter().map(T::to_string).collect::<Vec<_>>().join(",")
}

#[derive(Default)]
struct Writer {
    text: String,
    depth: usize,
}

impl Writer {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{}{line}", "\t".repeat(self.depth));
    }

    fn open(&mut self, head: &str) {
        self.line(&format!("{head} {{"));
        self.depth += 1;
    }

    fn close(&mut self) {
        self.depth -= 1;
        self.line("}");
    }

    fn array<T: ToString>(&mut self, name: &str, values: &[T]) {
        self.open(&format!("{name}: *{}", values.len()));
        self.line(&format!("a: {}", list(values)));
        self.close();
    }
}
