//! `satchel photos add` and `export` as a person meets it, and what the photo tools answer then.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use terminal::Todos;

/// Where this repository's own files are.
fn ours(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// An empty place with a folder of photos: four of one's own, one of them twice, and what is no photo.
fn place(name: &str) -> (PathBuf, PathBuf) {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    drop(fs::remove_dir_all(&place));
    let photos = place.join("photos");
    fs::create_dir_all(photos.join("trip/.thumbnails")).unwrap();
    let picture = |name: &str| ours("crates/vision/tests/pixel-pictures").join(name);
    for (from, to) in [
        ("astronaut.jpg", "astronaut.jpg"),
        ("astronaut.jpg", "trip/copy of astronaut.jpg"),
        ("cat.jpg", "trip/cat.jpg"),
        ("small-exif.jpg", "small.jpg"),
        ("small-lossy.webp", "small.webp"),
        ("rocket.jpg", ".rocket.jpg"),
        ("rocket.jpg", "trip/.thumbnails/rocket.jpg"),
    ] {
        fs::copy(picture(from), photos.join(to)).unwrap();
    }
    // A head, and nothing that it promises.
    fs::write(photos.join("broken.jpg"), &fs::read(picture("rocket.jpg")).unwrap()[..100]).unwrap();
    fs::write(photos.join("notes.txt"), "Day 1: rain.").unwrap();
    fs::write(photos.join("Thumbs.db"), "no photo").unwrap();
    // Round in a circle.
    #[cfg(unix)]
    std::os::unix::fs::symlink(&photos, photos.join("trip/round")).unwrap();
    (place.join("data"), photos)
}

/// Runs `satchel photos add`: whether it went well, what it answers and what it says beside that.
fn add(data: &Path, photos: &Path, more: &[&str]) -> (bool, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_satchel"));
    // What the developer has set must not change what is tested.
    command.env_remove("SATCHEL_MODELS").args(["photos", "add"]).arg(photos).arg("--data").arg(data);
    let output = command.args(more).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.success(), text(output.stdout), text(output.stderr))
}

/// Runs `satchel photos export` in the same way.
fn export(data: &Path, to: &Path, more: &[&str]) -> (bool, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_satchel"));
    let output =
        command.args(["photos", "export"]).arg(to).arg("--data").arg(data).args(more).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.success(), text(output.stdout), text(output.stderr))
}

/// What is in a folder, by name.
fn in_folder(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// What tools that change nothing answer over a folder of data.
fn answers(data: &Path, calls: &[(&str, Value)]) -> Vec<Value> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let in_place = async {
        let tools = Todos::open(data).await.unwrap();
        let mut answers = Vec::new();
        for (tool, arguments) in calls {
            answers.push(tools.read(tool, arguments.clone()).await.unwrap());
        }
        answers
    };
    tokio::task::LocalSet::new().block_on(&runtime, in_place)
}

const NOT_TAKEN: &str = "Not taken:\n  broken.jpg: The JPEG file is damaged";

#[test]
fn photos_of_a_folder_come_in_once_and_the_tools_answer_from_them() {
    let (data, photos) = place("photos-add");
    let models = ours("models");
    let models = ["--models", models.to_str().unwrap()];
    let (is_well, said, beside) = add(&data, &photos, &models);
    assert!(is_well && beside.is_empty(), "{said}{beside}");
    let first = "Brought in 4 photos; 1 was there already; 2 not taken.\n";
    assert!(said.starts_with(&format!("{first}{NOT_TAKEN}")), "{said}");
    assert!(said.ends_with("  notes.txt: This is no picture that a camera makes.\n"), "{said}");

    let calls = [
        ("photo_list", json!({})),
        ("detect_faces", json!({})),
        ("photo_grid", json!({})),
        ("history", json!({})),
    ];
    let before = answers(&data, &calls);
    let [list, faces, grid, _] = before.as_slice() else { panic!("an answer each") };
    assert_eq!(list["num_images"], 4, "{list}");
    assert_eq!((&faces["num_images"], &faces["num_faces"]), (&json!(1), &json!(1)), "{faces}");
    let cells = grid["items"].as_array().unwrap();
    let cell = |name: &str| {
        cells
            .iter()
            .find(|cell| cell["name"].as_str().unwrap().ends_with(name))
            .unwrap_or_else(|| panic!("{grid}"))
    };
    let tags = cell("cat.jpg")["tags"].to_string();
    assert!(tags.contains("\"cat\""), "{tags}");
    // What its camera wrote: when, where, and that it was held on its side.
    let small = cell("small.jpg");
    assert_eq!((&small["at"], &small["dated"]), (&json!("2025-12-24T18:59:58"), &json!(true)));
    assert!(small["place"].as_str().unwrap().contains("Sydney"), "{small}");
    assert_eq!((&small["width"], &small["height"]), (&json!(64), &json!(96)));
    assert!(cells.iter().all(|cell| cell["looked_at"] == true), "{grid}");
    // The cat once more at 96 × 64 pixels: the tools were told that they are alike, and which is the best.
    assert_eq!(cell("small.webp")["twin_of"], cell("cat.jpg")["id"], "{grid}");
    assert!(cell("astronaut.jpg")["twin_of"].is_null(), "{grid}");

    // Nothing was copied: what is kept of four photos are their features.
    let kept: u64 =
        fs::read_dir(data.join("bytes")).unwrap().map(|file| file.unwrap().metadata().unwrap().len()).sum();
    assert_eq!(kept, 4 * 1280 * 4);

    let (is_well, said, _) = add(&data, &photos, &models);
    let again = format!("No new photos; 5 were there already; 2 not taken.\n{NOT_TAKEN}");
    assert!(is_well && said.starts_with(&again), "{said}");
    assert_eq!(answers(&data, &calls), before, "nothing changed, and nothing is to be undone");
}

#[test]
fn without_nets_it_says_so_and_looks_at_the_rest_when_they_are_there() {
    let (data, photos) = place("photos-without-nets");
    let (is_well, said, beside) = add(&data, &photos, &[]);
    assert!(is_well && said.starts_with("Brought in 4 photos"), "{said}{beside}");
    assert!(beside.contains("Faces and tags are not looked for"), "{beside}");
    assert!(beside.contains("--models") && beside.contains("SATCHEL_MODELS"), "{beside}");
    let found = answers(&data, &[("detect_faces", json!({})), ("photo_grid", json!({}))]);
    assert_eq!(found[0]["num_faces"], 0, "{}", found[0]);
    assert!(found[0]["summary"].as_str().unwrap().contains("4 photos were not looked at"), "{}", found[0]);
    let cells = found[1]["items"].as_array().unwrap();
    assert!(cells.iter().all(|cell| cell["quality"].is_u64() && cell["faces"].is_null()), "{}", found[1]);

    // Without them once more there is nothing more to be seen.
    let (_, said, _) = add(&data, &photos, &["--models", "/nowhere"]);
    assert!(said.starts_with("No new photos; 5 were there already; 2 not taken."), "{said}");

    let models = ours("models");
    let (_, said, beside) = add(&data, &photos, &["--models", models.to_str().unwrap()]);
    let expected = "No new photos; 1 was there already; 4 that were there are looked at now; 2 not taken.";
    assert!(said.starts_with(expected) && beside.is_empty(), "{said}{beside}");
    let found = answers(&data, &[("detect_faces", json!({}))]);
    assert_eq!(found[0]["num_faces"], 1, "{}", found[0]);
}

#[test]
fn what_is_in_the_bin_comes_back_and_wrong_folders_are_said() {
    let (data, photos) = place("photos-in-the-bin");
    let one = photos.join("trip");
    assert!(add(&data, &one, &[]).1.starts_with("Brought in 2 photos."));
    let id = answers(&data, &[("photo_list", json!({}))])[0]["items"][0]["id"].as_str().unwrap().to_owned();
    answers(&data, &[("photo_delete", json!({ "images": [id] }))]);
    assert_eq!(answers(&data, &[("photo_list", json!({}))])[0]["num_images"], 1);
    let (_, said, _) = add(&data, &one, &[]);
    assert_eq!(said, "No new photos; 1 was there already; 1 came back out of the bin.\n");
    assert_eq!(answers(&data, &[("photo_list", json!({}))])[0]["num_images"], 2);

    for (folder, expected) in
        [(photos.join("nowhere"), "cannot find the folder"), (photos.join("small.jpg"), "is no folder")]
    {
        let (is_well, said, beside) = add(&data, &folder, &[]);
        assert!(!is_well && said.is_empty() && beside.contains(expected), "{said}{beside}");
    }
    let empty = photos.join("empty");
    fs::create_dir(&empty).unwrap();
    let (is_well, said, _) = add(&data, &empty, &[]);
    assert!(is_well && said.starts_with("There are no files in"), "{said}");
}

/// Whoever goes on later begins where it was stopped.
#[cfg(unix)]
#[test]
fn stopped_in_the_middle_it_keeps_what_came_in() {
    use std::time::{Duration, Instant};

    const FILES: usize = 120;
    let (data, photos) = place("photos-stopped");
    fs::remove_dir_all(&photos).unwrap();
    fs::create_dir(&photos).unwrap();
    let mut bytes = fs::read(ours("crates/vision/tests/pixel-pictures/small-progressive.jpg")).unwrap();
    for number in 0..FILES {
        // Behind its end a JPEG may have anything.
        bytes.push(0);
        fs::write(photos.join(format!("{number}.jpg")), &bytes).unwrap();
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_satchel"));
    command.args(["photos", "add"]).arg(&photos).arg("--data").arg(&data).arg("--models").arg(ours("models"));
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let began = Instant::now();
    let looked_at = || fs::read_dir(data.join("bytes")).map_or(0, Iterator::count);
    while looked_at() < 3 {
        assert!(began.elapsed() < Duration::from_secs(60), "nothing came in");
        std::thread::sleep(Duration::from_millis(2));
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(!output.status.success() && said.contains("Stopped: "), "{said}");
    let came = answers(&data, &[("photo_list", json!({}))])[0]["num_images"].as_u64().unwrap() as usize;
    assert!((1..FILES).contains(&came), "{came}");
    assert!(said.starts_with(&format!("Brought in {came} photo")), "{said}");
    assert!(said.contains(&format!("{} file", FILES - came)), "{said}");

    let (is_well, said, _) = add(&data, &photos, &[]);
    assert!(is_well && said.starts_with(&format!("Brought in {} photo", FILES - came)), "{said}");
    assert_eq!(answers(&data, &[("photo_list", json!({}))])[0]["num_images"], FILES);
}

#[test]
fn photos_leave_without_their_places_and_nothing_is_written_over() {
    let (data, photos) = place("photos-export");
    let to = photos.parent().unwrap().join("out");
    let (is_well, said, _) = export(&data, &to, &[]);
    assert!(is_well && said == "No photos were exported.\n" && !to.exists(), "{said}");
    // A photo of somewhere else, with the name of another one.
    fs::create_dir_all(photos.join("far")).unwrap();
    let mut far = fs::read(photos.join("small.jpg")).unwrap();
    far.extend(b"more");
    fs::write(photos.join("far/small.jpg"), &far).unwrap();
    assert!(add(&data, &photos, &[]).1.starts_with("Brought in 5 photos"));

    fs::create_dir(&to).unwrap();
    fs::write(to.join("cat.jpg"), "mine").unwrap();
    let (is_well, said, beside) = export(&data, &to, &[]);
    assert!(is_well, "{said}{beside}");
    assert_eq!(said, format!("Exported 5 photos into {}, without places.\n", to.display()));
    let names = in_folder(&to);
    assert_eq!(names.len(), 6, "{names:?}");
    assert!(
        names.contains(&"cat (2).jpg".to_owned()) && names.contains(&"small (2).jpg".to_owned()),
        "{names:?}"
    );
    assert_eq!(fs::read(to.join("cat.jpg")).unwrap(), b"mine");
    let before = vision::exif::read(&fs::read(photos.join("small.jpg")).unwrap());
    assert!(before.place.is_some());
    for name in ["small.jpg", "small (2).jpg"] {
        let after = vision::exif::read(&fs::read(to.join(name)).unwrap());
        assert_eq!(
            (after.place, after.taken, after.orientation),
            (None, before.taken, before.orientation),
            "{name}"
        );
    }

    // With places they are what they were, byte for byte; small ones are pixels alone.
    let whole = photos.parent().unwrap().join("whole");
    assert!(export(&data, &whole, &["--with-places"]).1.ends_with("with places.\n"));
    assert_eq!(fs::read(whole.join("cat.jpg")).unwrap(), fs::read(photos.join("trip/cat.jpg")).unwrap());
    let small = photos.parent().unwrap().join("small");
    assert!(export(&data, &small, &["--small"]).0);
    assert!(in_folder(&small).iter().all(|name| name.ends_with(".jpg")), "{:?}", in_folder(&small));
    assert_eq!(
        vision::exif::read(&fs::read(small.join("small.jpg")).unwrap()),
        vision::exif::Metadata::default()
    );

    // Without its end a file is damaged: its place cannot be taken out of it for sure, and that it is made small is said.
    let cat = fs::read(photos.join("trip/cat.jpg")).unwrap();
    fs::write(photos.join("trip/cat.jpg"), &cat[..cat.len() - 2]).unwrap();
    let (is_well, said, _) = export(&data, &photos.parent().unwrap().join("damaged"), &[]);
    assert!(is_well && said.contains("Exported 5 photos"), "{said}");
    assert!(said.contains("Made small:\n  cat.jpg: Its place cannot be taken out of its file"), "{said}");

    // What cannot be had is named, and stops nothing.
    fs::remove_file(photos.join("trip/cat.jpg")).unwrap();
    let (is_well, said, _) = export(&data, &photos.parent().unwrap().join("again"), &[]);
    assert!(
        is_well && said.contains("Exported 4 photos") && said.contains("Left out:\n  cat.jpg: It is not at"),
        "{said}"
    );
    let (is_well, _, beside) = export(&data, &to, &["--album", "Nothing"]);
    assert!(!is_well && beside.contains("There is no album"), "{beside}");
    let found = answers(&data, &[("photo_export", json!({}))]);
    assert!(found[0]["summary"].as_str().unwrap().contains("`satchel photos export DIR`"), "{}", found[0]);
}
