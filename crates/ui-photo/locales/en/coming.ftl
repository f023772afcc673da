### The words of what comes in.

# What could not be taken.
not-taken = Not taken
# A folder had nothing for us.
no-pictures-in-folder = There is no picture in this folder.
# A folder cannot be read.
folder-unreadable = The folder cannot be read.
# A file cannot be read.
file-unreadable = The file cannot be read.
# What was shared comes in.
bring-in = Bring in
# What another app gave.
# $count (Number) - how many photos
shared = { $count ->
    [one] 1 photo was shared with this app. It waits on this device until you bring it in or discard it.
   *[other] { $count } photos were shared with this app. They wait on this device until you bring them in or discard them.
}
# Some of what another app gave could not be kept.
# $left (Number) - how many photos
shared-left-behind = { $left } more could not be taken: at most 500 photos and 1 GB wait here, each of at most 200 MB, and there must be room on this device. Share them again once these are in.
# What was shared cannot be read any more.
shared-gone = What was shared is not there any more.
# The name of what was shared and cannot be read.
shared-file = A shared file
# What was shared could not even be kept until the person says so.
shared-lost = What was shared could not be taken. Share fewer photos at once, or add them here.
# A photo that came in by a file of everything.
no-file = Its file isn’t on this device
# What makes it whole.
no-file-hint = It came in by a file of everything, which has no pictures. Add the same file again to see it: stars, tags and albums stay.
# What a folder still had, where there is no room for more.
rest-of-folder = The rest of the folder
# What was not tried any more, in the place of a file's name.
# $count (Number) - how many files
the-rest = { $count } more
# A size.
# $size - in MB
megabytes = { $size } MB
# A large size.
# $size - in GB
gigabytes = { $size } GB
# There is not room for all that comes in.
# $needed - how much it needs: `3.2 GB`
# $free - how much there is
too-little-room = They need about { $needed }, and { $free } are free on this device. Go on, and what fits comes in; what came in stays.
# How far it is: `Looking at 34 of 300`.
# $done (Number) - how many were looked at
# $total (Number) - how many there are
looking-at = Looking at { $done } of { $total }
# How quick it is and how long it takes: `3 a second, about 2 minutes left`.
# $pace - `so-many-a-second` or `seconds-each`
# $left - `seconds-left`, `minute-left` or `minutes-left`
pace-and-left = { $pace }, { $left }
# How quick it is.
# $count - how many photos in a second
so-many-a-second = { $count } a second
# How slow it is.
# $seconds - how many a photo takes
seconds-each = { $seconds } s each
# How long it still takes.
seconds-left = less than a minute left
# How long it still takes.
minute-left = about a minute left
# How long it still takes.
# $minutes - how many
minutes-left = about { $minutes } minutes left
# What came of it.
# $new (Number) - how many photos are new
all-brought-in = { $new ->
    [0] No new photos.
    [one] Brought in 1 photo.
   *[other] Brought in { $new } photos.
}
# What came of it, where not all of it is new: `Brought in 40 photos; 2 were there already, 1 was not taken.`
# $new (Number) - how many photos are new
# $others - `there-already`, `and-not-taken`, or both with a comma between them
some-brought-in = { $new ->
    [0] No new photos; { $others }.
    [one] Brought in 1 photo; { $others }.
   *[other] Brought in { $new } photos; { $others }.
}
# What was there before, in `some-brought-in`.
# $known (Number) - how many photos
there-already = { $known ->
    [one] { $known } was there already
   *[other] { $known } were there already
}
# What could not be taken, in `some-brought-in`.
# $failed (Number) - how many photos
and-not-taken = { $failed ->
    [one] { $failed } was not taken
   *[other] { $failed } were not taken
}
# There is no worker that looks at photos.
no-looker = What looks at photos cannot be loaded. Try again when there is a network.
# It broke at this photo.
looking-broke-off = Looking at this photo broke off.
