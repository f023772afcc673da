memory = Gedächtnis
memory-hint = Was auf deine Bitte gemerkt wurde, in deinen Worten. Es bleibt auf diesem Gerät und wird dem Modell, das antwortet, in jeder Unterhaltung in Kürze mitgeteilt. Nichts kommt hinzu, ohne dass eine Zeile im Chat es sagt.
memory-is-off = In den Einstellungen ausgeschaltet: Keinem Modell wird etwas davon mitgeteilt, und keines kann etwas hinzufügen.
no-memory = Noch wurde nichts gemerkt.
no-memory-hint = Sag in einem Chat „merk dir, dass ich Vegetarier bin“, oder schreib oben einen Satz. Aus dem, was du sagst, wird nie etwas erraten.
memory-text = In einem Satz
memory-example = Ich mag kurze Antworten
memory-kind = Art
memory-add = Merken
memory-search = Gedächtnis durchsuchen
memory-text-name = Wortlaut
order = Reihenfolge
first = zuerst
memory-from = Worte von
a-file = einer Datei
yourself = dir
from-a-file = aus einer Datei
memory-becomes-yours = Das kam mit einer Datei, und kein Modell hält es für deinen Wunsch. Wenn du es hier speicherst, ist es deins.
memory-unreadable = Das Gedächtnis konnte nicht gelesen werden.
pin-memory = Zuerst mitteilen
edit-memory = Bearbeiten
forget = Vergessen
forget-all = Alles vergessen …
forget-all-now = Alles vergessen
memory-switch = Merken, worum ich bitte
memory-switch-hint = Was auf deine Bitte gemerkt wird, bekommt das Modell, das antwortet, in Kürze mitgeteilt; ist das ein Modell anderswo, verlässt es dieses Gerät mit deiner Nachricht. Ausgeschaltet wird keinem Modell etwas davon mitgeteilt, und keines kann etwas hinzufügen; was da ist, bleibt hier.
open-memory = Gedächtnis ansehen
pin-named = Zuerst mitteilen: { $text }
edit-named = Bearbeiten: { $text }
forget-named = Vergessen: { $text }
memories-found = { $count ->
    [0] Nichts enthält diese Wörter.
   *[other] { $count } gefunden
}
forget-all-question = { $count ->
    [one] Den einen gemerkten Satz vergessen?
   *[other] Alle { $count } gemerkten Sätze vergessen?
}
memories-recalled = { $total ->
    [0] Gedächtnis durchsucht: nichts gefunden
   *[other] Gedächtnis durchsucht: { $total } gefunden
}
memory-saving = Merkt es sich …
memory-searching = Durchsucht das Gedächtnis …
memory-updating = Berichtigt das Gedächtnis …
memory-forgetting = Vergisst …
memory-fact = Über mich
memory-preference = Vorliebe
memory-remembered = gemerkt
memory-corrected = berichtigt
memory-forgotten = vergessen
remembered-things = { $count ->
    [one] Gemerkt
   *[other] { $count } Sätze gemerkt
}
corrected-things = { $count ->
    [one] Berichtigt
   *[other] { $count } Sätze berichtigt
}
forgot-things = { $count ->
    [one] Vergessen
   *[other] { $count } Sätze vergessen
}
would-remember = { $count ->
    [one] { $count } Satz merken
   *[other] { $count } Sätze merken
}
would-correct = { $count ->
    [one] { $count } Satz berichtigen
   *[other] { $count } Sätze berichtigen
}
would-forget = { $count ->
    [one] { $count } Satz vergessen
   *[other] { $count } Sätze vergessen
}
