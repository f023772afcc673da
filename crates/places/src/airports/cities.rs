//! Codes of cities: what tickets say for all airports of a city. Written by hand: IATA's own list is not free. Only cities whose code
//! means something else than the airport of that code.

use crate::fold::fold;

/// A city with a code of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CityCode {
    /// Three capital letters of IATA: `LON`. It may be an airport's too (`SHA`).
    pub code: &'static str,
    /// The name in English.
    pub name: &'static str,
    /// Two capital letters of ISO 3166-1.
    pub country_code: &'static str,
    /// The codes of the airports that one flies to for this city, the one that most do first.
    pub airports: &'static [&'static str],
}

/// A row of the table.
const fn row(
    code: &'static str,
    name: &'static str,
    country_code: &'static str,
    airports: &'static [&'static str],
) -> CityCode {
    CityCode { code, name, country_code, airports }
}

/// The codes, in alphabetical order.
pub const CITY_CODES: &[CityCode] = &[
    row("ANK", "Ankara", "TR", &["ESB"]),
    row("BFS", "Belfast", "GB", &["BFS", "BHD"]),
    row("BHZ", "Belo Horizonte", "BR", &["CNF", "PLU"]),
    row("BJS", "Beijing", "CN", &["PEK", "PKX"]),
    row("BKK", "Bangkok", "TH", &["BKK", "DMK"]),
    row("BOM", "Mumbai", "IN", &["BOM", "NMI"]),
    row("BRU", "Brussels", "BE", &["BRU", "CRL"]),
    row("BUE", "Buenos Aires", "AR", &["EZE", "AEP"]),
    row("BUH", "Bucharest", "RO", &["OTP", "BBU"]),
    row("CHI", "Chicago", "US", &["ORD", "MDW"]),
    row("DFW", "Dallas", "US", &["DFW", "DAL"]),
    row("DKR", "Dakar", "SN", &["DSS", "DKR"]),
    row("DTT", "Detroit", "US", &["DTW"]),
    row("DXB", "Dubai", "AE", &["DXB", "DWC"]),
    row("EAP", "Basel", "FR", &["BSL"]),
    row("GLA", "Glasgow", "GB", &["GLA", "PIK"]),
    row("HOU", "Houston", "US", &["IAH", "HOU"]),
    row("IEV", "Kyiv", "UA", &["KBP", "IEV"]),
    row("IST", "Istanbul", "TR", &["IST", "SAW"]),
    row("JKT", "Jakarta", "ID", &["CGK", "HLP"]),
    row("JNB", "Johannesburg", "ZA", &["JNB", "HLA"]),
    row("JOG", "Yogyakarta", "ID", &["YIA", "JOG"]),
    row("KUL", "Kuala Lumpur", "MY", &["KUL", "SZB"]),
    row("LON", "London", "GB", &["LHR", "LGW", "STN", "LTN", "LCY", "SEN"]),
    row("MEL", "Melbourne", "AU", &["MEL", "AVV"]),
    row("MEX", "Mexico City", "MX", &["MEX", "NLU"]),
    row("MIL", "Milan", "IT", &["MXP", "LIN", "BGY"]),
    row("MOW", "Moscow", "RU", &["SVO", "DME", "VKO", "ZIA"]),
    row("NBO", "Nairobi", "KE", &["NBO", "WIL"]),
    row("NGO", "Nagoya", "JP", &["NGO", "NKM"]),
    row("NYC", "New York", "US", &["JFK", "EWR", "LGA"]),
    row("OSA", "Osaka", "JP", &["KIX", "ITM", "UKB"]),
    row("OSL", "Oslo", "NO", &["OSL", "TRF"]),
    row("PAR", "Paris", "FR", &["CDG", "ORY", "BVA"]),
    row("REK", "Reykjavik", "IS", &["KEF", "RKV"]),
    row("RIO", "Rio de Janeiro", "BR", &["GIG", "SDU"]),
    row("ROM", "Rome", "IT", &["FCO", "CIA"]),
    row("SAO", "Sao Paulo", "BR", &["GRU", "CGH", "VCP"]),
    row("SEL", "Seoul", "KR", &["ICN", "GMP"]),
    row("SHA", "Shanghai", "CN", &["PVG", "SHA"]),
    row("SLU", "St Lucia", "LC", &["UVF", "SLU"]),
    row("SPK", "Sapporo", "JP", &["CTS", "OKD"]),
    row("STO", "Stockholm", "SE", &["ARN", "BMA", "NYO", "VST"]),
    row("TCI", "Tenerife", "ES", &["TFS", "TFN"]),
    row("THR", "Tehran", "IR", &["IKA", "THR"]),
    row("TPE", "Taipei", "TW", &["TPE", "TSA"]),
    row("TYO", "Tokyo", "JP", &["HND", "NRT"]),
    row("WAS", "Washington", "US", &["IAD", "DCA", "BWI"]),
    row("WAW", "Warsaw", "PL", &["WAW", "WMI"]),
    row("YEA", "Edmonton", "CA", &["YEG"]),
    row("YMQ", "Montreal", "CA", &["YUL", "YHU"]),
    row("YTO", "Toronto", "CA", &["YYZ", "YTZ"]),
];

/// The city of a code, in capital or small letters.
#[must_use]
pub fn city_code(code: &str) -> Option<&'static CityCode> {
    CITY_CODES.iter().find(|city| city.code.eq_ignore_ascii_case(code))
}

/// The city of a name that is folded.
pub(super) fn city_named(folded: &str) -> Option<&'static CityCode> {
    CITY_CODES.iter().find(|city| fold(city.name) == folded)
}
