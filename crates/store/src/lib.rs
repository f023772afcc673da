//! Tables in memory over an append-only journal: stage, commit, undo, snapshot.
