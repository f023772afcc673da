//! The words in which people say how many they are and what it may cost, in English, German, French, Spanish, Italian and Dutch as far as
//! they are common. All in small letters, with spaces between them.

/// What a number before it counts that is no people.
pub(super) const UNITS: &str = "day days night nights week weeks month months hour hours minute minutes am pm star stars k km usd eur gbp tag \
     tage tagen nacht nächte nächten woche wochen monat monate stunde stunden uhr sterne jour jours nuit nuits semaine semaines mois heure \
     heures día días dia dias noche noches semana semanas mes meses hora horas giorno giorni notte notti settimana settimane mese mesi dag \
     dagen nachten weken maand maanden %";

/// The same of ages, which a person says one after the other.
pub(super) const YEARS: &str = "year years yr yrs yo jahr jahre jahren jährig jährige jähriger jähriges ans année années año años anno anni jaar \
     jaren";

/// What ages come behind.
pub(super) const AGES: &str = "age ages aged alter âge âgés âgées edad età leeftijd";

/// Money.
pub(super) const CURRENCIES: &str =
    "$ € £ ¥ dollar dollars euro euros pound pounds yen usd eur gbp chf franken francs dólares libras";

/// What a time of the day comes behind.
pub(super) const CLOCK: &str = "at um gegen";

/// One person each.
pub(super) const PEOPLE: &str = "wife husband spouse partner girlfriend boyfriend fiancé fiancée mother father mum mom dad son daughter sister \
     brother friend grandmother grandfather grandma grandpa aunt uncle cousin colleague child kid baby toddler infant teenager boy girl adult \
     frau mann ehefrau ehemann partnerin freundin freund mutter vater mama papa sohn tochter schwester bruder oma opa tante onkel kind kollege \
     kollegin femme mari mère père fils fille sœur frère ami amie enfant bébé esposa esposo marido mujer novia novio madre padre hijo hija \
     hermana hermano amigo amiga niño niña moglie figlio figlia sorella fratello amico amica bambino vrouw vriend vriendin moeder vader zoon \
     dochter zus broer";

/// Two each.
pub(super) const PAIRS: &str =
    "parents grandparents twins eltern großeltern zwillinge padres abuelos genitori nonni ouders grootouders";

/// Several of a kind.
pub(super) const GROUPS: &str = "adults children kids babies infants toddlers teenagers teens boys girls friends sons daughters sisters brothers \
     cousins colleagues couples erwachsene erwachsenen kinder kindern babys freunde freunden freundinnen söhne söhnen töchter töchtern brüder \
     schwestern kollegen adultes enfants bébés amis amies fils filles adultos niños hijos hijas amigos amigas adulti bambini figli amici \
     volwassenen kinderen vrienden zonen dochters";

/// Those of [`GROUPS`] and [`PEOPLE`] among whom whoever speaks likely is.
pub(super) const ADULTS: &str = "adults adult erwachsene erwachsenen adultes adultos adulti volwassenen";

/// All of them.
pub(super) const TOTALS: &str = "people person persons travellers travelers pax guests us leute person personen reisende uns personne personnes \
     nous voyageurs persona personas nosotros nosotras viajeros persone viaggiatori noi mensen reizigers ons";

/// Whoever speaks.
pub(super) const SPEAKER: &str = "i me myself ich mich mir moi je yo io ik mij";

/// What is theirs.
pub(super) const MINE: &str = "my our mein meine meiner meinem meinen unser unsere unseren unserem mon ma mes notre nos mi mis nuestro nuestra \
     nuestros mio mia nostro nostra mijn onze i'm i'd i'll";

/// By oneself.
pub(super) const SOLO: &str = "solo alone allein alleine seul seule alleen";

/// What stands before one who goes alone.
pub(super) const ONLY: &str =
    "just only nur bloß lediglich seulement juste solo sólo solamente soltanto alleen";

/// What takes back what comes behind it.
pub(super) const NEGATIONS: &str = "not never nicht nie kein keine pas no non niet";

/// What joins people, or ages.
pub(super) const JOINS: &str = "and und et y e en plus , & + with mit avec con met";

/// What is from one number to another, or is one of two.
pub(super) const RANGES: &str = "to until till through bis au al à a tot fino - – — . or oder ou o of";

/// What may stand between a number and what it is a number of.
pub(super) const BETWEEN: &str = "- – — . of de del der des di von the le la";

/// What a number of people comes behind.
pub(super) const LEADS: &str = "of are be we're we’re it's it’s there's just only sind zu sein nur für for sommes à pour somos para siamo in zijn \
     met voor per we us wir nous with mit";

/// What may stand between these and the number.
pub(super) const ARTICLES: &str = "a an the ein eine einer einem une un una all alle";

/// Marks, which are no words.
pub(super) const MARKS: &str = ". , ; : ! ? ( ) - – — & + \" “ ” „ «  » …";

/// What a number of people does not reach over.
pub(super) const ENDS: &str = ". , ; : ! ? ( ) … and und et y e en for für pour para per voor with mit avec con met in to nach from von at on";

/// Words that tell which language it is.
pub(super) const FUNCTION: &str = "the an for with and not too very please we us our from in on to are is am of this that all about under over \
     less more than around max budget family trip travel cheap expensive want would like going und für mit nicht zu sehr bitte wir uns sind ist \
     der die das ein eine ungefähr etwa unter über weniger als höchstens familie reise billig teuer günstig et pour avec pas trop très nous \
     sommes le la les des une environ moins plus famille voyage cher para con muy por favor somos los las una unos menos más familia viaje \
     caro barato per non troppo molto siamo il gli di circa meno famiglia viaggio economico voor met niet te erg wij zijn het een ongeveer \
     minder reis goedkoop duur";

/// Months in other languages than English, where they are other words.
pub(super) const MONTHS: &str = "januar februar märz mai juni juli oktober dezember janvier février mars avril juin juillet août septembre octobre \
     novembre décembre enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre gennaio febbraio aprile maggio \
     giugno luglio settembre ottobre dicembre januari februari maart mei augustus";

/// What makes a number of thousands none.
pub(super) const VAGUE: &str = "few several some couple half halb paar einige mehrere quelques plusieurs algunos varios unos qualche enkele";
