question = Frage
answer = Antworten
answer-field = Antwort
dont-answer = Nicht antworten
optional = (kann offen bleiben)
not-answered = Nicht beantwortet.
first-day = Erster Tag
last-day = Letzter Tag
plan = Plan
plan-step = Schritt des Plans
plan-remove = Diesen Schritt entfernen
plan-add = Schritt hinzufügen
plan-approve = Loslegen
plan-decline = Ablehnen
plan-declined = Plan abgelehnt. Es wurde nichts getan.
step-open = Offen
step-doing = In Arbeit
step-done = Erledigt
step-skipped = Übersprungen
kinds = Art der Unterhaltung
refine = Neu antworten:
open-trace = Ablauf anzeigen
about-this-answer = Zu dieser Antwort
rate-good = Das hat geholfen
rate-bad = Das hat nicht geholfen
refined = Neu antworten: { $feedback }
kind-question-answer = Fragen und Antworten
kind-question-answer-about = Kurze Antworten auf einzelne Fragen.
kind-debugging = Ursache finden
kind-debugging-about = Findet Schritt für Schritt heraus, warum etwas nicht funktioniert.
kind-research = Recherche
kind-research-about = Trägt zusammen, was die Werkzeuge wissen, wägt es ab und sagt, worauf es beruht.
refine-shorter = kürzer
refine-in-detail = ausführlicher
refine-simpler = in einfacheren Worten
doubts =
    { $count ->
        [one] 1 Angabe in dieser Antwort steht nicht in den Ergebnissen der Werkzeuge. Sie ist markiert.
       *[other] { $count } Angaben in dieser Antwort stehen nicht in den Ergebnissen der Werkzeuge. Sie sind markiert.
    }
plan-sure = (zu { $percent } % sicher)
cites = Quelle { $number }: Werkzeugaufruf anzeigen
