roles = Ein kleineres Modell für einfache Nachrichten
roles-hint = Einfache Nachrichten können an ein kleineres oder günstigeres Modell gehen. Alles andere geht an das Modell, das unter „Wer antwortet“ gewählt ist.
role-small = Für Fragen mit kurzer Antwort
role-cheap = Für Zusammenfassungen und Übersetzungen
role-as-chosen = Dasselbe wie für alles andere
role-own = Ein anderes Modell auf meinem eigenen Server
role-own-name = Sein Name dort
role-main = Für alles andere
