//! The camera that circles a point, and what mouse and keys do to it: pure functions, sizes in pixels.
//!
//! Pixels count from the top left corner, x right, y down; a size is `[width, height]` in the same pixels.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, TAU};

use glam::{DMat3, DMat4, DVec2, DVec3, dcamera};

/// How depth becomes size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Projection {
    /// As an eye sees.
    Perspective {
        /// Full vertical angle.
        fov_y_rad: f64,
    },
    /// Parallel: what is at `focus` has the size it has with [`Camera::FOV_Y_RAD`].
    Orthographic,
}

/// A half-line in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it starts.
    pub origin: DVec3,
    /// Length 1.
    pub direction: DVec3,
}

impl Ray {
    /// Where it meets the horizontal plane at a height; `None` if it runs along or away from it.
    pub fn at_height(&self, height_m: f64) -> Option<DVec3> {
        let t = (height_m - self.origin.y) / self.direction.y;
        (t.is_finite() && t >= 0.0).then(|| self.origin + self.direction * t)
    }
}

/// Which way to look, for [`Camera::looking`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// At the character's face: from +Z.
    Front,
    /// At its left side: from +X; forward is to the left of the picture.
    Side,
    /// From above, forward up in the picture.
    Top,
    /// From the front left and a little above.
    ThreeQuarter,
    /// Level with the floor at a foot, from the outside.
    Foot,
}

/// A camera on a sphere around a point. Yaw 0, pitch 0 looks at the character's front (along −Z).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// World point in the middle of the picture.
    pub focus: DVec3,
    /// From eye to focus, metres, above 0.
    pub distance: f64,
    /// Of the eye around +Y; positive goes to the character's left (+X).
    pub yaw_rad: f64,
    /// Of the eye above the horizon, −π/2…π/2.
    pub pitch_rad: f64,
    /// Perspective or parallel.
    pub projection: Projection,
}

impl Camera {
    /// The default angle, and the one a parallel view takes its size from.
    pub const FOV_Y_RAD: f64 = 35.0 / 360.0 * TAU;
    /// Nearest and farthest distance that a dolly reaches, metres.
    pub const DISTANCE_M: [f64; 2] = [0.05, 5_000.0];
    /// How much larger than what is framed the picture is.
    const MARGIN: f64 = 1.12;
    /// Nearest plane that is drawn, metres.
    pub const NEAR_M: f64 = 0.01;

    /// Perspective, three-quarter from the front, a person in the picture.
    pub fn new(focus: DVec3, distance: f64) -> Self {
        let projection = Projection::Perspective { fov_y_rad: Self::FOV_Y_RAD };
        Self { focus, distance, yaw_rad: FRAC_PI_4, pitch_rad: 0.22, projection }
    }

    /// Columns: right, up and back in world space.
    fn axes(&self) -> DMat3 {
        DMat3::from_rotation_y(self.yaw_rad) * DMat3::from_rotation_x(-self.pitch_rad)
    }

    /// Where the eye is.
    pub fn eye(&self) -> DVec3 {
        self.focus + self.axes().z_axis * self.distance
    }

    /// Half the height of the picture at the focus, metres.
    pub fn half_height_m(&self) -> f64 {
        let fov = match self.projection {
            Projection::Perspective { fov_y_rad } => fov_y_rad,
            Projection::Orthographic => Self::FOV_Y_RAD,
        };
        self.distance * (fov * 0.5).tan()
    }

    /// View space (x right, y up, z back) from world space.
    pub fn view_from_world(&self) -> DMat4 {
        let rotation = self.axes().transpose();
        DMat4::from_mat3(rotation) * DMat4::from_translation(-self.eye())
    }

    /// Clip space from view space; depth runs from 1 at the near plane to 0 far away, which spreads a float's
    /// precision evenly.
    pub fn clip_from_view(&self, size: [f64; 2]) -> DMat4 {
        let aspect = (size[0] / size[1]).clamp(1e-3, 1e3);
        match self.projection {
            Projection::Perspective { fov_y_rad } => {
                dcamera::rh::proj::directx::perspective_infinite_reverse(fov_y_rad, aspect, Self::NEAR_M)
            }
            Projection::Orthographic => {
                let h = self.half_height_m();
                // Far on both sides: a parallel view has no eye that things could be behind.
                let reach = self.distance + 1_000.0;
                dcamera::rh::proj::directx::orthographic(-h * aspect, h * aspect, -h, h, reach, -reach)
            }
        }
    }

    /// Pixel of a world point, and how many pixels a metre has there; `None` behind the eye.
    pub fn project(&self, world: DVec3, size: [f64; 2]) -> Option<(DVec2, f64)> {
        let view = self.view_from_world().transform_point3(world);
        let clip = self.clip_from_view(size) * view.extend(1.0);
        if clip.w <= 1e-9 {
            return None;
        }
        let pixel = DVec2::new((clip.x / clip.w * 0.5 + 0.5) * size[0], (0.5 - clip.y / clip.w * 0.5) * size[1]);
        Some((pixel, size[1] * 0.5 / self.half_height_m() * self.distance_ratio(-view.z)))
    }

    /// How much bigger than at the focus things are at this depth before the eye.
    fn distance_ratio(&self, depth: f64) -> f64 {
        match self.projection {
            Projection::Perspective { .. } => self.distance / depth,
            Projection::Orthographic => 1.0,
        }
    }

    /// The half-line that a pixel sees.
    pub fn ray(&self, pixel: DVec2, size: [f64; 2]) -> Ray {
        let offset = self.offset(pixel, size);
        let axes = self.axes();
        let in_plane = axes.x_axis * offset.x + axes.y_axis * offset.y;
        match self.projection {
            Projection::Perspective { .. } => Ray {
                origin: self.eye(),
                direction: (in_plane - axes.z_axis * self.distance).normalize_or(-axes.z_axis),
            },
            Projection::Orthographic => {
                // From well before everything drawn, as the near plane lies behind the eye.
                Ray { origin: self.eye() + in_plane + axes.z_axis * 1_000.0, direction: -axes.z_axis }
            }
        }
    }

    /// Metres right and up of the focus, in the plane through it, of a pixel.
    fn offset(&self, pixel: DVec2, size: [f64; 2]) -> DVec2 {
        let metres = 2.0 * self.half_height_m() / size[1].max(1.0);
        DVec2::new(pixel.x - size[0] * 0.5, size[1] * 0.5 - pixel.y) * metres
    }

    /// Circles by a drag in pixels: the picture's height is half a turn.
    #[must_use]
    pub fn orbited(self, drag: DVec2, size: [f64; 2]) -> Self {
        let turn = std::f64::consts::PI / size[1].max(1.0);
        let pitch = (self.pitch_rad + drag.y * turn).clamp(-FRAC_PI_2, FRAC_PI_2);
        Self { yaw_rad: (self.yaw_rad - drag.x * turn).rem_euclid(TAU), pitch_rad: pitch, ..self }
    }

    /// Shifts by a drag in pixels: what lies as deep as `anchor` stays under the cursor (`anchor` `None`: the focus).
    #[must_use]
    pub fn panned(self, drag: DVec2, size: [f64; 2], anchor: Option<DVec3>) -> Self {
        let axes = self.axes();
        let depth = anchor.map_or(self.distance, |at| (self.eye() - at).dot(axes.z_axis)).max(Self::NEAR_M);
        let metres = 2.0 * self.half_height_m() / size[1].max(1.0) / self.distance_ratio(depth);
        let shift = (axes.y_axis * drag.y - axes.x_axis * drag.x) * metres;
        Self { focus: self.focus + shift, ..self }
    }

    /// Comes nearer (`factor` below 1) or goes away, keeping the point of the focus plane that is under `pixel`.
    #[must_use]
    pub fn dollied(self, factor: f64, pixel: DVec2, size: [f64; 2]) -> Self {
        let [near, far] = Self::DISTANCE_M;
        let distance = (self.distance * factor).clamp(near, far);
        let offset = self.offset(pixel, size) * (1.0 - distance / self.distance);
        let axes = self.axes();
        Self { focus: self.focus + axes.x_axis * offset.x + axes.y_axis * offset.y, distance, ..self }
    }

    /// Flies: shifts eye and focus by metres right, up and forward.
    #[must_use]
    pub fn flown(self, right_up_forward: DVec3) -> Self {
        let axes = self.axes();
        let step = right_up_forward;
        Self { focus: self.focus + axes * DVec3::new(step.x, step.y, -step.z), ..self }
    }

    /// Turns the head: the eye stays, the focus moves.
    #[must_use]
    pub fn looked(self, drag: DVec2, size: [f64; 2]) -> Self {
        let turned = self.orbited(drag, size);
        Self { focus: self.eye() - turned.axes().z_axis * turned.distance, ..turned }
    }

    /// Everything between two corners in the picture with a small margin, direction kept.
    #[must_use]
    pub fn framed(self, [low, high]: [DVec3; 2], size: [f64; 2]) -> Self {
        let (centre, half) = ((low + high) * 0.5, ((high - low) * 0.5).abs().max(DVec3::splat(0.02)));
        let into_view = self.axes().transpose();
        let aspect = (size[0] / size[1].max(1.0)).clamp(1e-3, 1e3);
        let tan = self.half_height_m() / self.distance;
        let needed = |corner: u32| {
            let sign = |axis: u32| if corner >> axis & 1 == 0 { -1.0 } else { 1.0 };
            let at = into_view * (half * DVec3::new(sign(0), sign(1), sign(2)));
            let across = at.y.abs().max(at.x.abs() / aspect) / tan * Self::MARGIN;
            match self.projection {
                Projection::Perspective { .. } => across + at.z,
                Projection::Orthographic => across,
            }
        };
        let distance = (0..8).map(needed).fold(0.0, f64::max);
        let [near, far] = Self::DISTANCE_M;
        let distance = distance.clamp(near, far);
        if centre.is_finite() && distance.is_finite() { Self { focus: centre, distance, ..self } } else { self }
    }

    /// Same focus and distance, another direction.
    #[must_use]
    pub fn looking(self, view: View) -> Self {
        let (yaw_rad, pitch_rad) = match view {
            View::Front => (0.0, 0.0),
            View::Side => (FRAC_PI_2, 0.0),
            // Half a turn puts forward at the top of the picture.
            View::Top => (std::f64::consts::PI, FRAC_PI_2),
            View::ThreeQuarter => (FRAC_PI_4, 0.22),
            View::Foot => (FRAC_PI_2, 0.0),
        };
        Self { yaw_rad, pitch_rad, ..self }
    }

    /// At floor height beside a foot, close; `outward` points from the body's middle to the foot.
    #[must_use]
    pub fn at_foot(self, foot: DVec3, outward: DVec3, floor_m: f64) -> Self {
        let side = DVec3::new(outward.x, 0.0, outward.z).normalize_or(DVec3::X);
        let focus = DVec3::new(foot.x, floor_m + 0.09, foot.z);
        Self { focus, distance: 0.75, yaw_rad: side.x.atan2(side.z), pitch_rad: 0.0, ..self }
    }

    /// The other projection, everything at the focus as big as before.
    #[must_use]
    pub fn switched(self) -> Self {
        let half = self.half_height_m();
        let projection = match self.projection {
            Projection::Perspective { .. } => Projection::Orthographic,
            Projection::Orthographic => Projection::Perspective { fov_y_rad: Self::FOV_Y_RAD },
        };
        Self { projection, distance: half / (Self::FOV_Y_RAD * 0.5).tan(), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: [f64; 2] = [1200.0, 800.0];

    fn cameras() -> Vec<Camera> {
        let base = Camera::new(DVec3::new(3.0, 1.0, -2.0), 4.0);
        let turned = Camera { yaw_rad: 2.3, pitch_rad: -0.7, ..base };
        [base, turned, base.looking(View::Top), turned.looking(View::Front)]
            .into_iter()
            .flat_map(|camera| [camera, camera.switched()])
            .collect()
    }

    fn pixel(camera: &Camera, world: DVec3) -> DVec2 {
        camera.project(world, SIZE).unwrap().0
    }

    fn close(a: DVec2, b: DVec2) {
        assert!(a.distance(b) < 1e-6, "{a} is not {b}");
    }

    #[test]
    fn the_focus_is_in_the_middle_and_a_ray_goes_where_it_was_projected_from() {
        for camera in cameras() {
            close(pixel(&camera, camera.focus), DVec2::new(600.0, 400.0));
            let point = camera.focus + DVec3::new(0.3, -0.4, 0.5);
            let ray = camera.ray(pixel(&camera, point), SIZE);
            let off = (point - ray.origin).reject_from(ray.direction).length();
            assert!(off < 1e-9 && (point - ray.origin).dot(ray.direction) > 0.0, "{camera:?}: {off}");
        }
    }

    #[test]
    fn named_views_show_the_character_as_they_say() {
        let camera = Camera::new(DVec3::ZERO, 5.0);
        let seen = |view, world| pixel(&camera.looking(view), world) - DVec2::new(600.0, 400.0);
        assert!(camera.looking(View::Front).eye().distance(DVec3::Z * 5.0) < 1e-9);
        assert!(seen(View::Front, DVec3::X).x > 1.0, "its left is at the right of the picture");
        assert!(seen(View::Side, DVec3::Z).x < -1.0, "it walks to the left");
        assert!(seen(View::Top, DVec3::Z).y < -1.0 && seen(View::Top, DVec3::X).x < -1.0, "forward is up");
        assert!(seen(View::ThreeQuarter, DVec3::Y).y < -1.0);
    }

    #[test]
    fn the_size_of_a_metre_is_what_projecting_a_metre_gives() {
        for camera in cameras() {
            let point = camera.focus + DVec3::new(0.2, 0.1, 0.4);
            let (at, scale) = camera.project(point, SIZE).unwrap();
            let across = pixel(&camera, point + camera.axes().x_axis * 1e-3);
            assert!((at.distance(across) - scale * 1e-3).abs() < 1e-6, "{camera:?}");
        }
    }

    #[test]
    fn depth_falls_from_near_to_far() {
        for camera in cameras() {
            let clip = camera.clip_from_view(SIZE) * camera.view_from_world();
            let depth = |metres: f64| {
                let point = clip * (camera.eye() - camera.axes().z_axis * metres).extend(1.0);
                point.z / point.w
            };
            assert!(depth(0.02) <= 1.0 && depth(0.02) > depth(1.0) && depth(1.0) > depth(500.0), "{camera:?}");
            assert!(depth(500.0) > 0.0);
        }
    }

    #[test]
    fn a_dolly_keeps_what_is_under_the_cursor() {
        let cursor = DVec2::new(200.0, 650.0);
        for camera in cameras() {
            let offset = camera.offset(cursor, SIZE);
            let point = camera.focus + camera.axes() * offset.extend(0.0);
            close(pixel(&camera, point), cursor);
            let nearer = camera.dollied(0.6, cursor, SIZE);
            close(pixel(&nearer, point), cursor);
            assert!((nearer.distance - camera.distance * 0.6).abs() < 1e-12);
        }
        let stopped = Camera::new(DVec3::ZERO, 0.06).dollied(0.01, DVec2::new(600.0, 400.0), SIZE);
        assert_eq!(stopped.distance, Camera::DISTANCE_M[0]);
    }

    #[test]
    fn a_pan_keeps_what_was_grabbed_under_the_cursor() {
        for camera in cameras() {
            for grabbed in [camera.focus, camera.focus + DVec3::new(0.5, -0.8, 0.9)] {
                let drag = DVec2::new(37.0, -110.0);
                let panned = camera.panned(drag, SIZE, Some(grabbed));
                close(pixel(&panned, grabbed), pixel(&camera, grabbed) + drag);
            }
        }
    }

    #[test]
    fn an_orbit_keeps_the_distance_and_stops_at_the_poles() {
        let camera = Camera::new(DVec3::ONE, 3.0).orbited(DVec2::new(100.0, 5000.0), SIZE);
        assert_eq!(camera.pitch_rad, FRAC_PI_2);
        assert!((camera.eye().distance(DVec3::ONE) - 3.0).abs() < 1e-12);
        // A drag to the right turns what is seen to the right: the eye goes to the left.
        let front = Camera::new(DVec3::ZERO, 3.0).looking(View::Front).orbited(DVec2::new(10.0, 0.0), SIZE);
        assert!(front.eye().x < -1e-3);
    }

    #[test]
    fn a_framed_box_is_in_the_picture_and_fills_it() {
        let corners = [DVec3::new(-0.4, 0.0, 1.0), DVec3::new(0.5, 1.8, 3.0)];
        for size in [SIZE, [300.0, 900.0]] {
            for camera in cameras() {
                let framed = camera.framed(corners, size);
                let mut used = DVec2::ZERO;
                for i in 0..8 {
                    let pick = |axis: usize| corners[(i >> axis) & 1][axis];
                    let (at, _) = framed.project(DVec3::new(pick(0), pick(1), pick(2)), size).unwrap();
                    used = used.max((at / DVec2::from(size) * 2.0 - 1.0).abs());
                }
                let most = used.max_element();
                assert!(most < 1.0 && most > 0.75, "{camera:?}: {used}");
            }
        }
        let camera = Camera::new(DVec3::ZERO, 3.0);
        assert_eq!(camera.framed([DVec3::NAN; 2], SIZE), camera);
    }

    #[test]
    fn switching_the_projection_keeps_the_size_at_the_focus() {
        let camera = Camera::new(DVec3::ONE, 3.0);
        let wide = Camera { projection: Projection::Perspective { fov_y_rad: 1.2 }, ..camera };
        for camera in [camera, wide, camera.switched()] {
            assert!((camera.switched().half_height_m() - camera.half_height_m()).abs() < 1e-12);
        }
    }

    #[test]
    fn looking_around_keeps_the_eye_and_flying_moves_it() {
        let camera = Camera::new(DVec3::ONE, 3.0);
        let looked = camera.looked(DVec2::new(80.0, -30.0), SIZE);
        assert!(looked.eye().distance(camera.eye()) < 1e-12 && looked.focus.distance(camera.focus) > 0.1);
        let flown = camera.flown(DVec3::Z * 2.0);
        assert!(flown.eye().distance(camera.focus) < 1.0 + 1e-9, "forward goes towards the focus");
    }

    #[test]
    fn a_ray_meets_the_floor_where_it_should() {
        let camera = Camera::new(DVec3::new(0.0, 1.0, 0.0), 4.0);
        let floor = DVec3::new(0.3, 0.0, -0.2);
        let hit = camera.ray(pixel(&camera, floor), SIZE).at_height(0.0).unwrap();
        assert!(hit.distance(floor) < 1e-9);
        assert!(Ray { origin: DVec3::Y, direction: DVec3::Y }.at_height(0.0).is_none());
        assert!(Ray { origin: DVec3::Y, direction: DVec3::X }.at_height(0.0).is_none());
    }
}
