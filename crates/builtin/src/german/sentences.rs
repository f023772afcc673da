//! What the model says, in English and in German: rows of `English=German`, one a line, a table for each kind of text.
//!
//! `{t}` is a word of somebody's, `{m}` a sentence of a tool's that [`TOOLS`] has, `{*}` what a tool repeats in it, `{n}` a
//! number, another letter in braces what the table of that letter says ([`table`]). The first row that fits is taken; of several
//! places of a kind the first one in the German is the first one in the English. German words are those of the page
//! (`crates/*/locales/de`).

use super::clauses::{
    CHANGES, COUNTED, DAYS, FOR_DAYS, LENGTHS, MONTHS, NTH_DAYS, ON_DAYS, ORDINALS, PIECES, RULES, SELECTED,
    STATES, VALUES, WANTED, WEEKDAYS, WHEN, WISHES,
};

/// Rows of `English=German`, one a line: a table of text has no addresses, and packs well.
pub type Rows = &'static str;

/// The table of a kind.
pub fn table(kind: u8) -> Rows {
    match kind {
        b'S' => SENTENCES,
        b'm' => TOOLS,
        b'I' => " · {i}{I}= · {i}{I}\n \u{2014} {x}= \u{2014} {x}\n=",
        b'i' => PIECES,
        b'x' => "{Z}={Z}\n{Z}; {x}={Z}; {x}",
        b'Z' => CHANGES,
        b'D' => DAYS,
        b'd' => ON_DAYS,
        b'h' => "today=heute\ntomorrow=morgen\nyesterday=gestern",
        b'k' => "{n}:{n}={n}:{n}",
        b'w' => WEEKDAYS,
        b'M' => MONTHS,
        b'r' => RULES,
        b'g' => "{U}={U}\n{U}, {g}={U}, {g}",
        b'U' => NTH_DAYS,
        b'o' => ORDINALS,
        b'b' => "when it is due=wenn es fällig ist\n{u} before={u} vorher\n{d}={d}",
        b'u' => LENGTHS,
        b'c' => COUNTED,
        b'a' => {
            "open=offene\ndone=erledigte\noverdue=überfällige\nrepeating=wiederkehrende\nimportant=wichtige\nurgent=dringende\n{a} {a}={a} {a}"
        }
        b'A' => "{A} {A}={A} {A}\n{a}={a}n",
        b'B' => "{B} {B}={B} {B}\n{a}={a}s",
        b'q' => SELECTED,
        b'p' => FOR_DAYS,
        b'P' => WHEN,
        b'L' => "high=hoher\nmedium=mittlerer\nlow=niedriger",
        b'H' => "high=hohe\nmedium=mittlere\nlow=niedrige",
        b'z' => STATES,
        b'v' => VALUES,
        b'T' => "\\#{t}=\\#{t}\n\\#{t} {T}=\\#{t} {T}\n\\#{t}, {T}=\\#{t}, {T}",
        b'l' => {
            "\u{201c}{t}\u{201d}=„{t}“\n\u{201c}{t}\u{201d}, {l}=„{t}“, {l}\n\u{201c}{t}\u{201d} and {l}=„{t}“ und {l}"
        }
        b'O' => WISHES,
        b'W' => "these {n}=diese {n}\none of these=eins davon\n{n} to-dos={n} To-dos\n{l}={l}",
        b'J' => ", {j},=, {j},\n=",
        b'j' => "{e}={e}\n{e}, {j}={e}, {j}",
        b'e' => WANTED,
        b'K' => "1 to-do is=1 To-do ist\n{n} to-dos are={n} To-dos sind",
        b'V' => "is=ist\nare=sind",
        b'C' => "1 to-do=1 To-do\n{n} to-dos={n} To-dos",
        b'F' => {
            "added=hinzugefügt\ncompleted=erledigt\nreopened=wieder geöffnet\nchanged=geändert\ndeleted=gelöscht\ndone=gemacht"
        }
        b'N' => "I found no to-do that matches {l}=Ich habe kein To-do gefunden, das zu {l} passt",
        b'X' => {
            "\u{201c}{t}\u{201d} ({z}, due {d})=„{t}“ ({z}, fällig {d})\n\u{201c}{t}\u{201d} ({z})=„{t}“ ({z})\n{X}, {X}={X}, {X}"
        }
        b'y' => "to-dos=To-dos\nphotos=Fotos\n{y} and {y}={y} und {y}",
        b's' => "todos=To-dos\nphotos=Fotos",
        b'Y' => "to-do=To-do\nphoto=Foto\n{Y} or {Y}={Y} oder {Y}",
        b'E' => "both=beide\nall {n}=alle {n}",
        b'Q' => ", “show me photos with faces”=, „zeig meine Fotos“\n=",
        b'R' => "{n}-{n}-{n}={n}-{n}-{n}",
        b'G' => "1 photo=1 Foto\n{n} photos={n} Fotos",
        _ => "",
    }
}

/// Whole sentences, and lines of lists.
const SENTENCES: Rows = "\
- [ ] **{t}**{I}=- [ ] **{t}**{I}
- [x] **{t}**{I}=- [x] **{t}**{I}
{n}. ☐ **{t}**{I}={n}. ☐ **{t}**{I}
{n}. ☑ **{t}**{I}={n}. ☑ **{t}**{I}
- **{t}**{I}=- **{t}**{I}
{n}. **{t}**: {G}={n}. **{t}**: {G}
Added:=Hinzugefügt:
Added {C}:={C} hinzugefügt:
Its subtask:=Die Unteraufgabe:
Its subtasks:=Die Unteraufgaben:
Added to “{t}”:=Zu „{t}“ hinzugefügt:
Copied, so there is one more now:=Kopiert, es gibt jetzt eins mehr:
Changed:=Geändert:
Nothing had to change:=Es war nichts zu ändern:
Done:=Erledigt:
Open again:=Wieder offen:
Done already:=Schon erledigt:
Open already:=Schon offen:
It repeats, so next comes:=Es wiederholt sich, als Nächstes kommt:
Deleted:=Gelöscht:
Deleted {C}:={C} gelöscht:
Say “undo” to bring it back.=Mit „rückgängig“ kommt es zurück.
Say “undo” to bring them back.=Mit „rückgängig“ kommen sie zurück.
Undone:=Rückgängig gemacht:
Done again:=Wiederhergestellt:
There is nothing to undo.=Es gibt nichts rückgängig zu machen.
There is nothing to redo.=Es gibt nichts wiederherzustellen.
I can undo, but I have no way to redo. Say what you want once more.=Ich kann etwas rückgängig machen, aber nicht wiederherstellen. Sag noch einmal, was du möchtest.
Tell me how many changes to take back, for example “undo the last 3”; I can do 20 at once.=Sag mir, wie viele Änderungen ich rückgängig machen soll, etwa „mach die letzten 3 Schritte rückgängig“; auf einmal gehen 20.
This conversation has made only one change, so {n} would take back what was done before it too. Shall I undo {E}? (yes or no)=In dieser Unterhaltung gab es nur eine Änderung; {n} wären auch frühere. Soll ich sie trotzdem rückgängig machen? (ja oder nein)
This conversation has made only {n} changes, so {n} would take back what was done before it too. Shall I undo {E}? (yes or no)=In dieser Unterhaltung gab es nur {n} Änderungen; {n} wären auch frühere. Soll ich sie trotzdem rückgängig machen? (ja oder nein)
No change of this conversation stands, so {n} would take back what was done before it too. Shall I undo {E}? (yes or no)=Von dieser Unterhaltung ist keine Änderung übrig; {n} wären frühere. Soll ich sie trotzdem rückgängig machen? (ja oder nein)
That was changed again since, so I cannot take it back alone. “undo” takes back the last change:=Das wurde seither noch einmal geändert, deshalb kann ich es nicht allein rückgängig machen. „Rückgängig“ nimmt die letzte Änderung zurück:
I found no change that did that among the last {n}. Nothing was undone.=Unter den letzten {n} Änderungen war keine solche. Ich habe nichts rückgängig gemacht.
I found no change that did that with “{t}” among the last {n}. Nothing was undone.=Unter den letzten {n} Änderungen war keine solche an „{t}“. Ich habe nichts rückgängig gemacht.
I have not done that in this conversation. “undo” takes back the last change.=Das habe ich in dieser Unterhaltung nicht gemacht. „Rückgängig“ nimmt die letzte Änderung zurück.
I have not done that with “{t}” in this conversation. “undo” takes back the last change.=Das habe ich mit „{t}“ in dieser Unterhaltung nicht gemacht. „Rückgängig“ nimmt die letzte Änderung zurück.
That was not the last change. I can take back the last {n} together. Shall I? (yes or no)=Das war nicht die letzte Änderung. Ich kann die letzten {n} zusammen rückgängig machen. Soll ich? (ja oder nein)
That is done already. Shall I undo that? (yes or no)=Das ist schon geschehen. Soll ich es rückgängig machen? (ja oder nein)
That is done already. Shall I undo the last {n} changes? (yes or no)=Das ist schon geschehen. Soll ich die letzten {n} Änderungen rückgängig machen? (ja oder nein)
Something else was changed meanwhile, so I took nothing back. The history shows every change.=Inzwischen wurde etwas anderes geändert, deshalb habe ich nichts rückgängig gemacht. Im Verlauf steht jede Änderung.
Nothing has been changed yet.=Es wurde noch nichts geändert.
These are the last changes, newest first:=Das sind die letzten Änderungen, die neueste zuerst:
I cannot look into the history here.=In den Verlauf kann ich hier nicht sehen.
All right, I did nothing.=In Ordnung, ich habe nichts gemacht.
As you decided, I left that alone: nothing was changed.=Wie du entschieden hast, habe ich das gelassen: Es wurde nichts geändert.
That did not work: no reason was given.=Das hat nicht geklappt, ein Grund ist nicht bekannt.
That did not work: {m}.=Das hat nicht geklappt: {m}.
That did not work: the {Y} is not there any more. Say “show my {s}” to see what is.=Das hat nicht geklappt: Es ist nicht mehr da. Sag „zeig meine {s}“, um zu sehen, was da ist.
The tool's answer is not one I can read, so I cannot say what it did. Ask me to show your {y}.=Die Antwort des Werkzeugs kann ich nicht lesen, deshalb weiß ich nicht, was geschehen ist. Lass dir deine {y} zeigen.
I have no tools here, so I can neither see nor change your {y}.=Ich habe hier keine Werkzeuge, deshalb kann ich deine {y} weder sehen noch ändern.
I cannot do that here: the tool it takes ({t}) is not on offer.=Das kann ich hier nicht: Das Werkzeug dafür ({t}) steht nicht bereit.
That is more than I do at a time.=Das ist mehr, als ich auf einmal mache.
You're welcome.=Gern geschehen.
Hello! Tell me what to add, or ask “what's due today?”. “help” shows what I understand.=Hallo! Sag mir, was ich hinzufügen soll, oder frag „Was ist heute fällig?“. „Hilfe“ zeigt, was ich verstehe.
I have no open question. Tell me what to do, for example “add buy milk” or “show my {s}”.=Es ist keine Frage offen. Sag mir, was ich tun soll, etwa „füge Milch kaufen hinzu“ oder „zeig meine {s}“.
I'm the built-in model: I can only keep {y} by plain commands, such as “add buy milk tomorrow”, “show overdue” or “complete the first one”{Q}. Say “help” for more, or choose another model in settings for anything else.=Ich bin das eingebaute Modell und verstehe nur einfache Befehle, etwa „füge morgen Milch kaufen hinzu“, „was ist überfällig?“ oder „hake das erste ab“{Q}. Sag „Hilfe“ für mehr, oder wähle für alles andere in den Einstellungen ein anderes Modell.
I'm the built-in model: no network, no account. I keep your {y} by plain English commands:=Ich bin das eingebaute Modell: ohne Netz, ohne Konto. Ich verstehe einfache Befehle über deine {y}:
- **Add**: “add buy milk tomorrow at 5pm #home !high”, “add milk, eggs and bread to my groceries list”, “remind me to water the plants every tuesday”=- **Hinzufügen**: „füge morgen um 17 Uhr Milch kaufen hinzu“, „setze Milch, Eier und Brot auf die Einkaufsliste“, „erinnere mich am Freitag an den Zahnarzt“
- **Show**: “what's due today?”, “show overdue”, “list #home”, “show done”, “how many are open?”=- **Zeigen**: „was ist heute fällig?“, „was ist überfällig?“, „zeig Aufgaben mit #haushalt“, „zeig die erledigten Aufgaben“, „wie viele Aufgaben habe ich?“
- **Complete**: “complete buy milk”, “mark it as done”, “the second one is done”, “reopen it”=- **Erledigen**: „hake Milch kaufen ab“, „das zweite ist erledigt“, „markiere Milch kaufen als offen“
- **Change**: “move it to friday”, “rename milk to oat milk”, “make it urgent”, “tag it with home”, “remove the date”=- **Ändern**: „verschiebe das auf Freitag“, „benenne Milch in Hafermilch um“, „mach das dringend“, „tagge Milch mit #haushalt“, „entferne das Datum von Milch“
- **Delete**: “delete the last one”, “clear completed” (the app asks you first)=- **Löschen**: „lösche das letzte“, „räume erledigte Aufgaben auf“ (die App fragt dich vorher)
- **Ask**: “did I finish the report?”, “when is the rent due?”, “what's next?”, “what did I change?”, “what was the first thing I asked you to add?”=- **Fragen**: „ist Milch kaufen erledigt?“, „wann ist die Miete fällig?“, „was kommt als Nächstes?“, „was habe ich gestern geschafft?“
- **Set right**: “no, the other one”, “I meant friday”, “also butter”=- **Antworten**: „ja“, „nein“, „das zweite“, „das letzte“
- **Parts**: “add essay with subtasks outline and draft”, “split the essay into research and writing”, “copy it”=- **Unteraufgaben**: „füge Umzug planen mit den Unteraufgaben Kartons kaufen und Helfer fragen hinzu“
- **Plan**: “plan my week”, “what should I do first?”, “what can wait?”=- **Planen**: „plane meine Woche“, „womit soll ich anfangen?“, „was kann warten?“
- **Photos**: “show me photos with faces”, “which ones are the best quality?”, “group my photos by event”, “photos from Paris last summer”, “find duplicates”, “group them by person”, “put them into an album called Best”, “export them as a zip”=- **Fotos**: „zeig meine Fotos“, „zeig meine Fotos von Anna“, „wie viele Fotos habe ich?“; alles andere auf Englisch, etwa “find duplicates”
- **Remember**: “remember that I'm vegetarian”, “what do you remember about me?”, “forget that I'm vegetarian”=- **Merken**: „merk dir, dass ich Vegetarier bin“, „was weißt du über mich?“, „vergiss, dass ich Vegetarier bin“
- **Undo**: “undo”, “undo the last 3”, “bring the milk back”, “redo”=- **Rückgängig**: „rückgängig“, „mach die letzten 3 Schritte rückgängig“, „stelle Milch wieder her“, „wiederherstellen“
You can say several things at once: “complete the report, delete the milk and show me what's left”.=Du kannst mehreres auf einmal sagen: „hake den Bericht ab und lösche Milch kaufen“.
Your {y} stay on this device, and so does what you say to me: the built-in model sends nothing. Another model, if you choose one in settings, is sent the conversation.=Deine {y} bleiben auf diesem Gerät, und auch, was du mir sagst: Das eingebaute Modell sendet nichts. Einem anderen Modell, falls du in den Einstellungen eins wählst, wird die Unterhaltung gesendet.
I'm this app's built-in model: rules for plain English, without the internet and without an account. Say “help” for what I understand.=Ich bin das eingebaute Modell dieser App: Regeln für einfache Sätze, ohne Internet und ohne Konto. Sag „Hilfe“, um zu sehen, was ich verstehe.
Say “undo” to take back the last change, or “undo the last 3”. Deleted {y} come back by it too.=Sag „rückgängig“ für die letzte Änderung, oder „mach die letzten 3 Schritte rückgängig“. Auch gelöschte {y} kommen so zurück.
It is {w}, {n} {M} {n}, {k}.=Es ist {w}, der {n}. {M} {n}, {k} Uhr.
I was not told what time it is.=Mir wurde nicht gesagt, wie spät es ist.
I was not told what day it is, so I cannot work with “today” or “friday”. Give the date as 2026-11-30.=Mir wurde nicht gesagt, welcher Tag heute ist, deshalb kann ich mit „heute“ oder „Freitag“ nichts anfangen. Sag das Datum so: 30.11.2026.
Remembering over conversations is switched off here, so I kept nothing and know nothing about you. Your {y} are as they were.=Das Merken über Unterhaltungen hinweg ist hier ausgeschaltet, deshalb habe ich nichts behalten und weiß nichts über dich. Deine {y} sind, wie sie waren.
Remember what? Say it in one sentence, such as “remember that I'm vegetarian”.=Was soll ich mir merken? Sag es in einem Satz, etwa „merk dir, dass ich Vegetarier bin“.
I remember that already: “{t}”.=Das habe ich mir schon gemerkt: „{t}“.
I'll remember “{t}” in every conversation. Say “undo” to take it back, or “what do you remember?” to see all.=Ich merke mir „{t}“ für jede Unterhaltung. Sag „rückgängig“, um es zurückzunehmen, oder „was weißt du über mich?“, um alles zu sehen.
Nothing yet. Say “remember that …”, and I keep it over all conversations.=Noch nichts. Sag „merk dir, dass …“, und ich behalte es über alle Unterhaltungen hinweg.
You asked me to remember:=Das soll ich mir merken:
I remember nothing like “{t}”, so I forgot nothing.=Ich habe mir nichts wie „{t}“ gemerkt, deshalb habe ich nichts vergessen.
That fits several, so I forgot none. Say the whole sentence of the one you mean:=Das passt auf mehreres, deshalb habe ich nichts vergessen. Sag den ganzen Satz, den du meinst:
There was nothing to forget.=Es gab nichts zu vergessen.
Forgotten: “{t}”. Say “undo” to bring it back.=Vergessen: „{t}“. Mit „rückgängig“ kommt es zurück.
Forgotten, all {n}: {l}. Say “undo” to bring them back.=Alle {n} vergessen: {l}. Mit „rückgängig“ kommen sie zurück.
You have no open to-dos. Nothing is left to do.=Du hast keine offenen To-dos. Es ist alles erledigt.
You have no to-dos yet. Say “add …” to make one.=Du hast noch keine To-dos. Sag „füge … hinzu“, um eins anzulegen.
You have {c}.=Du hast {c}.
You have {c}:=Du hast {c}:
You have {c}, 1 of them a subtask:=Du hast {c}, davon 1 Unteraufgabe:
You have {c}, {n} of them subtasks:=Du hast {c}, davon {n} Unteraufgaben:
You have {c}, 1 of them a subtask.=Du hast {c}, davon 1 Unteraufgabe.
You have {c}, {n} of them subtasks.=Du hast {c}, davon {n} Unteraufgaben.
In their order this one comes first:=Der Reihe nach kommt dieses zuerst:
In their order this one comes last:=Der Reihe nach kommt dieses zuletzt:
This one comes first:=Dieses kommt zuerst:
None of them has a date. This one comes first:=Keins davon hat ein Datum. Dieses kommt zuerst:
None of them has a priority. This one comes first:=Keins davon hat eine Priorität. Dieses kommt zuerst:
Of your {c} this is due next:={c}, und dieses ist als Nächstes fällig:
Of your {c} this is the most important:={c}, und dieses ist das wichtigste:
Of your {c} this is the newest:={c}, und dieses ist das neueste:
Of your {c} this is the oldest:={c}, und dieses ist das älteste:
Here are {n}:=Hier sind {n}:
Here they are:=Hier sind sie:
Here it is:=Hier ist es:
On your list that is:=In deiner Liste ist das:
I did not look at {n} more.=Weitere {n} habe ich nicht angesehen.
I looked at {n} of {C}.=Angesehen habe ich {n} von {C}.
Notes: {t}=Notizen: {t}
Notes of “{t}”: {t}=Notizen von „{t}“: {t}
You completed {c}.=Du hast {c} erledigt.
You completed {c}:=Du hast {c} erledigt:
Nothing is done yet.=Es ist noch nichts erledigt.
I cannot tell by day here: I was not told how far you are from UTC. These are done, the latest first:=Nach Tagen kann ich das hier nicht sagen: Mir fehlt deine Zeitzone. Das ist erledigt, das Neueste zuerst:
There are no completed to-dos to clear.=Es gibt keine erledigten To-dos zum Aufräumen.
I changed nothing: say “clear completed” to delete what is done, or “delete all todos” to delete everything.=Ich habe nichts geändert: Sag „räume erledigte Aufgaben auf“, um Erledigtes zu löschen, oder „lösche alle Aufgaben“, um alles zu löschen.
No to-do fits that, so I changed nothing.=Dazu passt kein To-do, deshalb habe ich nichts geändert.
No to-do fits that, so I added nothing.=Dazu passt kein To-do, deshalb habe ich nichts hinzugefügt.
No to-do fits that, so I copied nothing.=Dazu passt kein To-do, deshalb habe ich nichts kopiert.
{N}, so I changed nothing.={N}, deshalb habe ich nichts geändert.
{N}.={N}.
No, {N}.=Nein. {N}.
These are open:=Diese sind offen:
There are no open to-dos.=Es gibt keine offenen To-dos.
There are no open to-dos, so there is nothing I could mean.=Es gibt keine offenen To-dos, also nichts, was gemeint sein könnte.
The nearest is:=Am nächsten kommt:
The nearest are:=Am nächsten kommen:
I did not look at {n} more; its whole title finds it among those too.=Weitere {n} habe ich nicht angesehen; mit dem ganzen Titel finde ich es auch dort.
… and {n} more; say more of the title.=… und {n} weitere; sag mehr vom Titel.
… and {n} more.=… und {n} weitere.
Which one do you mean?=Welches meinst du?
Which ones do you mean?=Welche meinst du?
That fits more than one. Which one do you mean?=Das passt auf mehrere. Welches meinst du?
I have not added anything in this conversation.=Ich habe in dieser Unterhaltung nichts hinzugefügt.
I have not shown you a list yet.=Ich habe dir noch keine Liste gezeigt.
The last list has only 1 to-do.=In der letzten Liste steht nur 1 To-do.
The last list has only {n} to-dos.=In der letzten Liste stehen nur {n} To-dos.
Several have that title.=Mehrere haben diesen Titel.
That one has another title by now. Do you mean it?=Das heißt inzwischen anders. Meinst du es?
Those have other titles by now.=Die heißen inzwischen anders.
“{t}” is deleted already.=„{t}“ ist schon gelöscht.
There are {n} such to-dos, more than I handle at once. Narrow it down, by a list, a tag or a date.=Davon gibt es {n} To-dos, mehr, als ich auf einmal bearbeite. Grenze es ein: mit einer Liste, einem Schlagwort oder einem Datum.
No to-do has “{t}” in it. Which of these do you mean?=In keinem To-do steht „{t}“. Welches davon meinst du?
I did nothing: I found no to-do that matches “{t}”, the one to leave alone.=Ich habe nichts gemacht: Ich habe kein To-do gefunden, das zu „{t}“ passt und ausgenommen sein soll.
“{t}” can be one to-do or several.=„{t}“ kann ein To-do sein oder mehrere.
No to-do says that of “{t}”. Is one of these done?=Kein To-do sagt das von „{t}“. Ist eins davon erledigt?
Do you mean this one?=Meinst du dieses?
There is no “{t}”. Do you mean this one?=„{t}“ gibt es nicht. Meinst du dieses?
{C} match “{t}”.={C} passen zu „{t}“.
{C} match “{t}”:={C} passen zu „{t}“:
Yes, {C} match “{t}”:=Ja, {C} passen zu „{t}“:
I found no to-do that is done by that for “{t}”, so I changed nothing.=Ich habe kein To-do gefunden, das damit für „{t}“ erledigt ist, deshalb habe ich nichts geändert.
A to-do is open or done here, and nothing between. Say “complete …” when it is done, or “delete …” if it is not needed any more. I changed nothing.=Ein To-do ist hier offen oder erledigt, dazwischen gibt es nichts. Sag „… ist erledigt“, wenn es fertig ist, oder „lösche …“, wenn du es nicht mehr brauchst. Ich habe nichts geändert.
Shall I {O}? (yes or no)=Soll ich {O}? (ja oder nein)
Shall I {O}? Say which one.=Soll ich {O}? Sag, welches.
Shall I add “{t}”{J} as a to-do? (yes or no)=Soll ich „{t}“{J} als To-do hinzufügen? (ja oder nein)
Shall I add {l} as to-dos? (yes or no)=Soll ich {l} als To-dos hinzufügen? (ja oder nein)
Shall I add “{t}”? (yes or no)=Soll ich „{t}“ hinzufügen? (ja oder nein)
Shall I add “{t}” anew? (yes or no)=Soll ich „{t}“ neu hinzufügen? (ja oder nein)
Shall I add these as {n} to-dos? (yes or no)=Soll ich das als {n} To-dos hinzufügen? (ja oder nein)
- “{t}”=- „{t}“
“{t}” is there already.=„{t}“ gibt es schon.
I cannot do that myself; I only keep to-dos.=Das kann ich nicht selbst tun; ich verwalte nur To-dos.
It is on your list:=Es steht in deiner Liste:
What should the to-do say?=Wie soll das To-do heißen?
A list is there as soon as a to-do is in it. What is the first one for “{t}”?=Eine Liste gibt es, sobald ein To-do darin ist. Was kommt als Erstes in „{t}“?
I kept “{t}” as its note.=Ich habe „{t}“ als Notiz behalten.
How often does it repeat? Say “every week”, for example.=Wie oft wiederholt es sich? Sag zum Beispiel „jede Woche“.
Which day do you mean?=Welchen Tag meinst du?
{n}. {n} {M} {n}={n}. {n}. {M} {n}
To when?=Auf wann?
The rest I left alone, as you said.=Den Rest habe ich gelassen, wie du gesagt hast.
I can rename one at a time.=Ich kann nur eins auf einmal umbenennen.
What should it be called instead?=Wie soll es stattdessen heißen?
Of what?=Wovon?
There is nothing to take off:=Da gibt es nichts zu entfernen:
There is nothing to take off {l}.=Bei {l} gibt es nichts zu entfernen.
Subtasks belong to one to-do.=Unteraufgaben gehören zu einem To-do.
Which parts shall it have? Name one, or several with commas.=Welche Unteraufgaben soll es haben? Nenne eine, oder mehrere mit Kommas.
I will remind you: {d}. If this page is not open then, you see it when you open it.=Ich erinnere dich {d}, und wenn diese Seite dann nicht offen ist, siehst du es beim nächsten Öffnen.
That time is over, so I remind you at once.=Diese Zeit ist vorbei, deshalb erinnere ich dich sofort.
“{t}” has no date yet, so I cannot tell when that is. Say when it is due, and I can remind you before.=„{t}“ hat noch kein Datum, deshalb weiß ich nicht, wann das ist. Sag, wann es fällig ist, dann kann ich dich vorher erinnern.
That was completed {d}:=Das hast du {d} erledigt:
That is due {d}:=Das ist {d} fällig:
It has no date:=Es hat kein Datum:
It has no date of its own; it is a part of “{t}”, due {d}:=Es hat kein eigenes Datum; es ist ein Teil von „{t}“, fällig {d}:
Yes, that is there:=Ja, das gibt es:
Yes, and it is done:=Ja, und es ist erledigt:
That is done. I was not told how far you are from UTC, so I cannot say on which day:=Das ist erledigt. An welchem Tag, kann ich nicht sagen, weil mir deine Zeitzone fehlt:
That is still open:=Das ist noch offen:
Yes, that is done:=Ja, das ist erledigt:
No, that is still open:=Nein, das ist noch offen:
Yes, that is open:=Ja, das ist offen:
No, that is done:=Nein, das ist erledigt:
That is done already:=Das ist schon erledigt:
It repeats {r}:=Es wiederholt sich {r}:
It does not repeat:=Es wiederholt sich nicht:
This is what I have about that:=Das habe ich dazu:
This is what I have that may be meant:=Das könnte gemeint sein:
These can be meant:=Diese können gemeint sein:
I only know your to-dos, and that I did not find in them. These come first there:=Ich kenne nur deine To-dos, und darin habe ich das nicht gefunden. Dort kommt zuerst:
Say “help” for what I understand.=Sag „Hilfe“, um zu sehen, was ich verstehe.
I did not understand “{t}”.=„{t}“ habe ich nicht verstanden.
I found no to-do that “{t}” is about.=Ich habe kein To-do gefunden, um das es bei „{t}“ geht.
After your answer I go on with {l}.=Nach deiner Antwort mache ich weiter mit {l}.
I stopped there and did not go on with {l}.=Dort habe ich aufgehört, ohne {l}.
Next is what is due {d}:=Als Nächstes ist {d} fällig:
Nothing is due {P}.=Es ist {P} nichts fällig.
Overdue before that:=Vorher überfällig:
Overdue besides:=Außerdem überfällig:
Marked as important: {X}.=Als wichtig markiert: {X}.
You have no open to-dos, so there is nothing to plan.=Du hast keine offenen To-dos, also gibt es nichts zu planen.
Nothing is due {P}, and nothing is overdue.=Es ist {P} nichts fällig, und nichts ist überfällig.
Nothing new is due {P}, but {K} overdue:=Neu ist {P} nichts fällig, aber {K} überfällig:
{K} due {P}:={K} {P} fällig:
{K} due {P}, and {n} {V} overdue:={K} {P} fällig, und {n} {V} überfällig:
1 to-do can wait.=1 To-do kann warten.
{n} to-dos can wait.={n} To-dos können warten.
This is how I would go about it {P}: what is overdue first, then by date. I changed nothing.=So würde ich {P} vorgehen: zuerst Überfälliges, dann nach Datum. Ich habe nichts geändert.
This is how I would go about it {P}: what is overdue first, then by date, then what has no date, by priority. I changed nothing.=So würde ich {P} vorgehen: zuerst Überfälliges, dann nach Datum, dann, was kein Datum hat, nach Priorität. Ich habe nichts geändert.
I would begin with this one, as it is overdue:=Ich würde mit diesem anfangen, denn es ist überfällig:
I would begin with this one, as it is due today:=Ich würde mit diesem anfangen, denn es ist heute fällig:
I would begin with this one, as it is due next:=Ich würde mit diesem anfangen, denn es ist als Nächstes fällig:
I would begin with this one, as it matters most and nothing has a date:=Ich würde mit diesem anfangen, denn es ist am wichtigsten, und nichts hat ein Datum:
I would begin with this one, as nothing is more pressing:=Ich würde mit diesem anfangen, denn nichts ist dringender:
I would take them in this order: what is overdue, then by date, then by priority. I changed nothing.=Ich würde in dieser Reihenfolge vorgehen: Überfälliges, dann nach Datum, dann nach Priorität. Ich habe nichts geändert.
Nothing: all that is open is due by {D}, overdue or important.=Nichts: Alles Offene ist bis {D} fällig, überfällig oder wichtig.
These can wait: they are not due by {D}, and none is marked as important.=Diese können warten: Sie sind nicht bis {D} fällig, und keins ist als wichtig markiert.
I have not {F} anything in this conversation. Say “show my todos” to see what is there.=Ich habe in dieser Unterhaltung nichts {F}. Sag „zeig meine To-dos“, um zu sehen, was da ist.
In this conversation I {F}:=In dieser Unterhaltung habe ich {F}:
In this conversation I {F} {C}:=In dieser Unterhaltung habe ich {C} {F}:
What I {F} in this conversation is deleted since: {l}.=Was ich in dieser Unterhaltung {F} habe, ist inzwischen gelöscht: {l}.
Deleted since: {l}.=Inzwischen gelöscht: {l}.
There are no photos yet. Open **Photos** beside the chat and choose files or a folder, or drop them there: they are looked at on this device and never leave it.=Es gibt noch keine Fotos. Öffne **Fotos** neben dem Chat und wähle Dateien oder einen Ordner, oder zieh sie dorthin: Sie werden auf diesem Gerät angesehen und verlassen es nie.
{m} {m}.={m} {m}.
{m}.={m}.
{m}={m}
";

/// Sentences that tools say.
const TOOLS: Rows = "\
There is nothing to undo=Es gibt nichts rückgängig zu machen
There is nothing to redo=Es gibt nichts wiederherzustellen
Undone: Forgot “{*}”.=Rückgängig gemacht: „{*}“ ist wieder gemerkt.
Undone: Remembered “{*}”.=Rückgängig gemacht: „{*}“ ist nicht mehr gemerkt.
Undone: Forgot {n} memories.=Rückgängig gemacht: {n} Sätze sind wieder gemerkt.
Redone: Forgot “{*}”.=Wiederhergestellt: „{*}“ ist vergessen.
Redone: Forgot {n} memories.=Wiederhergestellt: {n} Sätze sind vergessen.
Redone: Remembered “{*}”.=Wiederhergestellt: „{*}“ ist gemerkt.
No photo fits.=Dazu passt kein Foto.
1 photo fits.=1 Foto passt dazu.
{n} photos fit.={n} Fotos passen dazu.
{G}.={G}.
{G}, taken on {R}.={G}, aufgenommen am {R}.
{G}, taken from {R} to {R}.={G}, aufgenommen von {R} bis {R}.
1 photo was not looked at yet.=1 Foto ist noch nicht angesehen.
{n} photos were not looked at yet.={n} Fotos sind noch nicht angesehen.
1 photo was not looked at for people yet.=1 Foto ist noch nicht auf Personen angesehen.
{n} photos were not looked at for people yet.={n} Fotos sind noch nicht auf Personen angesehen.
Its file is not on this device.=Die Datei ist nicht auf diesem Gerät.
Their files are not on this device.=Die Dateien sind nicht auf diesem Gerät.
The file of 1 is not on this device.=Die Datei von 1 Foto ist nicht auf diesem Gerät.
The files of {n} are not on this device.=Die Dateien von {n} Fotos sind nicht auf diesem Gerät.
People are not recognised: that is turned on by hand in Photos → People=Personen werden nicht erkannt: Das schaltest du unter Fotos → Personen ein
There are no photos yet: the person brings them in by the Photos panel. Until then there are no other tools for photos.=Es gibt noch keine Fotos: Du holst sie unter Fotos herein. Bis dahin gibt es für Fotos keine anderen Werkzeuge.
The bin is empty.=Der Papierkorb ist leer.
";
