//! What is left to do once everything is compiled: optimise the wasm, name files by their final content, tell the worker
//! what it keeps, and compress.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::num::NonZero;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

use anyhow::{Context, Result, bail};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use super::minify::Minifier;
use super::{Profile, html, page, worker};
use crate::shell;

/// What rustc's wasm target and wasm-bindgen use; every browser of the last years has these.
const WASM_FEATURES: [&str; 7] = [
    "--enable-bulk-memory", "--enable-mutable-globals", "--enable-multivalue",
    "--enable-nontrapping-float-to-int", "--enable-reference-types", "--enable-sign-ext", "--enable-simd",
];

/// Files that are worth compressing; pictures already are.
const COMPRESSIBLE: [&str; 9] = ["bin", "css", "html", "js", "json", "svg", "txt", "wasm", "webmanifest"];

/// Finishes the app in `stage`, in place. `limits` is what the worker's script knows of how large calls may be.
pub fn finish(
    stage: &Path,
    profile: Profile,
    optimiser: Option<&Command>,
    minifier: Option<&Minifier>,
    limits: &str,
) -> Result<()> {
    if let Some(optimiser) = optimiser {
        optimise(stage, optimiser)?;
    }
    join_styles(stage, minifier)?;
    page::name_by_content(stage, minifier)?;
    worker::name_parts(stage)?;
    fill_in_worker(stage, limits)?;
    if profile == Profile::Release {
        compress(stage)?;
    }
    Ok(())
}

/// The names of all files below `folder`, with slashes, in order.
pub fn files(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    let mut open = vec![String::new()];
    while let Some(prefix) = open.pop() {
        let Ok(entries) = fs::read_dir(folder.join(&prefix)) else { continue };
        for entry in entries {
            let entry = entry?;
            let name = entry
                .file_name()
                .into_string()
                .map_err(|name| anyhow::anyhow!("{} is no text", name.display()))?;
            let path = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
            if entry.file_type()?.is_dir() { open.push(path) } else { names.push(path) }
        }
    }
    names.sort();
    Ok(names)
}

/// The first 64 bits of the SHA-256, in hexadecimal: enough to tell versions apart.
pub fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// Makes every wasm below `stage` smaller, in place, as many at once as there are processors.
pub fn optimise(stage: &Path, optimiser: &Command) -> Result<()> {
    let mut modules: Vec<String> = files(stage)?.into_iter().filter(|name| name.ends_with(".wasm")).collect();
    // The largest first: it is the one to wait for.
    modules.sort_by_key(|name| fs::metadata(stage.join(name)).map_or(0, |file| file.len()));
    let left = Mutex::new(modules);
    let next = || left.lock().ok()?.pop();
    let work = || -> Result<()> {
        while let Some(name) = next() {
            optimise_one(stage, optimiser, &name)?;
        }
        Ok(())
    };
    shell::step("making the wasm smaller with wasm-opt", "1 min", || {
        std::thread::scope(|scope| {
            let at_once = std::thread::available_parallelism().map_or(1, NonZero::get);
            let workers: Vec<_> = (0..at_once).map(|_| scope.spawn(work)).collect();
            workers
                .into_iter()
                .try_for_each(|worker| worker.join().unwrap_or_else(|_| bail!("wasm-opt broke")))
        })
    })
}

fn optimise_one(stage: &Path, optimiser: &Command, name: &str) -> Result<()> {
    let (from, to) = (stage.join(name), stage.join(format!("{name}.optimised")));
    // For speed: rustc has made it small, and compressed it is no larger than with -Oz. -O3 takes nearly twice as long and leaves two bytes
    // less in a thousand, which is worth it where models look at photos. What plays rehearsals is half of all there is, and is compressed
    // no larger with -O1, in a third of the time.
    let level = match name.split('/').next() {
        Some("photo") => "-O3",
        Some("rehearsal") => "-O1",
        _ => "-O2",
    };
    let mut command = Command::new(optimiser.get_program());
    command.args(optimiser.get_args()).arg(level).args(WASM_FEATURES).arg(&from).arg("-o").arg(&to);
    match shell::capture(&mut command) {
        Ok(_) => fs::rename(to, from)?,
        // A wasm-opt of the system may be too old for today's wasm: then the file stays as it is.
        Err(error) => println!("  {name} stays as it is: {error:#}"),
    }
    Ok(())
}

/// Makes one style sheet of all that index.html names, in their order, named by its content: a request each is what a visitor
/// would wait for.
fn join_styles(stage: &Path, minifier: Option<&Minifier>) -> Result<()> {
    let index = stage.join("index.html");
    let (page, names) = html::without_styles(&fs::read_to_string(&index)?);
    let mut styles = String::new();
    for name in &names {
        styles +=
            &fs::read_to_string(stage.join(name)).with_context(|| format!("index.html names {name}"))?;
        fs::remove_file(stage.join(name))?;
    }
    if let Some(minifier) = minifier {
        styles = minifier.style(&styles)?;
    }
    let name = format!("ui-{}.css", hex(styles.as_bytes()));
    fs::write(index, html::with_style(&page, &name)?)?;
    Ok(fs::write(stage.join(name), styles)?)
}

/// Writes the app's version and its files into the worker's script: a byte that changes anywhere
/// changes `sw.js`, so that browsers see a new worker and it fetches the new files.
fn fill_in_worker(stage: &Path, limits: &str) -> Result<()> {
    let path = stage.join("sw.js");
    let script = fs::read_to_string(&path).context("www/sw.js is part of the app")?;
    let script = fill_in(&script, "__SATCHEL_LIMITS__", limits.trim())?;
    let mut everything = script.clone().into_bytes();
    let mut assets = BTreeMap::new();
    for name in files(stage)?.into_iter().filter(|name| name != "sw.js") {
        everything.extend(name.as_bytes());
        let bytes = fs::read(stage.join(&name))?;
        // What the browser compares with what it gets: a host may still serve another build's file under the same name.
        let integrity = format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(&bytes)));
        everything.extend(bytes);
        // The page is kept under the address people open, whatever folder the app is served from.
        assets.insert(if name == "index.html" { "./".to_owned() } else { name }, integrity);
    }
    let script = fill_in(&script, "__SATCHEL_VERSION__", &serde_json::to_string(&hex(&everything))?)?;
    fs::write(path, fill_in(&script, "__SATCHEL_ASSETS__", &serde_json::to_string(&assets)?)?)?;
    Ok(())
}

/// Replaces a placeholder, bare or in quotes, by a JSON value.
fn fill_in(script: &str, placeholder: &str, json: &str) -> Result<String> {
    if !script.contains(placeholder) {
        bail!("www/sw.js does not hold {placeholder}, where the build writes what the worker keeps");
    }
    Ok(script
        .replace(&format!("\"{placeholder}\""), json)
        .replace(&format!("'{placeholder}'"), json)
        .replace(placeholder, json))
}

/// Puts a brotli and a gzip twin beside each file that gets smaller by it.
fn compress(stage: &Path) -> Result<()> {
    let names = files(stage)?;
    let compressible =
        |name: &&String| name.rsplit_once('.').is_some_and(|(_, end)| COMPRESSIBLE.contains(&end));
    for name in names.iter().filter(compressible) {
        let plain = fs::read(stage.join(name))?;
        let mut brotli = Vec::new();
        let params = brotli::enc::BrotliEncoderParams {
            quality: 11,
            lgwin: 22,
            size_hint: plain.len(),
            ..Default::default()
        };
        brotli::BrotliCompress(&mut plain.as_slice(), &mut brotli, &params)?;
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        gzip.write_all(&plain)?;
        for (end, bytes) in [("br", brotli), ("gz", gzip.finish()?)] {
            if bytes.len() < plain.len() {
                fs::write(stage.join(format!("{name}.{end}")), bytes)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<head><meta charset=\"utf-8\"><link rel=\"stylesheet\" href=\"a-1.css\" />\n\
        <link rel=\"stylesheet\" href=\"b-2.css\" /><link rel=\"start\" /></head>";

    const LIMITS: &str = "{\"\":1}\n";

    /// A folder as the splitter and wasm-bindgen leave it, gone when dropped.
    struct Stage(std::path::PathBuf);

    impl Stage {
        fn new(name: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("satchel-{name}-{}", std::process::id()));
            fs::create_dir_all(folder.join("icons")).unwrap();
            let stage = Self(folder);
            stage.write("index.html", PAGE);
            stage.write("a-1.css", "a{}");
            stage.write("b-2.css", "b{}");
            let script = format!(
                "import * as parts from \"./__wasm_split.js\"; new URL('ui_bg.wasm', {{ \"./__wasm_split.js\": parts }}){}",
                " ".repeat(500)
            );
            stage.write("ui.js", &script);
            stage.write(
                "__wasm_split.js",
                "import { initSync } from \"./ui.js\"; fetch(\"./split_data.wasm\"); WebAssembly.instantiateStreaming(src, imports)",
            );
            stage.write("split_data.wasm", "part");
            stage.write("ui_bg.wasm", "wasm");
            stage.write("service-worker.js", "worker");
            stage.write("service-worker_bg.wasm", "worker wasm");
            stage.write("icons/icon.png", "picture");
            stage.write(
                "sw.js",
                "const LIMITS = __SATCHEL_LIMITS__; const VERSION = \"__SATCHEL_VERSION__\"; const ASSETS = __SATCHEL_ASSETS__;",
            );
            stage
        }

        fn write(&self, name: &str, text: &str) {
            fs::write(self.0.join(name), text).unwrap();
        }

        fn read(&self, name: &str) -> String {
            fs::read_to_string(self.0.join(name)).unwrap()
        }
    }

    impl Drop for Stage {
        fn drop(&mut self) {
            fs::remove_dir_all(&self.0).unwrap();
        }
    }

    #[test]
    fn a_finished_app_holds_only_names_that_exist() {
        let stage = Stage::new("finish");
        finish(&stage.0, Profile::Release, None, None, LIMITS).unwrap();
        let names = files(&stage.0).unwrap();
        let named = |start: &str, end: &str| {
            names.iter().find(|name| name.starts_with(start) && name.ends_with(end)).unwrap().clone()
        };
        let (wasm, parts, part) =
            (named("ui-", "_bg.wasm"), named("ui-parts-", ".js"), named("ui-data-", ".wasm"));
        assert_eq!(wasm, format!("ui-{}_bg.wasm", hex(b"wasm")));
        assert_eq!(part, format!("ui-data-{}.wasm", hex(b"part")));
        // The scripts name each other, so they have one hash; the wasm still asks for the name it was linked with.
        let js = parts.replace("parts-", "");
        let script = stage.read(&js);
        assert!(script.starts_with(&format!("import * as parts from \"./{parts}\";")), "{script}");
        assert!(script.contains(&format!("'{wasm}', {{ \"./__wasm_split.js\"")), "{script}");
        assert_eq!(
            stage.read(&parts),
            format!(
                "import {{ initSync }} from \"./{js}\"; fetch(\"./{part}\"); WebAssembly.instantiate(await src.then((got) => (got.ok ? got.arrayBuffer() : Promise.reject(got.status))), imports)\nimport start from \"./{js}\";\nawait start({{ module_or_path: \"./{wasm}\" }});\n"
            )
        );
        let style = named("ui-", ".css");
        assert_eq!(stage.read(&style), "a{}b{}");
        let page = stage.read("index.html");
        assert!(
            page.ends_with(&format!("<script type=\"module\" src=\"./{parts}\"></script></head>")),
            "{page}"
        );
        assert!(page.contains("http-equiv=\"Content-Security-Policy\""), "{page}");
        assert_eq!(page.matches("stylesheet").count(), 1, "{page}");
        for old in ["split_", "a-1.css", "ui.js", "ui_bg.wasm"] {
            assert!(!names.iter().any(|name| name.contains(old)), "{names:?}");
        }
    }

    #[test]
    fn a_part_that_the_scripts_do_not_name_stops_the_build() {
        let stage = Stage::new("part");
        stage.write("split_more.wasm", "part");
        assert!(page::name_by_content(&stage.0, None).unwrap_err().to_string().contains("split_more.wasm"));
        stage.write("chunk_3.wasm", "part");
        assert!(page::name_by_content(&stage.0, None).is_err());
    }

    #[test]
    fn the_worker_knows_its_files_and_a_version_that_changes_with_any_byte() {
        let versions = ["worker wasm", "worker wasm!"].map(|wasm| {
            let stage = Stage::new(&format!("worker-{}", wasm.len()));
            stage.write("service-worker_bg.wasm", wasm);
            fill_in_worker(&stage.0, LIMITS).unwrap();
            let script = stage.read("sw.js");
            let (version, assets) = script
                .strip_prefix("const LIMITS = {\"\":1}; const VERSION = \"")
                .unwrap()
                .split_once("\"; const ASSETS = ")
                .unwrap();
            let assets: BTreeMap<String, String> =
                serde_json::from_str(assets.strip_suffix(';').unwrap()).unwrap();
            // `printf 'worker' | openssl dgst -sha256 -binary | base64`
            assert_eq!(assets["service-worker.js"], "sha256-h+unbn8xZFNARbqSLndw+1i70UrXMrv1um8RzFaYnm4=");
            let expected = [
                "./", "__wasm_split.js", "a-1.css", "b-2.css", "icons/icon.png", "service-worker.js",
                "service-worker_bg.wasm", "split_data.wasm", "ui.js", "ui_bg.wasm",
            ];
            assert!(assets.keys().eq(expected.iter()), "{assets:?}");
            version.to_owned()
        });
        assert_ne!(versions[0], versions[1]);
        assert_eq!(versions[0].len(), 16);
    }

    #[test]
    fn a_worker_without_a_place_for_its_files_stops_the_build() {
        let stage = Stage::new("placeholders");
        stage.write("sw.js", "const VERSION = __SATCHEL_VERSION__, LIMITS = __SATCHEL_LIMITS__;");
        let error = fill_in_worker(&stage.0, LIMITS).unwrap_err();
        assert!(error.to_string().contains("__SATCHEL_ASSETS__"), "{error}");
    }

    #[test]
    fn twins_are_smaller_and_hold_the_same() {
        let stage = Stage::new("compress");
        compress(&stage.0).unwrap();
        let names = files(&stage.0).unwrap();
        assert!(names.contains(&"ui.js.br".to_owned()) && names.contains(&"ui.js.gz".to_owned()));
        assert!(!names.iter().any(|name| name.starts_with("icons/icon.png.")), "pictures stay as they are");
        assert!(!names.contains(&"service-worker.js.gz".to_owned()), "a twin that is larger is not kept");
        let mut plain = Vec::new();
        brotli::BrotliDecompress(&mut fs::File::open(stage.0.join("ui.js.br")).unwrap(), &mut plain).unwrap();
        assert_eq!(String::from_utf8(plain).unwrap(), stage.read("ui.js"));
    }
}
