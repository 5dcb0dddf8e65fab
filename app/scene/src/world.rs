//! What surrounds the cloth: wind, camera, light. Each field is one line: name, type, default, unit, range, what a change
//! does to a running simulation ([`Class`](crate::Class)), doc, and whether the panel shows a slider (logarithmic: `log`).

use crate::{Vec3, fields::declare};

declare! {
    /// Wind that acts on every triangle.
    pub struct Wind {
        velocity: Vec3 = [0.0; 3], "m/s", [-200.0, 200.0], Live, "mean velocity of the air", slider;
        coefficient: f32 = 0.5, "N s/m3", [0.0, 100.0], Live, "drag per area and relative speed", slider;
        gust: f32 = 0.0, "1", [0.0, 1.0], Live, "fraction of the velocity that gusts add and take", slider;
        gust_length: f32 = 1.0, "m", [0.01, 1000.0], Live, "distance between gusts", slider log;
    }
}

declare! {
    /// How exact lengths are to be: the solver's substeps, else its iterations, follow while it runs.
    pub struct Auto {
        stretch: f32 = 0.0, "1", [0.0, 1.0], Live,
            "error of lengths that is enough: what forces do not explain of the stretch, 95th percentile; 0: nothing follows",
            slider log;
        ms: f32 = 8.0, "ms", [0.0, 1000.0], Live,
            "time of a step that it may take; 0: any, and then the same bits everywhere", slider;
    }
}

declare! {
    /// An orbit camera.
    pub struct Camera {
        target: Vec3 = [0.0, 1.0, 0.0], "m", [-1e4, 1e4], Live, "point looked at";
        distance: f32 = 4.0, "m", [0.01, 1e4], Live, "distance from the target", log;
        yaw: f32 = 25.0, "degrees", [-360.0, 360.0], Live, "turn of the camera about +y";
        pitch: f32 = 12.0, "degrees", [-89.0, 89.0], Live, "height of the camera above the horizon";
        fov: f32 = 40.0, "degrees", [5.0, 150.0], Live, "vertical field of view", slider;
    }
}

declare! {
    /// One directional light with shadows, and light from everywhere.
    pub struct Light {
        direction: Vec3 = [-0.5, -1.0, -0.6], "1", [-1000.0, 1000.0], Live,
            "from the light towards the scene, any length above zero";
        color: Vec3 = [1.0, 0.96, 0.9], "1", [0.0, 1.0], Live, "linear colour", slider;
        intensity: f32 = 3.0, "1", [0.0, 100.0], Live, "factor on the colour", slider;
        ambient: f32 = 0.4, "1", [0.0, 10.0], Live, "light from everywhere", slider;
        rim: f32 = 0.4, "1", [0.0, 10.0], Live, "lamp behind the scene that draws edges, by the light's own", slider;
        backdrop: Vec3 = [0.33, 0.355, 0.385], "1", [0.0, 1.0], Live, "linear colour of the wall behind", slider;
        sky: Vec3 = [0.05, 0.10, 0.19], "1", [0.0, 1.0], Live, "linear colour above", slider;
    }
}
