outbox = Wartende Nachrichten
answer-built-in = Eingebautes Modell fragen
wait-for-network = Auf das Netz warten
waits = Wartet auf das Netz
answer-now = Jetzt beantworten
waits-elsewhere = In einer anderen Unterhaltung wartet eine Nachricht.
open-it = Öffnen
