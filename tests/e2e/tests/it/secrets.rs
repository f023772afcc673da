//! What of photos may not leave the device, and whether a request has something of it: pieces of files and of what was made of them, vectors,
//! places, hashes, names.

use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use e2e::{BY_ITSELF, Browser, EVERY_FILE, Sent};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::photos::picture;

/// How long a piece is that is looked for: long enough to be nobody else's.
const PIECE: usize = 24;

/// A piece of bytes, as they are or as text.
type Piece = [u8; PIECE];

/// Everything that is kept beside the rows, as `{name, base64}`.
const BLOBS: &str = r#"
    const found = [];
    for (const { name, bytes: file } of await everyFile()) {
        const bytes = new Uint8Array(file);
        let text = "";
        for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
        found.push({ name, base64: btoa(text) });
    }
    return found;"#;

/// What may not leave the device.
pub struct Secrets {
    /// Pieces of every file, of every smaller picture made of it, of its features and of every face's vector.
    pieces: HashSet<Piece>,
    /// What stands for them: hashes past what an id has of them, and places in every spelling.
    words: Vec<String>,
    /// The files' names.
    names: Vec<String>,
}

impl Secrets {
    /// Those of this device, of which the files are known; copies of a picture are files of their own.
    pub async fn of(browser: &Browser, files: &[PathBuf], pictures: usize) -> Self {
        let mut secrets = Self { pieces: HashSet::new(), words: Vec::new(), names: Vec::new() };
        let mut hashes = BTreeSet::new();
        for file in files {
            let bytes = std::fs::read(file).unwrap();
            secrets.keep(&bytes);
            hashes.insert(hex(&Sha256::digest(&bytes)));
            secrets.names.push(file.file_name().unwrap().to_string_lossy().into_owned());
            if let Some(place) = vision::exif::read(&bytes).place {
                secrets.keep_place(place.latitude, place.longitude);
            }
        }
        assert!(!secrets.words.is_empty(), "the files say where they were taken");
        // The seconds of those places, as EXIF writes them in fractions: read from the six files by hand.
        secrets.words.extend(["59346", "56464", "105567", "521541"].map(str::to_owned));
        // Thumbnails, previews and features, as the worker keeps them.
        let kept = browser.eval_async(&format!("{EVERY_FILE}{BLOBS}")).await;
        let mut features = 0;
        for blob in kept.as_array().unwrap() {
            let bytes = STANDARD.decode(blob["base64"].as_str().unwrap()).unwrap();
            let hash = hex(&Sha256::digest(&bytes));
            if !blob["name"].as_str().unwrap().contains(&hash[8..]) {
                continue;
            }
            features += usize::from(bytes.len() == 1280 * 4);
            secrets.keep(&bytes);
            hashes.insert(hash);
        }
        assert!(
            features >= pictures,
            "the features of {pictures} pictures are looked for, not of {features}"
        );
        // Of each picture a small one and its features, too.
        assert!(hashes.len() >= files.len() + 2 * pictures, "{} hashes", hashes.len());
        // An id is made of the first 20 digits of a hash.
        secrets.words.extend(hashes.iter().map(|hash| hash[20..44].to_owned()));
        let looks = browser.call("photo_people_looks", &json!({}), None).await;
        let photos = looks["result"]["structuredContent"]["photos"].as_array().unwrap().clone();
        let vectors: Vec<&str> = photos
            .iter()
            .flat_map(|photo| photo["vectors"].as_array().unwrap())
            .filter_map(Value::as_str)
            .collect();
        assert!(vectors.len() >= 22, "the vectors of 22 faces are looked for: {}", vectors.len());
        vectors.iter().for_each(|vector| secrets.keep(&STANDARD.decode(vector).unwrap()));
        secrets
    }

    /// Bytes, at every place where 64 of them are on end: as they are, in hexadecimal digits and in base64 however it falls.
    fn keep(&mut self, bytes: &[u8]) {
        const STEP: usize = 48;
        for start in (0..bytes.len().saturating_sub(2 * PIECE)).step_by(STEP) {
            let part = &bytes[start..start + 2 * PIECE];
            // Room between things (of one byte or two) is in every file.
            if part[..PIECE].iter().collect::<HashSet<_>>().len() < PIECE / 3 {
                continue;
            }
            self.pieces.insert(part[..PIECE].try_into().unwrap());
            let digits = hex(&part[..PIECE]);
            self.pieces.insert(digits.as_bytes()[..PIECE].try_into().unwrap());
            self.pieces.insert(digits.to_uppercase().as_bytes()[..PIECE].try_into().unwrap());
            for shift in 0..3 {
                for text in [STANDARD.encode(&part[shift..]), URL_SAFE.encode(&part[shift..])] {
                    self.pieces.insert(text.as_bytes()[..PIECE].try_into().unwrap());
                }
            }
        }
    }

    /// A place to two decimals, cut and rounded, in degrees and minutes, and in millionths.
    fn keep_place(&mut self, latitude: f64, longitude: f64) {
        for degrees in [latitude.abs(), longitude.abs()] {
            let (whole, minutes) = (degrees.trunc(), (degrees.fract() * 60.0).trunc());
            self.words.push(format!("{degrees:.2}"));
            self.words.push(format!("{:.2}", (degrees * 100.0).trunc() / 100.0));
            self.words.push(format!("{whole}°"));
            for between in [", ", ",", " ", ":", "/1,", "/1, "] {
                self.words.push(format!("{whole}{between}{minutes}"));
            }
            self.words.push(format!("{:.0}", (degrees * 1e4).trunc()));
        }
    }

    /// Whether a file's name is in it.
    pub fn names_in(&self, bytes: &[u8]) -> bool {
        let text = String::from_utf8_lossy(bytes);
        self.names.iter().any(|name| text.contains(name) || text.contains(&name.replace(' ', "%20")))
    }

    /// What of it is in a request: in its address, its headers or its body.
    pub fn seen_in(&self, request: &Sent) -> Option<String> {
        let piece = request.bytes.windows(PIECE).find(|piece| self.pieces.contains(*piece));
        if let Some(piece) = piece {
            return Some(format!("a piece of a file: {}", String::from_utf8_lossy(piece)));
        }
        let text = String::from_utf8_lossy(&request.bytes);
        if let Some(word) = self.words.iter().find(|word| has_word(&text, word)) {
            return Some(format!("{word} in {text}"));
        }
        let (_, body) = text.split_once("\r\n\r\n").unwrap_or_default();
        // A name of bytes; the most numbers on end; and of what is measured whole numbers are told alone.
        if let Some(name) = ["blob:", "blobs/"].into_iter().find(|name| body.contains(name)) {
            return Some(format!("{name} in {body}"));
        }
        if longest_run(body) > 20 {
            return Some(format!("{} numbers on end in {body}", longest_run(body)));
        }
        let fine = decimals(body).find(|places| *places > 3)?;
        Some(format!("a number of {fine} decimals in {body}"))
    }
}

/// Whether a text has a word, where no digit and no letter stands before it: `7.32` is not in `17.32`, and `37.32` is in `37.3196`.
fn has_word(text: &str, word: &str) -> bool {
    let is_begin =
        |at: usize| !text[..at].ends_with(|letter: char| letter.is_ascii_alphanumeric() || letter == '.');
    // A hash is part of nothing else.
    text.match_indices(word).any(|(at, _)| word.len() >= PIECE || is_begin(at))
}

/// How many numbers stand on end, with nothing but commas and room between them: what a vector would be.
fn longest_run(text: &str) -> usize {
    let is_of_number = |letter: char| letter.is_ascii_digit() || ".-+eE".contains(letter);
    let (mut longest, mut run) = (0, 0);
    for word in text.split([',', ' ', '\n', '\r', '\t', '[', ']']).filter(|word| !word.is_empty()) {
        let is_number = word.chars().all(is_of_number) && word.parse::<f64>().is_ok();
        run = if is_number { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// How many decimals each number of a text has that has some.
fn decimals(text: &str) -> impl Iterator<Item = usize> {
    let is_digit = |letter: char| letter.is_ascii_digit();
    text.match_indices('.').filter_map(move |(at, _)| {
        let places = text[at + 1..].chars().take_while(|letter| is_digit(*letter)).count();
        (text[..at].ends_with(is_digit) && places > 0).then_some(places)
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What Chromium asks by itself is no request of the app's: nothing that is served has the name of such a host.
#[test]
fn the_app_knows_nobody_whom_the_browser_asks_by_itself() {
    let mut folders = vec![e2e::dist()];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            // Nets hold numbers, and what is compressed is there as it is, too.
            if path
                .extension()
                .is_some_and(|end| ["onnx", "bin", "br", "gz", "png"].iter().any(|known| end == *known))
            {
                continue;
            }
            let bytes = std::fs::read(&path).unwrap();
            files += 1;
            for host in BY_ITSELF {
                let is_there = bytes.windows(host.len()).any(|part| part == host.as_bytes());
                assert!(!is_there, "{host} is in {}", path.display());
            }
        }
    }
    assert!(files > 30, "{files}");
}

/// What is looked for is found where it is: a check that sees nothing would hold for every request.
#[test]
fn what_may_not_leave_is_seen_where_it_does() {
    let bytes = std::fs::read(picture("cat.jpg")).unwrap();
    let mut secrets = Secrets { pieces: HashSet::new(), words: Vec::new(), names: vec!["cat.jpg".into()] };
    secrets.keep(&bytes);
    secrets.keep_place(37.319_637_5, -121.946_502_5);
    let sees = |body: &[u8]| {
        let bytes = [b"POST / HTTP/1.1\r\nhost: x\r\n\r\n", body].concat();
        let request = Sent { method: "POST".into(), url: "http://x/".into(), bytes };
        secrets.seen_in(&request).is_some()
    };
    let part = &bytes[1_001..1_201];
    let vector: Vec<f32> = (0..21).map(|number| number as f32).collect();
    for body in [
        part.to_vec(),
        STANDARD.encode(part).into_bytes(),
        STANDARD.encode(&part[1..]).into_bytes(),
        URL_SAFE.encode(&part[2..]).into_bytes(),
        hex(part).into_bytes(),
        format!("{{\"v\": {vector:?}}}").into_bytes(),
        b"at 37.3196,-121.9465".to_vec(),
        b"near 37.32".to_vec(),
        b"lon -121.94".to_vec(),
        "37\u{b0}19'10\"N".as_bytes().to_vec(),
        b"[37,19,10]".to_vec(),
        b"0.12345".to_vec(),
        b"blob:0123".to_vec(),
    ] {
        assert!(sees(&body), "{}", String::from_utf8_lossy(&body));
    }
    for body in
        [&b"6 photos with faces, 22 faces in all"[..], b"2018-05-05T19:42:10, 137.32 kB, 0.75", b"[1, 2, 3]"]
    {
        assert!(!sees(body), "{}", String::from_utf8_lossy(body));
    }
    assert!(secrets.names_in(b"a cat.jpg") && !secrets.names_in(b"a cat"));
}
