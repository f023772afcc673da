### What may be said to the assistant, in German: the built-in model has to understand every sentence.

first-add = Füge Milch kaufen für morgen hinzu und erinnere mich am Freitag an die Bank
first-with-parts = Füge Aufsatz schreiben mit den Unteraufgaben Gliederung und Entwurf hinzu
first-week = Was steht diese Woche an?
first-two-commands = Setze Milch auf die Einkaufsliste und zeig mir meine Aufgaben
first-help = Was kannst du?
say-show = Zeig meine To-dos
say-undo = Mach das rückgängig
say-first-done = Hake das erste ab
say-left = Was ist noch offen?
say-overdue = Was ist überfällig?
say-clear = Räume erledigte Aufgaben auf
say-plan = Plane meine Woche
say-today = Was ist heute fällig?
