search = Suchen
search-conversations = Unterhaltungen und Nachrichten durchsuchen
open-run = Gespeicherte Unterhaltung öffnen
title = Titel
pin = Oben anheften
unpin = Nicht mehr anheften
save-as-file = Als Datei speichern
run-file-hint = Die Datei enthält, was gesagt wurde und was die Werkzeuge geantwortet haben, und keinen Schlüssel. Hier wieder geöffnet, lässt sie sich noch einmal abspielen.
saved-run = Gespeicherte Unterhaltung
file-unreadable = Diese Datei ließ sich nicht lesen: Sie ist zu groß oder kein Text.
replay = Abspielen
approve-and = Erlauben und nicht mehr fragen
in-this-conversation = in dieser Unterhaltung
for-good = dauerhaft
edit-the-message = Nachricht bearbeiten
answer-again = Neu antworten
versions = Fassungen dieser Nachricht
version-before = Vorherige Fassung
version-after = Nächste Fassung
again-hint = Ab dieser Nachricht geht die Unterhaltung neu weiter. Was darauf folgte, bleibt als andere Fassung erhalten.
version-cannot-wait = Das müsste auf das Netz warten, und warten kann nur, was am Ende steht. Wähle jetzt, wer antwortet, oder sende es später.
not-said-anew = Das ließ sich gerade nicht senden. Was du geschrieben hast, ist noch da: Versuch es noch einmal.
run-file-too-new = Diese Unterhaltung wurde mit einer neueren Version von { -app } gespeichert. Lade die Seite neu, um sie zu aktualisieren, und öffne die Datei dann noch einmal.
nothing-found = In keiner Unterhaltung kommt „{ $query }“ vor.
conversation-deleted = „{ $title }“ gelöscht.
conversations-found =
    { $count ->
        [one] 1 Unterhaltung gefunden
       *[other] { $count } Unterhaltungen gefunden
    }
age-pinned = Angeheftet
age-week = Letzte 7 Tage
age-month = Letzte 30 Tage
age-older = Älter
no-run-file = Das ist keine von { -app } gespeicherte Unterhaltung ({ $why }). Nichts wurde geändert.
run-from = Eine gespeicherte Unterhaltung zum Lesen. Gespeichert: { $when }, von { -app } { $version }.
replaying = Wird abgespielt: { $at } von { $all }
replayed-the-same = Abgespielt: Alle { $all } Schritte verliefen wie aufgezeichnet.
replay-differs = Die Wiedergabe weicht bei Schritt { $place } ab: Aufgezeichnet ist { $recorded }, herausgekommen ist { $replayed }.
replay-differs-within = Die Wiedergabe weicht bei Schritt { $place } ab: Herausgekommen ist zwar auch { $replayed }, aber mit anderem Inhalt als aufgezeichnet.
entry-nothing = nichts
entry-message = eine Nachricht
entry-attempt = ein neuer Versuch
entry-answer = eine Antwort des Modells
entry-approval = eine Erlaubnis
entry-refusal = eine Ablehnung
entry-trial = ein Probelauf eines Aufrufs
entry-result = die Antwort eines Werkzeugs
entry-resumed = eine Fortsetzung nach einer Unterbrechung
entry-compacted = eine Zusammenfassung älterer Nachrichten
entry-doubted = eine zurückgewiesene Antwort
entry-ended-with-answer = ein Ende mit Antwort
entry-ended = ein Ende ohne Antwort
this-would = Das würde { $deeds }:
deeds-and-last = { $before } und { $last }
show-all = Alle anzeigen (noch { $rest })
not-listed = … und noch { $more }
version = Fassung { $at } von { $of }
changed-since =
    { $count ->
        [one] Seit dieser Nachricht wurde etwas geändert. Es bleibt, wie es ist, wenn du es nicht vorher rückgängig machst:
       *[other] Seit dieser Nachricht gab es { $count } Änderungen. Sie bleiben bestehen, wenn du sie nicht vorher rückgängig machst:
    }
keep-and-send = Behalten und senden
keep-and-answer-again = Behalten und neu antworten
undo-and-send = Rückgängig machen und senden
undo-and-answer-again = Rückgängig machen und neu antworten
