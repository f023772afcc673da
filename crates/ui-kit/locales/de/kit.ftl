close = Schließen
dismiss = Ausblenden
cancel = Abbrechen
undo = Rückgängig
try-again = Erneut versuchen
reload = Neu laden
add = Hinzufügen
nothing = nichts
loading = Wird geladen
list-unreadable = Die Liste konnte nicht gelesen werden.
perhaps-done = { $why } Es kann sein, dass es trotzdem geschehen ist: Sieh nach, bevor du es noch einmal tust.
task-open = offen
task-done = erledigt
doubted = Steht nicht in den Ergebnissen
becomes = wird zu
undone = rückgängig gemacht
part-not-loaded = Dieser Teil von { -app } konnte nicht geladen werden. Dafür ist einmal eine Verbindung zum Netz nötig.
part-of-another-build = { -app } wurde aktualisiert, und diese Seite ist noch die alte. Lade sie neu, um das hier zu öffnen; alles bleibt erhalten.
added = hinzugefügt
deleted = gelöscht
changed = geändert
added-things = { $count ->
    [one] Hinzugefügt
   *[other] { $count } { -many } hinzugefügt
}
deleted-things = { $count ->
    [one] Gelöscht
   *[other] { $count } { -many } gelöscht
}
changed-things = { $count ->
    [one] Geändert
   *[other] { $count } { -many } geändert
}
would-add = { $count } { $count ->
    [one] { -one }
   *[other] { -many }
} hinzufügen
would-delete = { $count } { $count ->
    [one] { -one }
   *[other] { -many }
} löschen
would-change = { $count } { $count ->
    [one] { -one }
   *[other] { -many }
} ändern
when-by = { $when } · { $who ->
    [chat] in einer Unterhaltung
    [hand] von Hand
   *[client] durch ein anderes Programm
}
save = Speichern
discard = Verwerfen
delete = Löschen
remove = Entfernen
rename = Umbenennen
redo = Wiederherstellen
choose-none = Auswahl aufheben
copy-link = Link kopieren
link-copied = Link kopiert.
not-copied = Der Browser hat das Kopieren nicht zugelassen.
history-unreadable = Der Verlauf konnte nicht gelesen werden.
more-about = Mehr zu { $name }
quoted = „{ $name }“
# Ohne Geschlecht: was es ist, weiß nur, wer es aufzählt.
and-more = und noch { $count }
percent = { $percent } %
