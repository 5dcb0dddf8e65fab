//! Links that the page shares: `…#…` holds a scene with all values as they were, the camera and the frame.

use std::path::{Path, PathBuf};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::Deserialize;

use weft_core::{files, project::Project};
use weft_scene::Scene;
use weft_session::readings;

/// Bytes of the scene in a link.
const LARGEST: usize = 4 << 20;
/// Frames that a link may ask to be computed: the page's own limit.
const LONGEST: u64 = 3600;

/// A link that was read.
pub(crate) struct Link {
    /// A file with its scene.
    pub scene: PathBuf,
    pub frame: u64,
    /// Target x, y, z, distance, yaw, pitch and field of view.
    pub camera: [f32; 7],
}

#[derive(Deserialize)]
struct Content {
    scene: String,
    path: PathBuf,
    frame: u64,
    camera: [f32; 7],
}

/// Reads what was given instead of a scene file, if it is a link.
pub(crate) fn read(given: &Path) -> Result<Option<Link>, String> {
    let given = given.to_str().filter(|given| given.starts_with("http://") || given.starts_with("https://"));
    let Some(given) = given else { return Ok(None) };
    let Some((_, code)) = given.split_once('#') else {
        return Err("this link holds no scene: what the page's button Share makes has one behind `#`".into());
    };
    let broken = |why: String| format!("this link cannot be read: {why}; copy all of it, in quotes");
    let content = unpack(code).map_err(broken)?;
    if content.frame > LONGEST || !content.camera.iter().all(|value| value.is_finite()) {
        return Err(broken("its frame or camera is none".into()));
    }
    let scene = write(&content, code)?;
    Ok(Some(Link { scene, frame: content.frame, camera: content.camera }))
}

fn unpack(code: &str) -> Result<Content, String> {
    let bytes = URL_SAFE_NO_PAD.decode(code).map_err(|error| error.to_string())?;
    let text = miniz_oxide::inflate::decompress_to_vec_with_limit(&bytes, LARGEST)
        .map_err(|error| error.to_string().to_lowercase())?;
    serde_json::from_slice(&text).map_err(|error| error.to_string())
}

/// Writes the scene to a file of its own; meshes and textures are those of the source tree.
fn write(content: &Content, code: &str) -> Result<PathBuf, String> {
    let known = readings::vocabulary(&weft_engine::generation::Generation::built_in());
    let scene = weft_scene::parse_text("the link's scene", &content.scene, None, &known);
    let mut scene = scene.map_err(|errors| errors.to_string())?.scene;
    if let Some(project) = Project::find() {
        lead_to(&mut scene, &project.scenes());
    }
    let name = content.path.file_name().unwrap_or("link.ron".as_ref());
    let number = xxhash_rust::xxh3::xxh3_64(code.as_bytes());
    let folder = std::env::temp_dir().join(format!("weft-link-{number:016x}"));
    let file = folder.join(name);
    let written = files::make_folder(&folder).and_then(|()| files::write(&file, weft_scene::write(&scene)));
    written.map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(file)
}

/// Makes the names of all files lead to a folder.
fn lead_to(scene: &mut Scene, folder: &Path) {
    for file in scene.files_mut() {
        *file = folder.join(&*file).to_string_lossy().into_owned();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(text: &[u8]) -> PathBuf {
        let packed = miniz_oxide::deflate::compress_to_vec(text, 6);
        format!("https://a.example/weft/#{}", URL_SAFE_NO_PAD.encode(packed)).into()
    }

    fn refused(given: &Path) -> String {
        read(given).err().expect("it is refused")
    }

    #[test]
    fn links_are_read_and_broken_ones_explained() {
        let scene = "(version: 1, title: \"a\", cloths: [(id: \"c\", shape: Grid(columns: 4, rows: 4, width: 1.0, height: 1.0))])";
        let content = |scene: &str, frame: &str| {
            let scene = serde_json::Value::from(scene);
            format!(
                "{{\"scene\":{scene},\"path\":\"scenes/a.ron\",\"frame\":{frame},\"camera\":[0,1,0,3,0,0,45]}}"
            )
        };
        let given = link(content(scene, "7").as_bytes());
        let read_back = read(&given).expect("it is good").expect("it is a link");
        assert_eq!((read_back.frame, read_back.camera[3]), (7, 3.0));
        assert_eq!(weft_scene::peek(&read_back.scene).expect("a scene").title, "a");
        assert!(read(Path::new("scenes/flag.ron")).expect("no link").is_none());

        assert!(refused(Path::new("https://a.example/weft/")).contains("behind `#`"));
        assert!(refused(Path::new("https://a.example/#?!")).contains("copy all of it"));
        let cut = given.to_str().expect("a text");
        assert!(refused(Path::new(&cut[..cut.len() / 2])).contains("cannot be read"));
        assert!(refused(&link(content(scene, "1e9").as_bytes())).contains("cannot be read"));
        assert!(refused(&link(content(scene, "99999").as_bytes())).contains("frame"));
        assert!(refused(&link(content("(version: 1, cloth: [])", "7").as_bytes())).contains("cloths"));
        // A page of zeros that unpacks to more than a scene may have.
        assert!(refused(&link(&vec![b' '; LARGEST + 1])).contains("cannot be read"));
    }
}
