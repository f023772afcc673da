### The words of the photos in the page, in English.

# Their name.
photos = Photos
# How many there are.
# $count (Number) - how many
count = { $count ->
    [one] 1 photo
   *[other] { $count } photos
}
# Brings files in.
add-photos = Add photos
# Brings a folder in.
add-folder = Add a folder
# There are none.
no-photos = No photos yet
# What to do then.
no-photos-hint = Choose photos or a folder, or drop photos here. They are looked at on this device, and no photo leaves it. The first time, 4.5 MB of nets and places are loaded from this app, and kept.
# Nothing fits.
nothing-fits = No photo fits.
# The bin is empty.
bin-empty = The bin is empty.
# They are being read.
loading-photos = Loading photos…
# Which are shown.
show = Show
# All of the library.
all = All
# Those with faces.
with-faces = Faces
# The good ones.
best = Best
# Those with near-duplicates.
duplicates = Duplicates
# By event.
events = Events
# Events that could not be read.
events-unreadable = The events could not be read.
# Photos of events that are too many to be told.
earlier = Earlier photos
# Chooses the photos of a day.
choose-day = Choose the day
# Chooses the photos of an event.
choose-event = Choose the event
# Chooses all photos.
choose-all = Choose all
# What the button for a whole day or an event says in full: `Choose the day, 3 Jun: 12 photos`.
# $choose - what the button says: `choose-day`, `choose-event`
# $name - the day or the event
# $count (Number) - how many photos
choose-named = { $count ->
    [one] { $choose }, { $name }: 1 photo
   *[other] { $choose }, { $name }: { $count } photos
}
# The same, where no day is named.
# $choose - what the button says: `choose-all`
# $count (Number) - how many photos
choose-so-many = { $count ->
    [one] { $choose }: 1 photo
   *[other] { $choose }: { $count } photos
}
# There are none that show the same.
no-duplicates = No duplicates
# What duplicates are.
no-duplicates-hint = No two photos here show the same. Bursts, copies and edits stand here side by side once they were found.
# The one of a group that is to be kept.
the-best = Best
# Puts all of a group but the best into the bin.
keep-best-word = Keep the best
# What the button of one group says in full.
# $gone (Number) - how many photos go
keep-best = { $gone ->
    [one] Keep the best (1 photo goes to the bin)
   *[other] Keep the best ({ $gone } photos go to the bin)
}
# Puts all but the best of each group into the bin.
# $gone (Number) - how many photos go
keep-all-best = { $gone ->
    [one] Keep the best of each (1 photo goes to the bin)
   *[other] Keep the best of each ({ $gone } photos go to the bin)
}
# How many groups of near-duplicates there are.
# $groups (Number) - how many
groups = { $groups ->
    [one] 1 group.
   *[other] { $groups } groups.
}
# The heading of a group: `Group 2: 3 photos`.
# $at (Number) - which one it is, from 1
# $photos (Number) - how many are in it
group-title = { $photos ->
    [one] Group { $at }: 1 photo
   *[other] Group { $at }: { $photos } photos
}
# What a person said of some that would go, beside `groups`.
# $dear (Number) - how many have stars, or are in an album
dear-among-them = { $dear ->
    [one] Of those that go, { $dear } has stars or is in an album.
   *[other] Of those that go, { $dear } have stars or are in an album.
}
# Those in the bin.
bin = Bin
# Who is on them.
people = People
# Before people are recognised.
people-off = Who is on your photos?
# Turns it on.
people-on = Recognise people
# What is computed, said before it is.
people-explained-what = { -app } can group the faces on your photos by person, so that you can name them and ask for “the ones with Ada”. For that it computes 128 numbers from each face, by which faces are compared.
# Where that happens, and what of it a model is told.
people-explained-where = It happens on this device. No face, number or name leaves it by itself; a model you talk to is told names and counts when you ask about people, and never a face or its numbers. Ages, moods and families are not guessed.
# What is loaded for it, and how it ends.
people-explained-loaded = 6.3 MB of nets are loaded from this app once, and kept. You can turn it off again, and erase everything it found, at any time.
# Turns it off.
people-turn-off = Turn off
# What is on now.
people-stay = People are recognised on this device. Turned off, what was found is kept and not used.
# Nobody was found.
nobody = No person is on two photos or more yet.
# How many photos are still to be looked at for people.
# $left (Number) - how many
people-left = { $left ->
    [one] 1 photo to be looked at for people
   *[other] { $left } photos to be looked at for people
}
# A name that is still to be given.
who-is-this = Who is this?
# Two are one.
same-as-word = Is the same as…
# Says that they are.
join = Join
# A face of which nobody knows whose it is, in the place of a name in `face-named`.
somebody = somebody
# What a frame around a face is for.
# $number (Number) - which face of the photo it is
# $name - whose it is
face-named = Face { $number }, { $name }: say who it is
# Whose photos a face opens, or which a spot of the map.
# $title - the person or the places
# $count (Number) - how many photos
photos-of = { $count ->
    [one] { $title }: show 1 photo
   *[other] { $title }: show { $count } photos
}
# Shows a person no more.
hide = Hide
# Shows a person again.
show-again = Show again
# How many people are hidden; shows them, too.
# $hidden (Number) - how many
hidden-people = { $hidden } hidden
# Erases faces and names.
erase = Erase all faces and names
# Says that it is.
erase-yes = Yes, erase
# Asks whether that is meant, and says what it means.
erase-means = Erase for good? All faces, what was computed of them, and all names go, out of the history and saved copies too. It cannot be undone. Photos stay. Conversations that mention a name stay until you delete them.
# Where they were taken.
places = Places
# No photo says where it was taken.
no-places = No places yet
# Why that may be.
no-places-hint = A photo is on the map when its camera wrote down where it was (GPS). Many phones do; what is sent by a messenger or taken off a web page mostly has it no more. Without it nobody can know where a photo was taken.
# A place without a name.
far = Far from any city
# A place, and how many more.
# $name - what it is called
# $more (Number) - how many more
and-more-places = { $more ->
    [0] { $name }
    [one] { $name } and 1 more place
   *[other] { $name } and { $more } more places
}
# How many photos are of no place.
# $count (Number) - how many
without-place = { $count ->
    [one] 1 photo has no place.
   *[other] { $count } photos have no place.
}
# The map, to a screen reader.
map = Map of your photos. Arrow keys move it, + and − show it nearer and farther. The same places are in the list below.
# Shows a photo on the map.
on-map = Show on map
# Whose outlines these are.
map-credit = Outlines: Natural Earth. Map: Leaflet. Names of places: GeoNames. All of it is in this app.
# A server of map tiles.
tiles = Map tiles
# What it is told: the address.
tiles-explained-what = The map has outlines alone, and asks nobody. For streets and names, write the address of a server of map tiles here, with {"{"}z{"}"}, {"{"}x{"}"} and {"{"}y{"}"} where it wants the tile’s numbers.
# What it learns by that.
tiles-explained-told = That tells that server what part of the map you look at, which is mostly where your photos were taken, your network address, and where this app is served from. No photo and nothing else of it is sent. The address stays on this device.
# The field for its address.
tiles-address = Address of the tiles
# How that looks.
tiles-like = https://tiles.example.org/{"{"}z{"}"}/{"{"}x{"}"}/{"{"}y{"}"}.png
# It is none.
tiles-wrong = An address begins with https:// and has {"{"}z{"}"}, {"{"}x{"}"} and {"{"}y{"}"} in it. Leave it empty for no tiles.
# Shows the whole library again.
show-all = Show all photos
# What the grid shows while it shows what the chat found.
from-chat = From the chat
# What the grid shows while it shows what was found.
# $title - what was asked for by hand (a place, an event, a person), or `from-chat`
# $found (Number) - how many photos
shown-alone-as = { $found ->
    [one] { $title }: 1 photo
   *[other] { $title }: { $found } photos
}
# Shows in the grid what was found; a button in the chat.
# $found (Number) - how many photos
show-found = { $found ->
    [one] Show it in Photos
   *[other] Show all { $found } in Photos
}
# All albums together.
any-album = All albums
# Which album is shown.
album = Album
# The name of the album that the chosen ones go into.
into-album = Name of an album
# Puts the chosen ones into an album.
put-in = Put into album
# Takes the chosen ones out of the album that is shown.
take-out = Take out of the album
# The field to search in.
search = Search by tag, place, date or name
# Stops for a while.
pause = Pause
# Goes on.
go-on = Go on
# Brings the chosen ones back.
restore = Bring back
# Deletes what is in the bin for good.
empty-bin = Empty the bin
# Asks whether that is meant.
empty-bin-sure = Delete them for good?
# Says that it is.
empty-bin-yes = Yes, delete
# How many are chosen.
# $count (Number) - how many
chosen = { $count } chosen
# What goes with the next message. “These” is a word that somebody may type.
# $chosen (Number) - how many photos
goes-along = { $chosen ->
    [one] 1 photo chosen: “these” means them
   *[other] { $chosen } photos chosen: “these” means them
}
# What goes with the next message, in the list of what a model was told.
chosen-photos = Chosen photos
# The photo before.
before = The photo before
# The photo after.
next = The next photo
# Which photo it is: `3 of 45`.
# $at (Number) - its number, from 1
# $of (Number) - how many there are
which-of = { $at } of { $of }
# The large view.
one-photo = Photo
# How a photo is spoken of by a screen reader.
# $day - when it was taken, in words
# $known - what else is known of it, each after a comma; empty for nothing
photo-spoken = Photo, { $day }{ $known }
# A photo without a date.
no-date = Without a date
# The file does not say where.
no-place = Its file does not say where
# It is still to be looked at.
not-looked-at = Not looked at yet
# The person's stars.
stars-word = Stars
# A person's stars of a photo: `4 stars`.
# $count (Number) - how many
stars-given = { $count ->
    [one] 1 star
   *[other] { $count } stars
}
# How many faces are on a photo.
# $count (Number) - how many
faces-seen = { $count ->
    [0] No faces
    [one] 1 face
   *[other] { $count } faces
}
# How many faces are on a photo beside those of people who are named.
# $count (Number) - how many
more-faces = { $count ->
    [one] 1 more face
   *[other] { $count } more faces
}
# Makes it larger.
larger = Larger
# Makes it smaller.
smaller = Smaller
# Shows what is known of it, or hides that.
info = What is known of it
# Where it was taken.
place-word = Place
# How good it is.
quality-word = Quality
# How good a photo is: `82 of 100`.
# $score (Number) - from 0 to 100
score = { $score } of 100
# How good a photo is, and why: `82 of 100: sharp, well lit`.
# $score (Number) - from 0 to 100
# $why - the reasons, with commas between them
score-and-why = { $score } of 100: { $why }
# The same after other things: `4 stars, quality 82 of 100: sharp, well lit`.
# $score - `score` or `score-and-why`
with-quality = quality { $score }
# A reason of a photo's quality, as those that follow.
reason-sharp = sharp
reason-well-lit = well lit
reason-face-in-focus = face in focus
reason-too-dark = too dark
reason-too-bright = too bright
reason-blurred-by-movement = blurred by movement
reason-out-of-focus = out of focus
reason-face-out-of-focus = face out of focus
reason-noisy = noisy
reason-washed-out = washed out
# The albums it is in.
albums = Albums
# The albums a photo is in: `In the album Best`.
# $count (Number) - how many
# $names - what they are called, with commas between them
in-these-albums = { $count ->
    [one] In the album { $names }
   *[other] In the albums { $names }
}
# How many pixels it has.
size = Size
# How many pixels a photo has: `300 × 200`.
# $width (Number) - in pixels
# $height (Number) - in pixels
sides = { $width } × { $height }
# The same of a large one: `4,000 × 3,000, 12 MP`.
# $width (Number) - in pixels
# $height (Number) - in pixels
# $megapixels - how many millions that are
sides-and-megapixels = { $width } × { $height }, { $megapixels } MP
# What it was taken with.
camera = Camera
# The lens it was taken through.
lens = Lens
# Its file's name.
file = File
# What is on it.
tags = Tags
# The field for another tag.
add-tag = Another tag
# Puts it on.
tag = Tag
# Chooses a photo, which is spoken of as by `photo-spoken`.
# $photo - what is known of it
choose-this = Choose: { $photo }
# Who is asked for tiles.
tiles-from = Tiles: { $host }. Most of what such servers draw is © OpenStreetMap contributors.
# No tile comes.
no-tiles = No tiles come from { $host }. The server may not let other pages read them (CORS), or whoever serves this app has not allowed it (connect_origins).
# What a field for a name is for.
name-of = Name of { $title }
# What a choice of people is for.
same-as = { $title } is the same as
# Says that somebody is not on the chosen ones.
not-them = Not { $title }
# Takes a tag off.
take-off = Take off the tag { $tag }
# A tool is at work, as those that follow.
looking-for-photos = Looking for photos…
looking-at-photo = Looking at the photo…
looking-for-faces = Looking for faces…
looking-for-best = Looking for the best…
grouping-by-event = Grouping by event…
choosing-best = Choosing the best of each…
looking-for-duplicates = Looking for duplicates…
# It looks for the places of photos.
looking-where = Looking where they were taken…
tagging = Tagging…
# It gives stars.
rating = Rating…
looking-at-albums = Looking at the albums…
grouping-by-person = Grouping by person…
# It names, joins or parts people.
saying-who = Saying who is who…
putting-into-bin = Putting into the bin…
# It takes photos out of the bin.
bringing-back = Bringing back…
preparing-export = Preparing the export…
# What may be said after a tool, as those that follow: it is sent as it stands. The built-in model reads English only.
say-best-quality = Which ones are the best quality?
say-by-person = Group these photos by person
say-by-event = Group them by event
say-with-faces = Show me photos with faces
say-duplicates = Find duplicates
say-best-of-each = The best of each
say-best-of-events = Select the best photo from each event
say-first-event = Show me the first event
say-into-album = Put them into an album called Best
say-delete-others = Delete all but the best of each
