//! The quick way to a property's values, for what nearly every file holds: one layer, nothing animated but the
//! property's own three curves. Elsewhere ufbx evaluates the node as a whole, layers, weights, pivots and all.
//!
//! With `C` the file's axes to ours: translation `C·T·metres`, rotation `C·Rpre·R·Rpost⁻¹`, scale `S`; the mirror of a
//! left-handed file last. (Pivots cancel in the rotation, and a node with pivots has no quick translation.)

use glam::{DQuat, DVec3};
use ufbx::{AnimCurve, AnimValue, MirrorAxis, Node, PropFlags, RotationOrder};

use super::bones::{order_of, prop_vec3, quat, vec3};
use crate::motion::Property;

/// Evaluates one property of one node at increasing times.
pub(super) struct Quick<'s> {
    curves: [Option<Cursor<'s>>; 3],
    default: DVec3,
    order: RotationOrder,
    before: DQuat,
    after: DQuat,
    axes: DQuat,
    metres: f64,
    mirror: Option<usize>,
}

impl<'s> Quick<'s> {
    /// `None` where a constraint or another property has a say.
    pub fn new(node: &Node, property: Property, value: &'s AnimValue) -> Option<Self> {
        let name = match property {
            Property::Translation => "Lcl Translation",
            Property::Rotation => "Lcl Rotation",
            Property::Scale => "Lcl Scaling",
        };
        let is_connected =
            ufbx::find_prop(&node.element.props, name).is_some_and(|prop| prop.flags.has_any(PropFlags::CONNECTED));
        if is_connected {
            return None;
        }
        let turn = |name| match node.use_rotation_space {
            true => euler(prop_vec3(node, name), RotationOrder::Xyz),
            false => DQuat::IDENTITY,
        };
        let mirror = match node.adjust_mirror_axis {
            MirrorAxis::None => None,
            axis => Some(axis as usize - 1),
        };
        let axes = quat(node.adjust_pre_rotation);
        Some(Self {
            curves: std::array::from_fn(|axis| value.curves[axis].as_deref().map(Cursor::new)),
            default: vec3(value.default_value),
            order: order_of(node),
            before: axes * turn("PreRotation"),
            after: turn("PostRotation").conjugate() * quat(node.adjust_post_rotation),
            axes,
            metres: node.adjust_translation_scale,
            mirror,
        })
    }

    /// The three curves' own values.
    fn file_value(&mut self, secs: f64) -> DVec3 {
        let mut value = self.default;
        for (axis, cursor) in self.curves.iter_mut().enumerate() {
            if let Some(cursor) = cursor {
                value[axis] = cursor.at(secs, self.default[axis]);
            }
        }
        value
    }

    pub fn translation(&mut self, secs: f64) -> DVec3 {
        let mut value = self.axes * self.file_value(secs) * self.metres;
        if let Some(axis) = self.mirror {
            value[axis] = -value[axis];
        }
        value
    }

    pub fn rotation(&mut self, secs: f64) -> DQuat {
        let own = euler(self.file_value(secs), self.order);
        let q = self.before * own * self.after;
        let Some(axis) = self.mirror else { return q };
        // The mirror in x keeps turns about x and reverses the other two.
        let mut v = -DVec3::new(q.x, q.y, q.z);
        v[axis] = -v[axis];
        DQuat::from_xyzw(v.x, v.y, v.z, q.w)
    }

    pub fn scale(&mut self, secs: f64) -> DVec3 {
        self.file_value(secs)
    }
}

/// Degrees about three axes; the name of the order is the order in which they turn.
fn euler(degrees: DVec3, order: RotationOrder) -> DQuat {
    let [x, y, z] = [
        DQuat::from_rotation_x(degrees.x.to_radians()),
        DQuat::from_rotation_y(degrees.y.to_radians()),
        DQuat::from_rotation_z(degrees.z.to_radians()),
    ];
    match order {
        RotationOrder::Xyz | RotationOrder::Spheric => z * y * x,
        RotationOrder::Xzy => y * z * x,
        RotationOrder::Yzx => x * z * y,
        RotationOrder::Yxz => z * x * y,
        RotationOrder::Zxy => y * x * z,
        RotationOrder::Zyx => x * y * z,
    }
}

/// A curve and the key that was last at or before the time.
struct Cursor<'s> {
    curve: &'s AnimCurve,
    key: usize,
}

impl<'s> Cursor<'s> {
    fn new(curve: &'s AnimCurve) -> Self {
        Self { curve, key: 0 }
    }

    fn at(&mut self, secs: f64, default: f64) -> f64 {
        let keys = &self.curve.keyframes;
        while keys.get(self.key + 1).is_some_and(|next| next.time <= secs) {
            self.key += 1;
        }
        match keys.get(self.key) {
            Some(key) if key.time == secs => key.value,
            _ => ufbx::evaluate_curve(self.curve, secs, default),
        }
    }
}
