palette = Befehle
palette-nothing = Nichts gefunden
shortcuts = Tastenkürzel
single-keys = Einzelne Tasten als Kürzel
single-keys-hint = Während du schreibst, bewirken sie nichts. Schalte sie aus, wenn sie der Spracheingabe oder einem Screenreader in die Quere kommen.
go-chat = Zum Chat gehen
undo-last = Letzte Änderung rückgängig machen
redo-last = Rückgängig gemachte Änderung wiederherstellen
stop-run = Antwort anhalten
retry-run = Letzte Nachricht erneut versuchen
show-shortcuts = Tastenkürzel anzeigen
open-settings = Einstellungen öffnen
open-data = Export, Import und Speicher
open-history = Verlauf der Änderungen anzeigen
theme-system = Design: wie das System
theme-light = Design: hell
theme-dark = Design: dunkel
then = dann
open-rehearse = Ein Gespräch proben
open-metrics = Kennzahlen aller Unterhaltungen anzeigen
in-settings = { $room } in den Einstellungen
open-named = „{ $title }“ öffnen
palette-hint = Befehl oder { -one } finden
find-anything = { -many } und Befehle durchsuchen
found = { $count ->
    [0] Nichts gefunden
    [one] 1 Eintrag
   *[other] { $count } Einträge
}
key-control = Strg
key-escape = Esc
key-delete = Entf
