//! Folders: some files at a time while they are read, and no more of them once the person has stopped it.

use std::rc::Rc;

use ui_kit::clock;
use web_sys::File;

use super::{Inner, Intake, Job, LOOK_MS, MOST_WAITING, Taken};

impl Intake {
    /// A folder begins to be read: until the answer is dropped more files may come.
    pub fn walk(self) -> Walk {
        let inner = self.inner();
        // Before the folder says what of it cannot be read: that is of this import.
        self.begin_anew(&inner);
        inner.walks.set(inner.walks.get() + 1);
        Walk { intake: self, stops: inner.stops.get(), inner }
    }
}

/// A folder that is being read.
pub struct Walk {
    intake: Intake,
    /// How often the person had stopped it as it began.
    stops: u32,
    inner: Rc<Inner>,
}

impl Walk {
    /// Waits until so much is done that more may come; says whether it still may.
    pub async fn goes_on(&self) -> bool {
        while self.inner.stops.get() == self.stops && self.inner.queue.borrow().len() > MOST_WAITING {
            clock::sleep(LOOK_MS).await;
        }
        self.inner.stops.get() == self.stops
    }

    /// Something in it cannot be read.
    pub fn lacks(&self, name: &str, why: &str) {
        self.intake.lacks(name, why);
    }

    /// More of its files. Nothing more once the person stopped it.
    pub async fn take(&self, files: Vec<File>) {
        if self.inner.stops.get() == self.stops {
            self.intake.begin_with_room(of_folder(files)).await;
        }
    }

    /// More of its files, each with where it stays. Nothing more once the person stopped it.
    pub async fn take_left(&self, files: Vec<(File, String)>) {
        let job = |(file, place)| job(file, Some(place));
        if self.inner.stops.get() == self.stops {
            self.intake.begin_with_room(files.into_iter().map(job).collect()).await;
        }
    }
}

impl Drop for Walk {
    fn drop(&mut self) {
        // What was stopped counts no more.
        if self.inner.stops.get() == self.stops {
            self.inner.walks.set(self.inner.walks.get() - 1);
        }
    }
}

/// What is to be done to the files of a folder.
pub(super) fn of_folder(files: Vec<File>) -> Vec<Job> {
    files.into_iter().filter(|file| !is_hidden(&path(file))).map(|file| job(file, None)).collect()
}

/// What is to be done to a file of a folder; `left` is where it stays, where no copy of it is kept.
fn job(file: File, left: Option<String>) -> Job {
    // What calls itself a picture and is none is named; what does not is passed over.
    let is_aside = !file.type_().starts_with("image/");
    Job::Take(Taken { file, is_aside, shared: None, left })
}

/// A file's path within the folder that was chosen, or its name.
fn path(file: &File) -> String {
    let path = web::value::text(file, "webkitRelativePath").filter(|path| !path.is_empty());
    path.unwrap_or_else(|| file.name())
}

/// What a folder has beside photos that nobody put there: `.DS_Store`, `Thumbs.db`, and all that is in hidden folders of it. The folder
/// itself may be called as it likes: somebody chose it.
pub fn is_hidden(path: &str) -> bool {
    let within = path.split_once('/').map_or(path, |(_chosen, within)| within);
    let name = within.rsplit('/').next().unwrap_or_default();
    within.split('/').any(|part| part.starts_with('.'))
        || name.eq_ignore_ascii_case("thumbs.db")
        || name.eq_ignore_ascii_case("desktop.ini")
}

#[cfg(test)]
mod tests {
    use super::is_hidden;

    #[test]
    fn what_is_hidden_in_a_folder_is_passed_over() {
        for (path, hidden) in [
            ("a.jpg", false),
            (".a.jpg", true),
            ("Trip/a.jpg", false),
            (".Trip/a.jpg", false),
            ("Trip/.thumbnails/a.jpg", true),
            ("Trip/sea/.versions/old/a.jpg", true),
            ("Trip/Thumbs.db", true),
            ("desktop.ini", true),
        ] {
            assert_eq!(is_hidden(path), hidden, "{path}");
        }
    }
}
