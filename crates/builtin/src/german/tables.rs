//! German words and frames beside their English. Umlauts are spelt out, `|` stands between spellings of a word, `?` before a
//! word that may be missing, and a capital is a place ([`super::names::place`]). The first row that fits is meant.

/// Rows of `German=English`, one a line: a table of text has no addresses, and packs well.
type Rows = &'static str;

/// Words before a command that mean nothing.
pub const POLITE: &[&str] = &[
    "kannst|koenntest|wuerdest|magst du",
    "koennen|koennten|wuerden sie",
    "ich moechte|will|wuerde",
    "ich moechte|wuerde gern|gerne",
    "hallo|hey|hi|ok|okay|also|danke|nun|jetzt",
    "ich haette gern|gerne",
    "kannst|koenntest|wuerdest du mir|mal",
    "kannst du mir mal",
    "koennen|koennten|wuerden sie mir",
    "guten morgen|tag|abend",
];

/// Words of [`POLITE`] that ask somebody to do something: a question mark behind them is a courtesy.
pub const REQUEST: &str =
    "kannst koenntest wuerdest magst koennen koennten wuerden moechte will wuerde haette";

/// What an English sentence begins with that changes nothing.
pub const READS: &str =
    "Show Search Find What Which When Where Who How Is Are Do Does Help Hello Thank Plan No";

/// Verbs with which a second command begins.
pub const ANEW: &str = "fuege fueg zeig zeige loesche loesch hake hak verschiebe verschieb benenne markiere markier erinnere \
                        erinner setze setz mach mache erstelle entferne suche plane notiere lege schreib schreibe trag trage was";

/// What may stand before a day.
pub const PREPOSITIONS: &str = "fuer bis am an zum ab spaetestens den dem der im vom gegen auf";

/// Whole sentences. English has none of them.
pub const WHOLE: Rows = "\
ja|jawohl|jep|genau|gerne ?gern ?danke=Yes
ja mach ?das=Yes
nein|nee|noe|abbrechen ?danke=No
lass ?es|das ?sein=No
doch nicht=No
vergiss es=No
vielen|danke dank|schoen|sehr=Thank you
danke=Thank you
guten morgen|tag|abend=Hello
hilfe=Help
was kannst du ?alles ?so ?tun|machen ?fuer ?mich=What can you do?
was koennen sie ?alles ?tun|machen=What can you do?
wie geht es dir|ihnen|euch ?heute ?so=How are you?
wie geht's|gehts ?dir|euch ?heute ?so=How are you?
wie funktioniert das|satchel=How does this work?
wer bist du=Who are you?
wie spaet ist es=What time is it?
welcher tag ist heute=What day is it?
?das|es|alles rueckgaengig ?machen=Undo that
mach|mache|machen ?sie das|es|dies ?wieder rueckgaengig=Undo that
mach|mache ?die letzten|letzte V ?aenderungen|schritte rueckgaengig=Undo the last V
nimm das ?wieder zurueck=Undo that
wiederherstellen=Redo
?das|die|den|der F ?aufgabe|todo|to-do ?davon=The F one
die ersten V=The first V
die letzten V=The last V
beide|beides=Both
alle ?davon=All of them
keins|keines|keine ?davon=None of them
was weisst|weist du ?alles ueber mich=What do you remember about me?
was hast du dir ?alles gemerkt=What do you remember about me?
vergiss alles ueber mich=Forget everything about me
";

/// Commands. With `~` only behind a courtesy: "Rechnung schreiben" may be a to-do. "Streichen" is to paint as well: what is to
/// be struck has to be on a list.
pub const FRAMES: Rows = "\
plane|plan|planen ?sie ?mir|uns eine woche in T fuer meine|unsere familie=Plan a week in T for my family
plane|plan|planen ?sie ?mir|uns eine woche in T fuer V=Plan a week in T for V
plane|plan|planen ?sie ?mir|uns eine woche in T=Plan a week in T
plane|plan|planen ?sie ?mir|uns V tage in T=Plan V days in T
plane|plan|erstelle|erstell ?mir|uns eine ?neue reise nach|in|an|ans|zu|zum|zur ?den|die|das T von|vom V bis ?zum V I=Create a trip to T from V to V I
plane|plan|erstelle|erstell ?mir|uns eine ?neue reise nach|in|an|ans|zu|zum|zur ?den|die|das T fuer V=Create a trip to T for V
plane|plan|erstelle|erstell ?mir|uns eine ?neue reise nach|in|an|ans|zu|zum|zur ?den|die|das T=Create a trip to T
welche reisen habe|gibt|haben ich|es|wir=Which trips do I have?
zeig|zeige|zeigen ?sie ?mir|uns ?bitte ?alle ?meine|unsere|die reisen ?an=Show my trips
zeig|zeige|zeigen|oeffne|oeffnen ?sie ?mir|uns ?bitte meine|unsere|die reise ?an=Show my trip
zeig|zeige|zeigen ?sie ?mir|uns ?bitte ?den tag V ?der ?reise ?an=Show day V
was stimmt ?nicht mit|an ?meiner|unserer|der reise nicht=What's wrong with my trip?
was stimmt nicht mit|an ?meiner|unserer|der reise=What's wrong with my trip?
pruefe|pruef|pruefen ?sie ?bitte meine|unsere|die reise=Check my trip
was|wieviel kostet ?mich|uns meine|unsere|die reise ?bisher=How much does my trip cost?
wie viel kostet ?mich|uns meine|unsere|die reise ?bisher=How much does my trip cost?
was waere|ist|passiert wenn wir ?einen|ein tag spaeter fahren|fliegen|reisen|losfahren|abreisen=What if we leave a day later?
was waere|ist|passiert wenn wir V U spaeter fahren|fliegen|reisen|losfahren|abreisen=What if we leave V U later?
verschiebe|verschieb|verschieben ?sie meine|unsere|die reise ?um einen tag=Move the trip by a day
verschiebe|verschieb|verschieben ?sie meine|unsere|die reise um V U=Move the trip by V U
loesche|loesch|loeschen ?sie meine|unsere|die reise=Delete the trip
benenne|benenn meine|unsere|die reise in|zu T um=Rename the trip to T
exportiere|exportier|exportieren ?sie meine|unsere|die reise=Export the trip
suche|such|finde|suchen ?sie ?mir|uns fluege von T nach T am V I=Find flights from T to T on V I
suche|such|finde|suchen ?sie ?mir|uns fluege von T nach T=Find flights from T to T
suche|such|finde|suchen ?sie ?mir|uns ein|eine hotel|unterkunft in T von|vom V bis ?zum V I=Find a hotel in T from V to V I
suche|such|finde|suchen ?sie ?mir|uns ?ein hotel|hotels in T=Find hotels in T
fuege|fueg einen flug von T nach T am V I um V uhr hinzu=Add a flight from T to T on V I at V
fuege|fueg ?das hotel T von|vom V bis ?zum V I hinzu=Add hotel T from V to V I
fuege|fueg T zu|zur meiner|unserer|der reise hinzu=Add T to my trip
unser|unsere|mein budget ist|betraegt|sind V euro=Our budget is V euros
wir haben kein budget=No budget
wir sind vegetarier=We are vegetarians
wir sind zu viert=We are 4
wir sind V personen|leute=We are V people
wir moegen|lieben T=We like T
storniere|stornier|stornieren ?sie X=Cancel X
wie weit ist es von|vom T nach|zum|zur T=How far is it from T to T?
wo liegt T=Where is T?
merk|merke dir dass T=Remember that T
merken sie sich dass T=Remember that T
merk|merke dir : T=Remember: T
vergiss dass T=Forget that T
vergiss nicht dass T=Remember that T
fuege|fueg|fuegen ?sie T nicht hinzu=Don't add T
loesche|loesch|loeschen|entferne|entfern ?sie T nicht=Don't delete T
hake|hak T nicht ab=Don't complete T
T ist|sind ?noch nicht erledigt|fertig=T is not done
stelle|stell X wieder her=Bring X back
erinnere|erinner|erinnern ?sie mich M=Remind me about M
~mich M erinnern=Remind me about M
vergiss nicht M=Remind me about M
fuege|fueg H zu X hinzu=Add H to X
H zu X hinzufuegen=Add H to X
entferne|entfern|loesche|loesch ?den ?tag H von|aus|bei X=Remove H from X
tagge X mit H=Tag X with H
fuege|fueg zu|bei X die|eine notiz T hinzu=Add a note to X: T
fuege|fueg zu|bei X ?die ?eine unteraufgabe|unteraufgaben S hinzu=Add subtasks S to X
fuege|fueg ?die ?eine unteraufgabe|unteraufgaben S zu X hinzu=Add subtasks S to X
fuege|fueg|fuegen ?sie hinzu|ein=Add
fuege|fueg|fuegen ?sie ?noch ?mal N hinzu|dazu|ein ?bitte=Add N
fuege|fueg ?noch hinzu : N=Add N
?noch N hinzufuegen|hinzuzufuegen=Add N
erstelle|erstell|erzeuge|notiere|notier|erfasse ?mir ?dir N=Add N
leg|lege ?mir N an=Add N
trag|trage N ein=Add N
plan|plane N ein=Add N
schreib|schreibe ?dir ?mir N auf=Add N
setz|setze|schreib|schreibe|pack|packe|nimm|tu|tue|stell|stelle ?noch ?mir A=Add A
nimm N auf=Add N
~N erstellen|notieren|aufschreiben|anlegen|eintragen|einplanen|aufnehmen|erfassen=Add N
~A setzen|schreiben|packen|stellen=Add A
neue|neues|neuer aufgabe|aufgaben|todo|to-do|eintrag N=Add N
aufgabe : N=Add N
ich muss|sollte|soll ?unbedingt ?noch Q=Add Q
markiere|markier|setze|setz|kennzeichne X ?wieder als|auf offen|unerledigt=Reopen X
markiere|markier X als nicht erledigt=Reopen X
oeffne X wieder|erneut=Reopen X
X wieder oeffnen=Reopen X
hake|hak|haken ?sie X ab=Complete X
X abhaken=Complete X
markiere|markier|markieren|setze|setz|kennzeichne ?sie X als|auf erledigt|fertig|abgeschlossen|gemacht=Complete X
X als|auf erledigt|fertig|abgeschlossen markieren|setzen|abhaken=Complete X
ist|sind ?schon|bereits alle|alles ?meine ?aufgaben|todos|to-dos ?davon ?schon|bereits erledigt|fertig|abgehakt|geschafft=What's open?
ist|sind ?schon|bereits D ?schon|bereits alle|alles ?aufgaben ?schon|bereits erledigt|fertig|abgehakt|geschafft=What is due D?
habe|hab ich ?schon|bereits alle|alles ?meine ?aufgaben|todos|to-dos ?schon|bereits erledigt|geschafft|gemacht|abgehakt=What's open?
habe|hab ich ?schon|bereits D ?schon|bereits alle|alles ?schon|bereits erledigt|geschafft|gemacht|abgehakt=What is due D?
bin ich ?schon|bereits ?mit ?allem fertig=What's open?
ist ?noch etwas|was|irgendetwas|irgendwas offen|uebrig=What's open?
ist|gibt ?es ?noch etwas|was zu tun|erledigen=What's left?
gibt es ?noch offene|unerledigte ?aufgaben|todos|to-dos=What's open?
sind|habe|hab ?ich ?noch offene|unerledigte ?aufgaben|todos|to-dos ?da|uebrig=What's open?
sind|habe|hab ?ich ?noch aufgaben|todos|to-dos offen|uebrig=What's open?
habe|hab ich X ?schon|bereits erledigt|geschafft|gemacht|abgehakt=Is X done?
ist|sind X ?schon|bereits erledigt|fertig|abgehakt|geschafft=Is X done?
steht|stehen X ?schon|bereits|noch auf ?der|meiner liste=Is X on my list?
hast|habe|hab ich|du X ?schon|bereits hinzugefuegt=Is X on my list?
was hast|habe|hab ich|du ?heute|gerade|zuletzt geloescht=What did you delete?
wann ist|sind X faellig|dran=When is X due?
bin ich ?schon|bereits mit X ?schon|bereits fertig=Is X done?
?ich bin mit X fertig=Complete X
was ist|sind ?alles ?noch ueberfaellig=What's overdue?
was ist ?alles ?noch offen|uebrig=What's open?
was ist ?alles ?schon erledigt|fertig=What's done?
was ist|sind ?alles D ?alles ?noch faellig=What is due D?
was steht ?alles D ?alles ?noch an=What is due D?
was steht ?alles an=What's next?
was liegt ?alles D ?alles ?noch an=What is due D?
was gibt es|gibt's D ?alles ?noch zu tun=What do I have to do D?
muss|soll ich D ?noch etwas|was tun|machen|erledigen=Do I have anything due D?
was steht ?alles ?noch auf|in L=What is on L?
was muss|soll ich D ?alles ?noch tun|machen|erledigen=What do I have to do D?
was muss|soll ich ?alles ?noch tun|machen|erledigen=What's left?
was habe|hab ich D ?alles ?noch vor|zu ?tun|erledigen=What do I have to do D?
was habe|hab ich ?noch zu tun|erledigen=What's left?
was habe|hab ich D ?alles ?schon erledigt|geschafft|gemacht=What have I completed D?
was habe|hab ich ?alles ?schon erledigt|geschafft|gemacht=What have I completed?
was habe|hab ich ?gerade|zuletzt hinzugefuegt=What did I add?
was kommt als naechstes=What's next?
habe|hab ich D ?noch etwas|was|termine|aufgaben vor|zu ?tun=Do I have anything due D?
ist D ?noch etwas|was faellig=Do I have anything due D?
gibt es ?noch ueberfaelliges|ueberfaellige ?aufgaben=What's overdue?
wie viele|wieviele ?meiner ?aufgaben|todos|to-dos sind ?noch ueberfaellig=How many todos are overdue?
wie viele|wieviele ?meiner ?aufgaben|todos|to-dos sind ?noch offen=How many open todos are there?
wie viele|wieviele ?meiner ?aufgaben|todos|to-dos sind ?schon erledigt=How many done todos are there?
wie viele|wieviele ?aufgaben|todos|to-dos sind D faellig=How many todos are due D?
wie viele|wieviele fotos|bilder habe ich=How many photos do I have?
wie viele|wieviele L habe|hab ich ?noch=How many L do I have?
welche aufgaben|todos|to-dos sind D ?noch faellig=What is due D?
welche aufgaben|todos|to-dos sind ?noch offen=What's open?
welche aufgaben|todos|to-dos sind ueberfaellig=What's overdue?
welche aufgaben|todos|to-dos habe ich ?noch=Show my todos
plane|plan ?mir meine|die|diese woche=Plan my week
plane|plan ?mir meinen|den tag=Plan my day
plane|plan ?mir D=Plan D
~?mir meine|die woche planen=Plan my week
~?mir meinen|den tag planen=Plan my day
wie sieht mein tag|heute aus=How does my day look?
wie sieht meine woche aus=How does my week look?
wie sieht D aus=What does D look like?
womit|wo soll|sollte ich anfangen|beginnen=Where should I start?
was kann warten=What can wait?
zeig|zeige|zeigen ?sie ?mir ?alle ?meine ?die fotos|bilder|photos von|aus|vom D=Show my photos from D
zeig|zeige|zeigen ?sie ?mir ?alle ?meine ?die fotos|bilder|photos von|mit|aus T=Show my photos of T
zeig|zeige|zeigen ?sie ?mir ?alle ?meine ?die fotos|bilder|photos=Show my photos
zeig|zeige|zeigen ?sie ?mir ?mal ?bitte L ?an=Show L
liste L auf=Show L
?mir L anzeigen|zeigen=Show L
zeig|zeige|zeigen ?sie ?mir ?mal alles ?an=Show everything
zeig|zeige|zeigen ?sie ?mir ?mal was D ?noch faellig|ansteht|anliegt ?ist=What is due D?
zeig|zeige|zeigen ?sie ?mir ?mal was ueberfaellig ist=What's overdue?
zeig|zeige|zeigen ?sie ?mir ?mal was ?noch offen ist=What's open?
zeig|zeige|zeigen ?sie ?mir ?mal X ?an=Show X
such|suche|suchen ?sie nach T=Search for T
suche|suchen|finde|durchsuche ?sie ?mir T=Search for T
nach T suchen=Search for T
benenne|benenn|benennen ?sie X in|zu|nach Y um=Rename X to Y
X in|zu|nach Y umbenennen=Rename X to Y
aendere|aender ?den titel|namen von X in|zu|auf Y=Rename X to Y
setze|setz|setzen|aendere|aender ?sie ?die prioritaet von|fuer X auf|zu P=Set the priority of X to P
?die prioritaet von|fuer X auf P setzen|aendern=Set the priority of X to P
setze|setz X auf P ?prioritaet=Set the priority of X to P
gib X ?eine P prioritaet=Set the priority of X to P
entferne|entfern|loesche|loesch ?die prioritaet von X=Remove the priority from X
entferne|entfern|loesche|loesch ?die notiz|notizen von|bei X=Remove the note from X
entferne|entfern|loesche|loesch ?die erinnerung von|fuer|bei X=Remove the reminder from X
entferne|entfern|loesche|loesch ?die wiederholung von|bei X=Stop repeating X
markiere|markier|mache|mach|machen ?sie X ?als ?zu P=Set the priority of X to P
X als P markieren=Set the priority of X to P
X ist|sind ?sehr wichtig=Set the priority of X to high
X ist|sind ?sehr dringend|eilig=Set the priority of X to urgent
entferne|entfern|loesche|loesch ?das ?die ?den datum|frist|termin|faelligkeit von X=Remove the date from X
setze|setz|aendere|aender ?das ?die ?den datum|frist|termin|faelligkeit von|fuer X auf D=Move X to D
verschiebe|verschieb|verschieben|verlege|verleg|schiebe|schieb ?sie X um V U=Move X by V U
verschiebe|verschieb|verschieben|verlege|verleg|schiebe|schieb ?sie X von|vom W auf D=Move X to D
verschiebe|verschieb|verschieben|verlege|verleg|schiebe|schieb ?sie X von|vom heute|morgen auf D=Move X to D
verschiebe|verschieb|verschieben|verlege|verleg|schiebe|schieb ?sie X ?auf D=Move X to D
verschiebe|verschieb|verschieben ?sie X in|auf|zu ?die|der|meine liste Z=Move X to my Z list
verschiebe|verschieb|verschieben ?sie X in|auf|zu|zur ?die|der|meine K=Move X to my K list
verschiebe|verschieb|verschieben ?sie X nach Z=Move X to Z
X um V U verschieben|verlegen|schieben=Move X by V U
X auf D verschieben|verlegen|schieben=Move X to D
X ist|sind ?erst D faellig=Move X to D
wiederhole X D=Repeat X D
X D wiederholen=Repeat X D
wiederhole X nicht mehr=Stop repeating X
raeum|raeume|raeumen ?sie ?das ?alle|alles erledigte|erledigten ?aufgaben auf|weg=Clear completed
?alles ?das erledigte|erledigten aufraeumen=Clear completed
loesche|loesch|loeschen|entferne|entfern ?sie X=Delete X
X loeschen=Delete X
~X entfernen=Delete X
streiche|streich X von|aus L=Delete X from L
~X von|aus L streichen=Delete X from L
streiche|streich L=Delete L
X ist|sind|waere ?jetzt ?schon ?bereits erledigt|fertig|abgehakt|gemacht|geschafft|abgeschlossen=Complete X
?ich habe|hab ?heute ?gerade ?schon X erledigt|gemacht|abgehakt|geschafft|abgeschlossen=Complete X
X habe|hab ich ?heute ?gerade ?schon erledigt|gemacht|abgehakt|geschafft=Complete X
X erledigt|abgehakt=Complete X
";

/// What may stand before a new title.
pub const LEADS: &[&str] = &[
    "eine|die|neue aufgabe",
    "eine neue aufgabe",
    "ein|das|neues todo|to-do",
    "ein neues todo|to-do",
    "einen|den neuen eintrag",
    "einen|den|neuen eintrag",
    "folgende|diese|die aufgaben|todos|to-dos",
    "eine|die aufgabe namens",
    "eine neue aufgabe namens",
    "ein todo|to-do namens",
    "ein neues todo|to-do namens",
    "aufgaben",
    "ein todo|to-do mit dem titel",
    "eine aufgabe mit dem titel",
    "eine erinnerung an",
];

/// To-dos that are pointed at.
pub const POINTED: Rows = "\
das|es|sie|ihn|den|die|dies|diese|diesen|dieses=it
alle|alles ?davon=everything
alles|alle ausser X=everything except X
beide|beides=both
?das|die|den|der F ?aufgabe|todo|to-do|eintrag|punkt=the F one
die ersten V ?aufgaben|todos|to-dos=the first V
die letzten V ?aufgaben|todos|to-dos=the last V
?die nummer|nr|nr. ?. V=#V
?aufgabe V und V=V and V
";

/// Groups in words of their own.
pub const GROUPS: Rows = "\
?meine ?die ?der ?den liste Z ?an=my Z list
?meine ?meiner ?die ?der K ?an=my K list
alles ueberfaellige=all overdue todos
alles erledigte=all completed todos
?alle ?meine ?die aufgaben|todos|to-dos ohne datum|termin|frist=todos without a date
alles ohne datum|termin|frist=todos without a date
?alle ?meine ?die aufgaben|todos|to-dos ?sortiert nach prioritaet ?sortiert=todos sorted by priority
?die letzten V aufgaben|todos|to-dos=the last V todos
";

/// The words of a group.
pub const GROUP: Rows = "\
alle|saemtliche=all
meine|meiner|meinen|mein=my
die|der|den|das|noch|aktuellen|von|aus|mit|fuer|was|an=
offene|offenen|unerledigte|unerledigten=open
ueberfaellige|ueberfaelligen|ueberfaelliges=overdue
erledigte|erledigten|erledigtes|fertige|fertigen|abgeschlossene|abgeschlossenen|abgehakte|abgehakten=completed
wichtige|wichtigen|wichtigsten=high priority
dringende|dringenden|dringendsten=urgent
heutige|heutigen=today's
wiederkehrende|wiederkehrenden|regelmaessige|regelmaessigen=repeating
aufgabe|aufgaben|todo|todos|to-do|to-dos|liste|eintraege|termine|sachen=todos
";

/// Days and times. With `~` only behind a word that may stand before a day.
pub const WHEN: Rows = "\
heute=today
heute morgen|frueh|vormittag=this morning
heute nachmittag=this afternoon
heute abend|nacht=tonight
heute mittag=today at noon
morgen=tomorrow
morgen frueh|vormittag=tomorrow morning
morgen mittag=tomorrow at noon
morgen nachmittag=tomorrow afternoon
morgen abend=tomorrow evening
uebermorgen=the day after tomorrow
gestern=yesterday
W=W
W morgen|frueh|vormittag=W morning
W mittag=W at noon
W nachmittag=W afternoon
W abend=W evening
?am naechsten|naechster|naechstem|kommenden|kommender W=next W
naechste|kommende woche ?am W=next W
diesen|dieser W=this W
?in ?der naechste|naechsten|naechster|kommende|kommenden|kommender woche=next week
diese|dieser woche=this week
letzte|letzter|letzten|vergangene woche=last week
naechsten|naechster|naechstem|kommenden monat=next month
diesen|diesem monat=this month
letzten monat=last month
naechstes|naechsten|kommendes jahr=next year
?dieses ?diesem ?am wochenende=this weekend
?am naechstes|naechsten|kommendes|kommenden wochenende=next weekend
ende des|dieses monats=end of month
monatsende=end of month
ende der|dieser woche=end of the week
in V U=in V U
in einer|ner halben stunde=in 30 minutes
in anderthalb|eineinhalb stunden=in 90 minutes
V . I=I V
V . I V=V I V
~O .=on the O
am|bis|zum O=on the O
am|bis|zum|fuer|den G=G
G .=G
um|gegen C=at C
B=at B
mittags=at noon
um mitternacht=at midnight
am morgen|vormittag=in the morning
am nachmittag=in the afternoon
am abend=in the evening
morgens|vormittags=in the morning
nachmittags=in the afternoon
abends=in the evening
";

/// Reminders.
pub const REMINDERS: Rows = "\
mit ?einer erinnerung=with a reminder
mit ?einer erinnerung V U vorher=with a reminder V U before
";

/// Repeats.
pub const OFTEN: Rows = "\
taeglich=every day
jeden tag=every day
jeden morgen|vormittag=every morning
jeden abend=every evening
woechentlich=every week
jede woche=every week
monatlich=every month
jeden monat=every month
jaehrlich=every year
jedes jahr=every year
jeden werktag|wochentag=every weekday
werktags|wochentags=every weekday
jedes wochenende=every weekend
jeden W=every W
jeden W und ?jeden W=every W and W
J=every J
J und J=every J and J
jeden zweiten W=every other W
jeden zweiten tag=every other day
jede zweite woche=every other week
jeden zweiten monat=every other month
alle V U=every V U
?an jeden|jedem F W im|des monat|monats=every F W of the month
am F tag im|des|jedes|jeden monat|monats=on the F day of every month
jeden monat am O ?.=every month on the O
am|jeden O ?. jedes|jeden|im|des monat|monats=every month on the O
";

/// Priorities, as marks.
pub const PRIORITY: Rows = "\
?mit ?einer sehr hoher|hohe|hohen prioritaet=!urgent
?mit ?einer P prioritaet=!P
?mit prioritaet P=!P
?als ?sehr wichtig=!high
?als ?sehr dringend|eilig=!urgent
!hoch|!wichtig=!high
!mittel=!medium
!niedrig=!low
!dringend=!urgent
";

/// Lists.
pub const LISTS: Rows = "\
in|auf|zu|aus|von|fuer|unter ?die ?der ?meine ?meiner ?meinen liste Z=Z
zur liste Z=Z
in|auf|aus|von|zu ?die ?der ?meine ?meiner K=K
zur|vom K=K
";

/// Priorities by German words.
pub const RANKS: Rows = "\
hoch|hohe|hoher|hohen|wichtig=high
mittel|mittlere|mittlerer|mittleren|normal|normale|normaler=medium
niedrig|niedrige|niedriger|niedrigen|gering|unwichtig=low
dringend|hoechste|hoechster|hoechsten|eilig=urgent
";

/// Months; the place is the number.
pub const MONTHS: Rows = "\
januar|jan|jaenner=january
februar|feb=february
maerz=march
april|apr=april
mai=may
juni|jun=june
juli|jul=july
august|aug=august
september|sept|sep=september
oktober|okt=october
november|nov=november
dezember|dez=december
";

/// Places in a list.
pub const ORDINALS: Rows = "\
erste|ersten|erster|erstes=first
zweite|zweiten|zweiter|zweites=second
dritte|dritten|dritter|drittes=third
vierte|vierten|vierter|viertes=fourth
fuenfte|fuenften|fuenfter|fuenftes=fifth
letzte|letzten|letzter|letztes=last
vorletzte|vorletzten|vorletztes=second to last
";

/// What may follow a weekday in one word.
pub const WEEKDAYS: Rows = "\
=
abend= evening
morgen= morning
vormittag= morning
nachmittag= afternoon
mittag= at noon
";

/// Stretches of time.
pub const UNITS: Rows = "\
minute|minuten|min=minutes
stunde|stunden|std=hours
tag|tage|tagen=days
woche|wochen=weeks
monat|monate|monaten=months
jahr|jahre|jahren=years
";

/// Numbers by words.
pub const NUMBERS: Rows = "\
ein|eins|eine|einen|einer|einem=1
zwei|zwo|beiden=2
drei=3
vier=4
fuenf=5
sechs=6
sieben=7
acht=8
neun=9
zehn=10
elf=11
zwoelf=12
fuenfzehn=15
zwanzig=20
dreissig=30
fuenfundvierzig=45
";

/// Days of the week.
pub const DAYS: Rows = "\
montag=monday
dienstag=tuesday
mittwoch=wednesday
donnerstag=thursday
freitag=friday
samstag=saturday
sonnabend=saturday
sonntag=sunday
";
