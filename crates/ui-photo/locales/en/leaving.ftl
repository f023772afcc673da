### The words of what leaves.

# Opens what is to be exported.
export = Export…
# What that is about.
export-what = Export the chosen photos
# How large they are.
export-size = Size
# As they came.
export-originals = Originals
# Small ones.
export-small = Small: JPEG, 2048 pixels
# Where they were taken goes along.
export-places = With the places where they were taken (GPS)
# One file.
export-zip = Save as a zip
# Many files.
export-folder = Save into a folder…
# Saves what a tool of the chat found.
# $count (Number) - how many photos
save-found = { $count ->
    [one] Save 1 photo
   *[other] Save { $count } photos
}
# The same, where they keep the places where they were taken.
# $count (Number) - how many photos
save-found-with-places = { $count ->
    [one] Save 1 photo with places
   *[other] Save { $count } photos with places
}
# It is under way.
exporting-word = Exporting
# How far it is.
# $done (Number) - how many photos are written
# $total (Number) - how many there are
exporting = { $total ->
    [one] { $done } of 1 photo written
   *[other] { $done } of { $total } photos written
}
# What came of an export: nothing.
nothing-exported = Nothing was exported.
# What came of an export: a zip.
# $written (Number) - how many photos are in it
saved-as-zip = { $written ->
    [one] 1 photo saved as a zip: look in your downloads.
   *[other] { $written } photos saved as a zip: look in your downloads.
}
# What came of an export: files.
# $written (Number) - how many photos
saved-into-folder = { $written ->
    [one] 1 photo saved into the folder.
   *[other] { $written } photos saved into the folder.
}
# What came of an export into a folder that was stopped.
# $written (Number) - how many photos were written
stopped-before = { $written ->
    [one] Stopped. 1 photo written before: what is in the folder stays.
   *[other] Stopped. { $written } photos written before: what is in the folder stays.
}
# Why an export into a folder went wrong, and what was written before.
# $why - a sentence
# $written (Number) - how many photos were written
broke-after = { $written ->
    [one] { $why } 1 photo written before: what is in the folder stays.
   *[other] { $why } { $written } photos written before: what is in the folder stays.
}
# The zip once more.
export-again = Save the zip again
# What was not written.
left-out = Left out:
# Why a photo is not written.
left-out-gone = It is not there any more.
# Why a photo is not written.
left-out-bin = It is in the bin.
# Why a photo is not written.
left-out-file = Its file is not on this device.
# Why a photo is not written without its place.
left-out-way = Its place cannot be taken out of such a file, and this browser cannot show it. Export it with places.
# Which originals are small, and why.
made-small = Made small, because the place cannot be taken out of these files. With places they are exported as they are:
# The browser has no files for us.
no-private-files = This browser has no room of its own for a zip. Save into a folder, or use a window that is not private.
# The zip is there and cannot be had.
not-handed-over = The zip cannot be read from this device. Try again.
# What writes broke.
export-broke = Exporting broke off. Try again, with fewer photos if it happens again.
# Why it went wrong, and what to do.
# $why - a sentence without its full stop
exporting-stopped = Exporting stopped: { $why }. Free some space on this device, or export fewer or smaller photos.
# There is not enough room, said before anything is written.
# $needed - how much the zip needs: `3.2 GB`
# $free - how much there is
too-little-room-for-zip = The zip needs { $needed }, and this browser has room for { $free }. Export fewer or small ones, or save into a folder.
