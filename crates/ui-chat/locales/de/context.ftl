context = Was das Modell sieht
context-hint = Ein Modell nimmt nur eine gewisse Menge auf einmal auf. Wird eine Unterhaltung länger, werden ihre älteren Nachrichten für das Modell kurz zusammengefasst. Du siehst hier weiterhin alles, und was es sich merken soll, bleibt in deinen Worten erhalten.
context-fold = Ältere Nachrichten jetzt zusammenfassen
context-never = Nie zusammenfassen
context-never-hint = Eine Unterhaltung, die für das Modell zu lang ist, scheitert dann.
context-summary = Was es davon sieht
context-compacted =
    { $count ->
        [0] Es sieht die ganze Unterhaltung.
        [one] Es sieht deine erste Nachricht nur in Kurzform.
       *[other] Es sieht deine ersten { $count } Nachrichten nur in Kurzform.
    }
folded-here = Ältere Nachrichten sind zusammengefasst: Das Modell sieht sie in Kurzform (aus { $before } Token wurden { $after })
shortened-here = Lange Ergebnisse älterer Nachrichten sind für das Modell gekürzt (aus { $before } Token wurden { $after })
tokens-in-thousands = { $thousands } k
context-tokens = Die nächste Nachricht sendet etwa { $tokens } Token. Ab { $limit } wird zusammengefasst.
context-tokens-unlimited = Die nächste Nachricht sendet etwa { $tokens } Token. Es gibt keine Grenze.
context-tokens-used =
    { $cached ->
        [0] Bisher: { $sent } Token gesendet, { $answered } als Antwort erhalten.
       *[other] Bisher: { $sent } Token gesendet ({ $cached } davon aus dem Cache des Anbieters), { $answered } als Antwort erhalten.
    }
