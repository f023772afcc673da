### The words around the person's data: storage, files, copies, and deleting everything.

storage = On this device
looking-at-storage = Looking…
keep-for-good = Ask the browser to keep it
export-hint = JSON holds everything and can be brought in again: of photos what is known of them, where they were taken among that, your stars, tags and albums, but not the pictures, no face, and no name you gave a person on them. iCalendar and CSV are for other programs. Your key and your conversations are in none of them.
no-download = The browser saved no file.
import-hint = You see what a file would change before anything is changed. Files of Google Tasks, Apple Reminders, Microsoft To Do, Things, TickTick and Todoist are understood too.
import-file = A JSON, iCalendar or CSV file
import-memories = What is remembered about you, which every conversation is told:
import-foreign = No model takes these sentences for your words: they are told as words of a file, until you save them under Memory. A conversation that is told of them asks before it deletes or sends anything.
import-own = I have read these sentences, and they are my own words
import-own-photos = This file is mine: the tags, places and names of albums in it are my own words
import-confirm = Bring them in
reading-file = Reading the file…
file-too-large = This file is larger than 60 MB.
file-not-read = This file could not be read. Choose it again.
file-of-no-kind = This is no JSON, iCalendar or CSV file.
nothing-changed = Nothing was changed.
copies = Copies on this device
copies-hint = Before a large change a copy is taken by itself. The last ten are kept, as long as this browser keeps its data.
copy-by-hand = Taken by hand
take-a-copy = Take a copy now
go-back-to-it = Go back to it
erase = Delete everything
erase-offline = This needs the network: the app’s own files go as well, and are loaded again afterwards.
erase-question = Delete everything on this device?
erase-sure = I understand that nothing of it can be brought back
keep-all = Keep everything
export = Take your { -many } with you
import = Bring { -many } in
import-replace = Replace everything: { -many } that are not in the file are deleted
perhaps-imported = It may have been brought in all the same: look at your { -many }. What is there can be taken back.
erase-hint = Your { -many }, conversations, what is remembered, keys, settings and copies go from this browser, for good.
erase-what = All { -many } with their history, all conversations, what is remembered, saved keys, settings and copies are deleted, and other open tabs of { -app } are closed. This cannot be undone; a file you took with you can be brought in.
# A file was saved.
# $file-name (String)
exported = Saved as { $file-name }.
# What there is: the four that follow stand in the three behind them.
kept-none = No { -many } yet
kept-one = One { -one }
# $all (Number)
kept-all = { $all } { -many }
# $all (Number)
# $open (Number)
# $done (Number)
kept-open-and-done = { $all } { -many } ({ $open } open, { $done } done)
kept-unchanged = { $kept }.
kept-changed-once = { $kept }, one change in the history.
# $kept (String) - what there is
# $changes (Number)
kept-changed = { $kept }, { $changes } changes in the history.
# Whether the browser may take it away: it may not.
kept-until-deleted = The browser keeps it until you delete it.
kept-while-there-is-room = The browser may delete it when the device runs out of room.
# It was asked to keep it, and said no.
kept-without-promise = The browser would not promise to keep it. It does so for apps that are installed or used often; until then take a file with you now and then.
# It does not say.
kept-perhaps = This browser does not say whether it may delete it. Take a file with you now and then.
# How much room is used.
# $used (String) - a size
# $quota (String) - a size
storage-used-of = Uses { $used } of the { $quota } this browser allows, the app itself included.
storage-used-only = Uses { $used }.
storage-used-unknown = This browser does not say how much is used.
# What a file would do: the four that follow stand in a list.
# $count (Number)
import-new = { $count } new
# $count (Number)
import-changed = { $count } changed
# $count (Number)
import-unchanged = { $count } as they are
# $count (Number)
import-removed = { $count } deleted
# A file, and that list.
import-parts = { $name }: { $parts }.
import-nothing = { $name }: nothing in it.
# A line of a file that was not taken.
# $line (Number)
# $reason (String)
rejected-line = Line { $line }: { $reason }
# A memory that a file brings; it may be told before the others.
# $text (String)
# $place (String) - `first` or `among`
import-memory-new = { $place ->
    [first] New: { $text } (told first)
   *[among] New: { $text }
}
# One that says the same, and is otherwise different.
# $text (String)
# $place (String) - `first` or `among`
import-memory-otherwise = { $place ->
    [first] Otherwise than it was: { $text } (told first)
   *[among] Otherwise than it was: { $text }
}
# One that says something else now.
# $before (String)
# $text (String)
# $place (String) - `first` or `among`
import-memory-instead = { $place ->
    [first] Instead of “{ $before }”: { $text } (told first)
   *[among] Instead of “{ $before }”: { $text }
}
# One that a file takes away.
import-memory-gone = Forgotten: { $text }
# What is in a copy, and when it was taken.
# $count (Number)
# $ago (String) - `5 minutes ago`
copy-holds = { $count ->
    [one] one { -one }, { $ago }
   *[other] { $count } { -many }, { $ago }
}
# What going back to a copy would do.
restore-changes = { $total ->
    [0] Nothing would change.
    [one] One { -one } would change.
   *[other] { $total } { -many } would change.
}
# The button that puts the note away.
loss-seen = OK
# Over the sentences that say what happened.
loss-title = Something happened to your stored { -many }
