//! Many photos as one file: a zip, written a piece at a time.

use std::io::{Seek, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// A zip that is being written. Pictures do not get smaller by being packed: they are stored as they are.
pub struct Pack<W: Write + Seek>(ZipWriter<W>);

/// Why a file cannot be written into a zip, in the words of what it is written to.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct PackError(String);

impl<W: Write + Seek> Pack<W> {
    /// An empty one, written to `into`.
    pub fn new(into: W) -> Self {
        Self(ZipWriter::new(into))
    }

    /// Begins a file; `taken` (`2026-11-21T22:30:00`) is its time, where that is one which a zip can say (from 1980 on, to two seconds).
    ///
    /// # Errors
    /// When the file before cannot be ended, or nothing more can be written.
    pub fn begin(&mut self, name: &str, taken: Option<&str>) -> Result<(), PackError> {
        let mut options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        options = options.last_modified_time(taken.and_then(time).unwrap_or_default());
        self.0.start_file(name, options).map_err(|error| PackError(error.to_string()))
    }

    /// Writes more of the file that was begun.
    ///
    /// # Errors
    /// When there is no more room, or it cannot be written to.
    pub fn write(&mut self, piece: &[u8]) -> Result<(), PackError> {
        self.0.write_all(piece).map_err(|error| PackError(error.to_string()))
    }

    /// Takes back the file that was begun: the rest of it could not be read.
    ///
    /// # Errors
    /// When it cannot be written to.
    pub fn take_back(&mut self) -> Result<(), PackError> {
        self.0.abort_file().map_err(|error| PackError(error.to_string()))
    }

    /// Writes what every zip ends with.
    ///
    /// # Errors
    /// When there is no more room, or it cannot be written to.
    pub fn end(self) -> Result<W, PackError> {
        self.0.finish().map_err(|error| PackError(error.to_string()))
    }
}

/// A civil time as a zip says it.
fn time(taken: &str) -> Option<DateTime> {
    let mut parts = taken.split(['-', 'T', ':']).map(|part| part.parse::<u16>().ok());
    let mut next = || parts.next().flatten();
    let year = next()?;
    let mut small = || next().and_then(|number| u8::try_from(number).ok());
    DateTime::from_date_and_time(year, small()?, small()?, small()?, small()?, small()?).ok()
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read};

    use super::Pack;

    #[test]
    fn somebody_else_reads_what_was_packed() {
        let files: [(&str, &[u8], Option<&str>); 4] = [
            ("IMG_1.jpg", b"one", Some("2026-11-21T22:30:10")),
            ("Žofie.jpg", b"", Some("nonsense")),
            ("old.jpg", b"three", Some("1969-11-21T22:30:10")),
            ("IMG_1 (2).jpg", &[7; 100_000], None),
        ];
        let mut pack = Pack::new(Cursor::new(Vec::new()));
        for (name, bytes, taken) in files {
            pack.begin(name, taken).unwrap();
            bytes.chunks(1_000).for_each(|piece| pack.write(piece).unwrap());
        }
        pack.begin("broken.jpg", None).unwrap();
        pack.write(b"half of").unwrap();
        pack.take_back().unwrap();
        let bytes = pack.end().unwrap().into_inner();
        let archive = rawzip::ZipArchive::from_slice(&bytes).unwrap();
        let mut seen = Vec::new();
        for entry in archive.entries() {
            let entry = entry.unwrap();
            let name = entry.file_path().try_normalize().unwrap().as_ref().to_owned();
            let local = archive.get_entry(entry.wayfinder()).unwrap();
            let mut read = Vec::new();
            // It checks length and checksum.
            local.verifying_reader(local.data()).read_to_end(&mut read).unwrap();
            let time = entry.last_modified();
            seen.push((name, read, (time.year(), time.minute(), time.second())));
        }
        let times = [(2026, 30, 10), (1980, 0, 0), (1980, 0, 0), (1980, 0, 0)];
        let expected = files
            .iter()
            .zip(times)
            .map(|((name, bytes, _), time)| ((*name).to_owned(), bytes.to_vec(), time));
        assert_eq!(seen, expected.collect::<Vec<_>>());
    }
}
