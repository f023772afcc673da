todos = To-dos
todo = To-do
add-todo = To-do hinzufügen
adding = Wird hinzugefügt …
not-added = Nicht hinzugefügt
perhaps-added = Vielleicht hinzugefügt; ein neuer Versuch fügt es nur einmal hinzu
not-added-yet = Noch nicht in der Liste
add-date = Fälligkeitsdatum
edit = Bearbeiten
title = Titel
title-missing = Ein To-do braucht einen Titel.
drop-changes = Deine Änderungen verwerfen?
keep-editing = Weiter bearbeiten
due = Fällig
time = Uhrzeit
priority = Priorität
tags = Schlagwörter
list = Liste
repeat = Wiederholung
repeats = Wiederholt sich
remind = Erinnerung
reminders = Erinnerungen
reminder-heard = Erinnerung: { $title }. { $body }
done = Erledigt
in-ten-minutes = In 10 Min.
in-an-hour = In 1 Stunde
put-away = Ausblenden
put-all-away = Alle ausblenden
allow-hint = Erinnerungen erscheinen hier, solange diese Seite offen ist. Mit Benachrichtigungen siehst du sie auch in anderen Tabs und Programmen.
allow = Benachrichtigungen erlauben
not-now = Nicht jetzt
no-reminder = Keine
when-due = Wenn es fällig ist
ten-minutes-before = 10 Minuten vorher
half-an-hour-before = 30 Minuten vorher
an-hour-before = 1 Stunde vorher
two-hours-before = 2 Stunden vorher
a-day-before = 1 Tag vorher
remind-at = Zu einer bestimmten Zeit …
remind-when = Erinnern am
remind-hint = Sie erscheint nur, solange diese Seite in einem Tab offen ist. Was du verpasst hast, siehst du beim nächsten Öffnen.
notes = Notizen
preview = Vorschau
show-notes = Vorschau der Notizen
write-notes = Notizen bearbeiten
past = Verlauf
no-past = Im Verlauf steht dazu keine Änderung.
more-past = Mehr anzeigen
changes-came-back = Deine Änderungen sind wieder da. Sie sind noch nicht gespeichert.
weekend = Wochenende
next-week = Nächste Woche
no-day = Kein Datum
never = Nie
every-day = Jeden Tag
every-weekday = Montag bis Freitag
every-week = Jede Woche
every-month = Jeden Monat
every-year = Jedes Jahr
other-rule = Andere …
rule-in-words = In Worten
# Was der Leser der Schnelleingabe versteht.
rule-example = jeden zweiten Dienstag
rule-unread = Diese Wiederholung kenne ich nicht. Versuch es etwa mit „alle 2 Wochen“ oder „jeden ersten Montag im Monat“.
every = Alle
unit = Einheit
days = Tage
weeks = Wochen
months = Monate
years = Jahre
until = Bis
on-days = An den Tagen
add-tag = Schlagwort hinzufügen
done-stays = Erledigte To-dos stehen in der Reihenfolge, in der sie erledigt wurden.
not-there = Dorthin lässt sich nichts verschieben: Öffne das To-do und ändere sein Datum.
repeats-on-days = Es wiederholt sich und braucht dafür ein Datum. Beende zuerst die Wiederholung.
sorted-first = To-dos sind zuerst nach Datum und Priorität sortiert. Um ein To-do weiter zu verschieben, zieh es oder ändere sein Datum.
pick = Wählen
most-picked = Auf einmal lassen sich höchstens 100 To-dos ändern, und so viele sind schon ausgewählt.
picked = { $count } ausgewählt
delete-these = { $count ->
    [one] { $named } löschen?
   *[other] { $more ->
        [0] { $count } To-dos löschen? { $named }.
       *[other] { $count } To-dos löschen? { $named } und noch { $more }.
    }
}
with-picked = Mit den ausgewählten To-dos
complete = Erledigen
move-to = In Liste verschieben
tag-all = Schlagwort hinzufügen
keep = Behalten
pick-none = Auswahl aufheben
find = In der Liste suchen
find-short = Suchen
found-of = { $shown } von { $all }
all-lists = Alle Listen
all-tags = Alle Schlagwörter
show-all = Alle anzeigen
none-found = Kein To-do passt dazu.
none-here = Hier ist nichts.
views = Ansichten der Liste
plan-week = Woche planen
plan-month = Monat planen
subtasks = Unteraufgaben
add-subtask = Unteraufgabe hinzufügen
rule-from = { $rule }, erstmals: { $begins }
understood = Verstanden als
several = Das sind { $count } Zeilen. Ist jede davon ein To-do?
add-several = { $count } To-dos hinzufügen
as-one = Als ein To-do
of-what = { $what }: { $which }
move-up = Nach oben
move-down = Nach unten
move-in = Der Aufgabe darüber unterordnen
move-out = Eine Ebene höher
before-due = Bevor es fällig ist
part-of-word = Teil von
part-of-named = Teil von „{ $title }“
part-of-another = Teil eines anderen To-dos
not-here = Dieses To-do gibt es auf diesem Gerät nicht mehr.
one-todo = einem To-do
another-todo = einem anderen To-do
no-todos = Nichts zu tun
no-todos-hint = Füge oben etwas hinzu, oder sag es einfach im Chat.
open-count = { $count ->
    [0] { "" }
   *[other] { $count } offen
}
overdue = Überfällig
upcoming = Demnächst
without-date = Ohne Datum
none = Keine
low = Niedrig
medium = Mittel
high = Hoch
urgent = Dringend
of-priority = { $priority ->
    [low] Niedrige Priorität
    [medium] Mittlere Priorität
    [high] Hohe Priorität
    [urgent] Dringend
   *[none] Keine Priorität
}
completed = erledigt
reopened = wieder geöffnet
completed-things = { $count ->
    [one] Erledigt
   *[other] { $count } { -many } erledigt
}
reopened-things = { $count ->
    [one] Wieder geöffnet
   *[other] { $count } { -many } wieder geöffnet
}
would-complete = { $count } { $count ->
    [one] { -one }
   *[other] { -many }
} erledigen
would-reopen = { $count } { $count ->
    [one] { -one }
   *[other] { -many }
} wieder öffnen
with-others = { $count ->
    [one] Ein weiteres To-do wurde zugleich geändert; beide Änderungen werden zusammen rückgängig gemacht.
   *[other] { $count } weitere wurden zugleich geändert; alle Änderungen werden zusammen rückgängig gemacht.
}
looking = Sieht deine To-dos durch …
changing = Ändert …
checking-off = Hakt ab …
reopening = Öffnet wieder …
deleting = Löscht …
looked-at-none = To-dos durchgesehen: keine gefunden
looked-at-all = To-dos durchgesehen: { $total } gefunden
looked-at-some = To-dos durchgesehen: { $total } gefunden, { $shown } gelesen
loading-todos = Deine To-dos werden geladen
list-unreadable = Die Liste der To-dos konnte nicht gelesen werden.
share-title = Als To-do speichern?
new-todo = Neues To-do
go-todos = Zu den To-dos
next-todo = Nächstes To-do
previous-todo = Vorheriges To-do
toggle-todo = To-do abhaken oder wieder öffnen
edit-todo = To-do bearbeiten
pick-todo = To-do auswählen, um mehrere auf einmal zu ändern
delete-todo = To-do löschen
take-tag-off = Schlagwort { $tag } entfernen
keep-in-title = { $shown }: im Titel lassen
mark-done = Erledigt: { $title }
delete-named = { $title } löschen
add-named = To-do „{ $title }“ hinzufügen
todo-named = To-do: { $title }
check-named = „{ $title }“ abhaken
reopen-named = „{ $title }“ wieder öffnen
