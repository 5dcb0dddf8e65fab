//! Pins that are set and taken out by hand.

use super::Session;

impl Session {
    /// Pins a particle, a row of its table, or lets it go if it was pinned: an edit of the scene, which undo takes back. Returns
    /// what happened. The cloth goes on as it is.
    pub fn toggle_pin(&mut self, particle: usize) -> Result<String, String> {
        let object = self.setup.objects().iter().find(|object| object.particles.contains(&particle));
        let object = object.ok_or("there is no such particle")?;
        let (id, local) = (object.id.clone(), particle - object.particles.start);
        let mut scene = self.setup.scene.clone();
        let cloth = scene.cloths.iter_mut().find(|cloth| cloth.id == id);
        let cloth = cloth.ok_or_else(|| format!("{id} is held by its roots: hair has no pins"))?;
        let (pins, is_pinned) = weft_scene::mesh::pins::toggled(cloth, local)?;
        cloth.pins = pins;
        self.end_loop();
        self.undo.note(&format!("cloths.{id}.pins.{local}"), &self.setup.scene);
        self.apply(scene)?;
        self.go_on();
        let done = if is_pinned { "pinned" } else { "let go" };
        Ok(format!("particle {local} of {id} is {done}; ctrl z takes it back, `write to scene` keeps it"))
    }
}
