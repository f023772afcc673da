trace = Ablauf
no-trace = In dieser Unterhaltung ist noch nichts geschehen.
trace-run = Nachricht
trace-what = Was
trace-when = Wann
trace-duration = Dauer
trace-tokens = Token
trace-answer = Was das Modell gesagt hat
trace-arguments = Was das Werkzeug bekommen hat
trace-result = Was es geantwortet hat
trace-attributes = Attribute
doubted-here = Die Antwort sagte etwas, das kein Ergebnis belegt; das Modell wurde gebeten, sie neu zu schreiben.
resumed-here = Wurde fortgesetzt, nachdem die Seite weg war.
save-otlp = Als OTLP speichern
save-run-file = Als Laufdatei speichern
trace-out-hint = OTLP ist für Programme, die Abläufe anzeigen: Namen, Zeiten und Anzahlen dieses Laufs, nichts von dem, was gesagt wurde. Die Laufdatei enthält die ganze Unterhaltung und kann hier noch einmal abgespielt werden.
metrics = Kennzahlen
metrics-hint = Wird auf diesem Gerät gezählt, wenn du nachsiehst, und nirgendwohin gesendet. Gespeicherte Läufe aus Dateien zählen nicht mit.
metrics-reach = Nachrichten aus
metrics-counting = Wird gezählt …
no-metrics = In dieser Zeit wurde nichts gesagt.
run-again = Erneut versucht · { $when }
reach-day = den letzten 24 Stunden
reach-week = den letzten 7 Tagen
reach-month = den letzten 30 Tagen
reach-all = der ganzen Zeit
duration-ms = { $ms } ms
duration-seconds = { $seconds } s
duration-minutes = { $minutes } min { $seconds } s
whole-run = Ganzer Lauf
waited-for-you = Auf dich gewartet: { $title }
model-by-name = Modell { $name }
tried-again = { $count ->
    [one] einmal erneut versucht
   *[other] { $count }-mal erneut versucht
}
state-waiting = wartet
state-approved = von dir erlaubt
state-declined = von dir abgelehnt
state-answered = von dir beantwortet
state-unanswered = keine Antwort
state-running = läuft
state-stopped = angehalten
state-read = gelesen
state-changed = geändert
state-refused = abgelehnt
state-not-run = nicht ausgeführt
state-limit = durch eine Grenze beendet
state-failed = fehlgeschlagen
tokens-in-and-out = { $cached ->
    [0] { $sent } gesendet, { $answered } geantwortet
   *[other] { $sent } gesendet ({ $cached } aus dem Cache), { $answered } geantwortet
}
after-the-start = { $time } nach dem Start
began-and-took = Beginn: { $began }. Dauer: { $took }.
failed-after = Nach { $after }: { $said }
went-on-after = Nach { $after }: { $said } { $waited } später ging es weiter.
tried-again-after = Nach { $after }: { $said } { $waited } später erneut versucht (Versuch { $attempt }).
waiting-for-you = davon { $time } auf dich gewartet
requests-made = { $count ->
    [one] 1 Anfrage
   *[other] { $count } Anfragen
}
tool-calls-made = { $count ->
    [one] 1 Werkzeugaufruf
   *[other] { $count } Werkzeugaufrufe
}
metrics-counted = { $conversations ->
    [one] 1 Unterhaltung
   *[other] { $conversations } Unterhaltungen
}, { $runs ->
    [one] 1 Lauf
   *[other] { $runs } Läufe
}.
spread-of = { $what ->
    [messages] Nachrichten
    [calls] Aufrufe
    [tokens] Token, gesendet und geantwortet,
   *[requests] Anfragen
} im Schnitt · die Hälfte bis { $half }, 95 % bis { $nearly }, höchstens { $most }
nothing-counted = Noch nichts gezählt
conversation-length = Länge der Unterhaltungen
calls-per-conversation = Werkzeugaufrufe je Unterhaltung
response-time = Antwortzeit
no-response = Noch keine Nachricht wurde beantwortet
response-spread = { $answers ->
    [one] bis dahin war die eine Antwort da · 95 % innerhalb von { $time }, ohne die Zeit, in der du gefragt wurdest
   *[other] bis dahin war die Hälfte der { $answers } Antworten da · 95 % innerhalb von { $time }, ohne die Zeit, in der du gefragt wurdest
}
tokens-per-conversation = Token je Unterhaltung
no-tokens-counted = Die bisher verwendeten Modelle zählen keine
satisfaction = Zufriedenheit
nothing-rated = Noch keine Antwort wurde bewertet: Die Daumen stehen unter jeder Antwort
answers-helped = { $rated ->
    [one] { $good } von 1 bewerteten Antwort hilfreich
   *[other] { $good } von { $rated } bewerteten Antworten hilfreich
}
requests-per-run = Anfragen je Lauf
compression = Verdichtung
left-by-folds = { $folds ->
    [0] Noch nichts wurde zusammengefasst
    [one] der Token einer Anfrage blieben bei der einen Zusammenfassung übrig
   *[other] der Token einer Anfrage bleiben bei der Hälfte von { $folds } Zusammenfassungen übrig
}
routing-accuracy = Treffsicherheit der Modellwahl
routing-not-used = Nicht verwendet: Jede Nachricht geht an das Modell, das du gewählt hast
routing-kept = { $kept } von { $routed } Modellwahlen hast du nicht korrigiert
