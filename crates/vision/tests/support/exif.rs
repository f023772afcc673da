//! EXIF written by hand: a TIFF block of entries, and the containers it lies in.

/// A field: its tag, type, count and bytes (little-endian; turned when written).
#[derive(Clone)]
pub struct Entry {
    pub tag: u16,
    kind: u16,
    /// Each value's bytes, least significant first; rationals are two of 4.
    units: Vec<Vec<u8>>,
    per_value: usize,
    pub is_gps: bool,
}

impl Entry {
    fn new(tag: u16, kind: u16, units: Vec<Vec<u8>>, per_value: usize) -> Self {
        Self { tag, kind, units, per_value, is_gps: false }
    }

    pub fn text(tag: u16, text: &str) -> Self {
        Self::new(tag, 2, text.bytes().chain([0]).map(|byte| vec![byte]).collect(), 1)
    }

    pub fn bytes(tag: u16, bytes: &[u8]) -> Self {
        Self::new(tag, 1, bytes.iter().map(|byte| vec![*byte]).collect(), 1)
    }

    pub fn undefined(tag: u16, bytes: &[u8]) -> Self {
        Self { kind: 7, ..Self::bytes(tag, bytes) }
    }

    pub fn short(tag: u16, value: u16) -> Self {
        Self::new(tag, 3, vec![value.to_le_bytes().to_vec()], 1)
    }

    pub fn long(tag: u16, value: u32) -> Self {
        Self::new(tag, 4, vec![value.to_le_bytes().to_vec()], 1)
    }

    pub fn rationals(tag: u16, values: &[(u32, u32)]) -> Self {
        let units =
            values.iter().flat_map(|(over, under)| [over, under]).map(|part| part.to_le_bytes().to_vec());
        Self::new(tag, 5, units.collect(), 2)
    }

    /// In the part of GPS, whose tags are numbered anew.
    pub fn gps(self) -> Self {
        Self { is_gps: true, ..self }
    }
}

struct Writer {
    bytes: Vec<u8>,
    big_endian: bool,
}

impl Writer {
    fn put(&mut self, value: &[u8]) {
        if self.big_endian {
            self.bytes.extend(value.iter().rev());
        } else {
            self.bytes.extend(value);
        }
    }

    /// A directory, its values after it; `links` are tags with the offsets of other directories, to be filled in later.
    fn directory(&mut self, entries: &[&Entry], links: &[u16]) -> Vec<usize> {
        let mut all: Vec<(u16, Option<&Entry>)> =
            entries.iter().map(|entry| (entry.tag, Some(*entry))).collect();
        all.extend(links.iter().map(|tag| (*tag, None)));
        all.sort_by_key(|(tag, _)| *tag);
        let mut values_at = self.bytes.len() + 2 + all.len() * 12 + 4;
        self.put(&(all.len() as u16).to_le_bytes());
        let (mut later, mut places) = (Vec::new(), Vec::new());
        for (tag, entry) in all {
            self.put(&tag.to_le_bytes());
            let Some(entry) = entry else {
                self.put(&4_u16.to_le_bytes());
                self.put(&1_u32.to_le_bytes());
                places.push(self.bytes.len());
                self.put(&[0; 4]);
                continue;
            };
            self.put(&entry.kind.to_le_bytes());
            self.put(&((entry.units.len() / entry.per_value) as u32).to_le_bytes());
            let length: usize = entry.units.iter().map(Vec::len).sum();
            if length <= 4 {
                entry.units.iter().for_each(|unit| self.put(unit));
                self.bytes.extend(vec![0; 4 - length]);
            } else {
                self.put(&(values_at as u32).to_le_bytes());
                values_at += length;
                later.push(entry);
            }
        }
        self.put(&[0; 4]);
        for entry in later {
            entry.units.iter().for_each(|unit| self.put(unit));
        }
        places
    }

    fn fill(&mut self, place: usize) {
        let here = (self.bytes.len() as u32).to_le_bytes();
        for (at, byte) in here.into_iter().enumerate() {
            self.bytes[place + if self.big_endian { 3 - at } else { at }] = byte;
        }
    }
}

/// A TIFF block with the first directory, EXIF's and GPS's, each entry where it belongs.
pub fn tiff(entries: &[Entry], big_endian: bool) -> Vec<u8> {
    let mut writer =
        Writer { bytes: if big_endian { b"MM\0\x2a" } else { b"II\x2a\0" }.to_vec(), big_endian };
    writer.put(&8_u32.to_le_bytes());
    let is_first = |entry: &&Entry| !entry.is_gps && entry.tag < 0x0200;
    let first: Vec<&Entry> = entries.iter().filter(is_first).collect();
    let second: Vec<&Entry> = entries.iter().filter(|entry| !entry.is_gps && !is_first(entry)).collect();
    let gps: Vec<&Entry> = entries.iter().filter(|entry| entry.is_gps).collect();
    let places = writer.directory(&first, &[0x8769, 0x8825]);
    writer.fill(places[0]);
    writer.directory(&second, &[]);
    writer.fill(places[1]);
    writer.directory(&gps, &[]);
    writer.bytes
}

/// A JPEG file with the block in an APP1 segment.
pub fn in_jpeg(block: &[u8], jpeg: &[u8]) -> Vec<u8> {
    let length = (block.len() + 8) as u16;
    [&jpeg[..2], &[0xFF, 0xE1], &length.to_be_bytes(), b"Exif\0\0", block, &jpeg[2..]].concat()
}

/// A PNG file of 4 × 3 pixels with the block in an eXIf chunk.
pub fn in_png(block: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 4, 3);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().unwrap();
    writer.write_chunk(png::chunk::eXIf, block).unwrap();
    writer.write_image_data(&[90; 36]).unwrap();
    writer.finish().unwrap();
    bytes
}

/// A WebP file of 4 × 3 pixels with the block in an EXIF chunk.
pub fn in_webp(block: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = image_webp::WebPEncoder::new(&mut bytes);
    encoder.set_exif_metadata(block.to_vec());
    encoder.encode(&[90; 36], 4, 3, image_webp::ColorType::Rgb8).unwrap();
    bytes
}

fn atom(name: &[u8; 4], body: &[u8]) -> Vec<u8> {
    [&((body.len() + 8) as u32).to_be_bytes()[..], name, body].concat()
}

/// The boxes of a HEIC file that has nothing but the block (ISO 14496-12: `ftyp`, `meta` with `iinf` and `iloc`, `mdat`).
pub fn heic(block: &[u8]) -> Vec<u8> {
    let start = atom(b"ftyp", b"heic\0\0\0\0mif1heic");
    let handler = atom(b"hdlr", &[&[0; 8][..], b"pict", &[0; 13]].concat());
    let item = atom(b"infe", b"\x02\0\0\0\0\x01\0\0Exif\0");
    let items = atom(b"iinf", &[&b"\0\0\0\0\0\x01"[..], &item].concat());
    // The offset to TIFF's header, then the block.
    let data = [&6_u32.to_be_bytes()[..], b"Exif\0\0", block].concat();
    let located = |offset: u32| {
        let mut body = b"\0\0\0\0\x44\0\0\x01\0\x01\0\0\0\x01".to_vec();
        body.extend(offset.to_be_bytes());
        body.extend((data.len() as u32).to_be_bytes());
        atom(b"meta", &[&[0; 4][..], &handler, &items, &atom(b"iloc", &body)].concat())
    };
    let offset = start.len() + located(0).len() + 8;
    [start, located(offset as u32), atom(b"mdat", &data)].concat()
}
