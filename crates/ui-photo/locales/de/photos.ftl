photos = Fotos
count = { $count ->
    [one] 1 Foto
   *[other] { $count } Fotos
}
add-photos = Fotos hinzufügen
add-folder = Ordner hinzufügen
no-photos = Noch keine Fotos
no-photos-hint = Wähle Fotos oder einen Ordner aus, oder zieh Fotos hierher. Sie werden auf diesem Gerät ausgewertet, und kein Foto verlässt es. Beim ersten Mal werden 4,5 MB an neuronalen Netzen und Ortsdaten aus dieser App geladen und behalten.
nothing-fits = Kein Foto passt.
bin-empty = Der Papierkorb ist leer.
loading-photos = Fotos werden geladen …
show = Anzeigen
all = Alle
with-faces = Gesichter
best = Beste
duplicates = Duplikate
events = Ereignisse
events-unreadable = Die Ereignisse konnten nicht gelesen werden.
earlier = Frühere Fotos
choose-day = Tag auswählen
choose-event = Ereignis auswählen
choose-all = Alle auswählen
choose-named = { $count ->
    [one] { $choose }, { $name }: 1 Foto
   *[other] { $choose }, { $name }: { $count } Fotos
}
choose-so-many = { $count ->
    [one] { $choose }: 1 Foto
   *[other] { $choose }: { $count } Fotos
}
no-duplicates = Keine Duplikate
no-duplicates-hint = Hier zeigen keine zwei Fotos dasselbe. Serien, Kopien und bearbeitete Fassungen stehen hier nebeneinander, sobald sie gefunden sind.
the-best = Bestes
keep-best-word = Bestes behalten
keep-best = { $gone ->
    [one] Bestes behalten (1 Foto kommt in den Papierkorb)
   *[other] Bestes behalten ({ $gone } Fotos kommen in den Papierkorb)
}
keep-all-best = { $gone ->
    [one] Je Gruppe das beste behalten (1 Foto kommt in den Papierkorb)
   *[other] Je Gruppe das beste behalten ({ $gone } Fotos kommen in den Papierkorb)
}
groups = { $groups ->
    [one] 1 Gruppe.
   *[other] { $groups } Gruppen.
}
group-title = { $photos ->
    [one] Gruppe { $at }: 1 Foto
   *[other] Gruppe { $at }: { $photos } Fotos
}
dear-among-them = { $dear ->
    [one] Von denen, die in den Papierkorb kommen, hat eines Sterne oder ist in einem Album.
   *[other] Von denen, die in den Papierkorb kommen, sind { $dear } mit Sternen versehen oder in einem Album.
}
bin = Papierkorb
people = Personen
people-off = Wer ist auf deinen Fotos?
people-on = Personen erkennen
# The words in quotes are typed in the chat, and the built-in model reads English only.
people-explained-what = { -app } kann die Gesichter auf deinen Fotos nach Personen gruppieren, sodass du ihnen Namen geben und nach „the ones with Ada“ fragen kannst. Dafür werden aus jedem Gesicht 128 Zahlen berechnet, anhand derer Gesichter verglichen werden.
people-explained-where = Das geschieht auf diesem Gerät. Kein Gesicht, keine Zahl und kein Name verlässt es von selbst; ein Modell, mit dem du sprichst, erfährt Namen und Anzahlen, wenn du nach Personen fragst, aber nie ein Gesicht oder seine Zahlen. Alter, Stimmung und Verwandtschaft werden nicht geschätzt.
people-explained-loaded = Einmalig werden 6,3 MB an neuronalen Netzen aus dieser App geladen und behalten. Du kannst das jederzeit wieder ausschalten und alles löschen, was gefunden wurde.
people-turn-off = Ausschalten
people-stay = Personen werden auf diesem Gerät erkannt. Wenn du das ausschaltest, bleibt erhalten, was gefunden wurde, wird aber nicht verwendet.
nobody = Noch ist keine Person auf zwei oder mehr Fotos.
people-left = { $left ->
    [one] 1 Foto muss noch nach Personen durchsucht werden
   *[other] { $left } Fotos müssen noch nach Personen durchsucht werden
}
who-is-this = Wer ist das?
same-as-word = Ist dieselbe Person wie …
join = Zusammenführen
somebody = unbekannt
face-named = Gesicht { $number }, { $name }: angeben, wer das ist
photos-of = { $count ->
    [one] { $title }: 1 Foto anzeigen
   *[other] { $title }: { $count } Fotos anzeigen
}
hide = Ausblenden
show-again = Wieder anzeigen
hidden-people = { $hidden } ausgeblendet
erase = Alle Gesichter und Namen löschen
erase-yes = Ja, löschen
erase-means = Endgültig löschen? Alle Gesichter, alles, was daraus berechnet wurde, und alle Namen werden gelöscht, auch aus dem Verlauf und aus den Sicherungen. Das lässt sich nicht rückgängig machen. Die Fotos bleiben. Unterhaltungen, in denen ein Name vorkommt, bleiben, bis du sie löschst.
places = Orte
no-places = Noch keine Orte
no-places-hint = Ein Foto ist auf der Karte, wenn die Kamera den Ort mitgespeichert hat (GPS). Viele Handys tun das; was per Messenger verschickt oder von einer Webseite geholt wurde, enthält ihn meist nicht mehr. Ohne diese Angabe kann niemand wissen, wo ein Foto aufgenommen wurde.
far = Fernab jeder Stadt
and-more-places = { $more ->
    [0] { $name }
    [one] { $name } und 1 weiterer Ort
   *[other] { $name } und { $more } weitere Orte
}
without-place = { $count ->
    [one] 1 Foto hat keinen Ort.
   *[other] { $count } Fotos haben keinen Ort.
}
map = Karte deiner Fotos. Die Pfeiltasten verschieben sie, + und − zoomen hinein und heraus. Dieselben Orte stehen in der Liste darunter.
on-map = Auf der Karte anzeigen
map-credit = Umrisse: Natural Earth. Karte: Leaflet. Ortsnamen: GeoNames. All das ist in dieser App enthalten.
tiles = Kartenkacheln
tiles-explained-what = Die Karte hat nur Umrisse und fragt niemanden. Für Straßen und Namen gib hier die Adresse eines Servers für Kartenkacheln ein, mit {"{"}z{"}"}, {"{"}x{"}"} und {"{"}y{"}"} dort, wo er die Nummern der Kachel erwartet.
tiles-explained-told = Dieser Server erfährt dadurch, welchen Teil der Karte du ansiehst, also meist, wo deine Fotos aufgenommen wurden, außerdem deine Netzadresse und woher diese App geladen wird. Kein Foto und nichts anderes daraus wird gesendet. Die Adresse bleibt auf diesem Gerät.
tiles-address = Adresse der Kacheln
tiles-like = https://tiles.example.org/{"{"}z{"}"}/{"{"}x{"}"}/{"{"}y{"}"}.png
tiles-wrong = Eine Adresse beginnt mit https:// und enthält {"{"}z{"}"}, {"{"}x{"}"} und {"{"}y{"}"}. Lass das Feld leer, wenn du keine Kacheln möchtest.
tiles-from = Kacheln: { $host }. Was solche Server zeichnen, ist größtenteils © OpenStreetMap-Mitwirkende.
no-tiles = Von { $host } kommen keine Kacheln. Vielleicht lässt der Server sie nicht von anderen Seiten lesen (CORS), oder wer diese App bereitstellt, hat ihn nicht erlaubt (connect_origins).
show-all = Alle Fotos anzeigen
from-chat = Aus dem Chat
shown-alone-as = { $found ->
    [one] { $title }: 1 Foto
   *[other] { $title }: { $found } Fotos
}
show-found = { $found ->
    [one] In den Fotos anzeigen
   *[other] Alle { $found } in den Fotos anzeigen
}
any-album = Alle Alben
album = Album
into-album = Name eines Albums
put-in = Zum Album hinzufügen
take-out = Aus dem Album entfernen
search = Nach Schlagwort, Ort, Datum oder Name suchen
pause = Pausieren
go-on = Fortsetzen
restore = Wiederherstellen
empty-bin = Papierkorb leeren
empty-bin-sure = Endgültig löschen?
empty-bin-yes = Ja, löschen
chosen = { $count } ausgewählt
# The word in quotes is typed in the chat, and the built-in model reads English only.
goes-along = { $chosen ->
    [one] 1 Foto ausgewählt: Mit „these“ ist es gemeint
   *[other] { $chosen } Fotos ausgewählt: Mit „these“ sind sie gemeint
}
chosen-photos = Ausgewählte Fotos
before = Vorheriges Foto
next = Nächstes Foto
which-of = { $at } von { $of }
one-photo = Foto
photo-spoken = Foto, { $day }{ $known }
no-date = Ohne Datum
no-place = In der Datei steht kein Ort
not-looked-at = Noch nicht ausgewertet
stars-word = Sterne
stars-given = { $count ->
    [one] 1 Stern
   *[other] { $count } Sterne
}
faces-seen = { $count ->
    [0] Keine Gesichter
    [one] 1 Gesicht
   *[other] { $count } Gesichter
}
more-faces = { $count ->
    [one] 1 weiteres Gesicht
   *[other] { $count } weitere Gesichter
}
larger = Vergrößern
smaller = Verkleinern
info = Infos zum Foto
place-word = Ort
quality-word = Qualität
score = { $score } von 100
score-and-why = { $score } von 100: { $why }
with-quality = Qualität { $score }
reason-sharp = scharf
reason-well-lit = gut belichtet
reason-face-in-focus = Gesicht scharf
reason-too-dark = zu dunkel
reason-too-bright = zu hell
reason-blurred-by-movement = verwackelt
reason-out-of-focus = unscharf
reason-face-out-of-focus = Gesicht unscharf
reason-noisy = verrauscht
reason-washed-out = flau
albums = Alben
in-these-albums = { $count ->
    [one] Im Album { $names }
   *[other] In den Alben { $names }
}
size = Größe
sides = { $width } × { $height }
sides-and-megapixels = { $width } × { $height }, { $megapixels } MP
camera = Kamera
lens = Objektiv
file = Datei
tags = Schlagwörter
add-tag = Weiteres Schlagwort
tag = Hinzufügen
take-off = Schlagwort { $tag } entfernen
choose-this = Auswählen: { $photo }
name-of = Name von { $title }
same-as = { $title } ist dieselbe Person wie
not-them = Nicht { $title }
looking-for-photos = Sucht nach Fotos …
looking-at-photo = Sieht sich das Foto an …
looking-for-faces = Sucht nach Gesichtern …
looking-for-best = Sucht nach den besten …
grouping-by-event = Gruppiert nach Ereignissen …
choosing-best = Wählt jeweils das beste aus …
looking-for-duplicates = Sucht nach Duplikaten …
looking-where = Sieht nach, wo sie aufgenommen wurden …
tagging = Ändert Schlagwörter …
rating = Bewertet …
looking-at-albums = Sieht sich die Alben an …
grouping-by-person = Gruppiert nach Personen …
saying-who = Hält fest, wer wer ist …
putting-into-bin = Verschiebt in den Papierkorb …
bringing-back = Stellt wieder her …
preparing-export = Bereitet den Export vor …
# What may be said after a tool stays English: it is sent as it stands, and the built-in model reads English only.
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
