//! The nets that look at photos, from files: where they are, and what is not looked for without them.

use std::path::{Path, PathBuf};

use vision::look::Eyes;

/// The net that finds faces.
const FACES: &str = "yunet-s.onnx";

/// The net that knows things.
const TAGS: &str = "image-tags.onnx";

/// What photos are looked at with.
pub struct Nets {
    pub eyes: Eyes,
    /// Whether all of it is there: then photos that were brought in without it are looked at again.
    pub is_whole: bool,
    /// What is not looked for and why, in sentences for a person; empty where all of it is there.
    pub missing: String,
}

impl Nets {
    /// The nets in this folder, or where none is said beside the program. One that is missing or is no net leaves the others.
    pub fn find(said: Option<&Path>) -> Self {
        let beside = beside_the_program();
        let folder = match said {
            Some(said) => Some(said),
            None => beside.iter().find(|folder| folder.join(FACES).exists()).map(PathBuf::as_path),
        };
        let mut nets = Self { eyes: Eyes::new(), is_whole: true, missing: String::new() };
        let Some(folder) = folder else {
            nets.miss("Faces and tags are not looked for: there are no nets beside this program.");
            return nets.with_a_way_out();
        };
        nets.add(folder, FACES, "Faces", Eyes::with_faces);
        nets.add(folder, TAGS, "Tags", Eyes::with_tags);
        nets.with_a_way_out()
    }

    fn add<E: std::fmt::Display>(
        &mut self,
        folder: &Path,
        name: &str,
        what: &str,
        with: fn(Eyes, &[u8]) -> Result<Eyes, E>,
    ) {
        let path = folder.join(name);
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) => {
                return self.miss(&format!(
                    "{what} are not looked for: {} cannot be read ({error}).",
                    path.display()
                ));
            }
        };
        // Where it is no net the eyes that it was given to are gone: it is tried with some of its own.
        if let Err(error) = with(Eyes::new(), &bytes) {
            return self
                .miss(&format!("{what} are not looked for: {} is not that net ({error}).", path.display()));
        }
        if let Ok(eyes) = with(std::mem::take(&mut self.eyes), &bytes) {
            self.eyes = eyes;
        }
    }

    fn miss(&mut self, sentence: &str) {
        self.is_whole = false;
        self.missing.push_str(sentence);
        self.missing.push('\n');
    }

    fn with_a_way_out(mut self) -> Self {
        if !self.is_whole {
            self.missing.push_str(&format!(
                "{FACES} and {TAGS} are in the folder `models` of Satchel's sources: say where with --models FOLDER or SATCHEL_MODELS. \
                 All else is looked at; the same command with them later looks at the rest.\n"
            ));
        }
        self
    }
}

/// Where a program that was put somewhere has its nets: in `models` beside it, or beside it.
fn beside_the_program() -> Vec<PathBuf> {
    let program = std::env::current_exe().ok();
    let folder = program.as_deref().and_then(Path::parent);
    folder.map(|folder| vec![folder.join("models"), folder.to_owned()]).unwrap_or_default()
}
