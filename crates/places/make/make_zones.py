#!/usr/bin/env python3
"""Make ../data/zones.bin and ../tests/zones.txt from the PyPI package tzdata 2026.6 (the IANA database 2026f, public domain).

  pip download --no-deps tzdata==2026.6
  python make_zones.py tzdata-2026.6-py2.py3-none-any.whl          # a sample of fixtures
  python make_zones.py tzdata-2026.6-py2.py3-none-any.whl --all    # every change of every zone: for once, by hand; 15 MB

Only the standard library is used (brotli, if it is there, for a figure). The package is checked by its sha256; two runs write the
same bytes. What is kept of a zone: its name, its rule for the far future (the POSIX footer of its file, RFC 8536 §3.3), and the
changes since 2000 that the rule does not say. Zones of which these are alike share them. Left out: what was before 2000,
abbreviations, whether an offset is called summer time, and "Factory", which is no zone.

The format is described in ../src/zone/table.rs, which reads it. The fixtures are what Python's own zoneinfo says of the same files.
"""
import bisect, datetime, hashlib, io, pathlib, random, re, struct, sys, zipfile
from zoneinfo import ZoneInfo

SHA256 = "0a10eec6e13ef16b627fabed9a5f2ba61a62b1c67f327305f4e7e412a70b4aec"
BASE = 946_684_800  # 2000-01-01T00:00Z
END = 4_102_444_800  # 2100-01-01T00:00Z: until then the rule is held to the file
HERE = pathlib.Path(__file__).resolve().parent
EPOCH = datetime.datetime(1970, 1, 1)


def tzif(data):
    """The changes (moment, offset from then on) and the footer of a file of version 2 and later."""
    def header(at):
        return struct.unpack(">6I", data[at + 20:at + 44])
    isut, isstd, leaps, times, types, chars = header(0)
    at = 44 + times * 5 + types * 6 + chars + leaps * 8 + isstd + isut
    isut, isstd, leaps, times, types, chars = header(at)
    at += 44
    moments = struct.unpack(f">{times}q", data[at:at + 8 * times])
    kinds = data[at + 8 * times:at + 9 * times]
    at += 9 * times
    offsets = [struct.unpack(">iBB", data[at + 6 * i:at + 6 * i + 6])[0] for i in range(types)]
    at += 6 * types + chars + leaps * 12 + isstd + isut
    return [(m, offsets[k]) for m, k in zip(moments, kinds)], offsets[0], data[at:].strip(b"\n").decode()


def seconds(text):
    sign = -1 if text.startswith("-") else 1
    parts = [int(p) for p in text.lstrip("+-").split(":")] + [0, 0]
    return sign * (parts[0] * 3600 + parts[1] * 60 + parts[2])


def rule(footer):
    """(standard, summer, begin, end): offsets in seconds east, and days (month, week, weekday, seconds of the local clock)."""
    name, number = r"(?:<[^>]+>|[A-Za-z]+)", r"([+-]?\d+(?::\d+)*)"
    m = re.fullmatch(rf"{name}{number}(?:{name}{number}?,(\S+),(\S+))?", footer)
    if not m: sys.exit(f"no rule that this script knows: {footer}")
    standard = -seconds(m[1])
    if not m[3]: return (standard, standard, (1, 1, 0, 0), (1, 1, 0, 0))
    days = []
    for day in (m[3], m[4]):
        d = re.fullmatch(r"M(\d+)\.(\d)\.(\d)(?:/(\S+))?", day)
        if not d: sys.exit(f"no day that this script knows: {footer}")
        days.append((int(d[1]), int(d[2]), int(d[3]), seconds(d[4]) if d[4] else 7200))
    return (standard, -seconds(m[2]) if m[2] else standard + 3600, *days)


def day_of(year, month, week, weekday):
    """Days since 1970 of the nth (5: last) weekday (0: Sunday) of a month."""
    first = datetime.date(year, month, 1)
    day = 1 + (weekday - first.isoweekday()) % 7 + 7 * (week - 1)
    length = ((first + datetime.timedelta(days=31)).replace(day=1) - first).days
    return (first - EPOCH.date()).days + (day if day <= length else day - 7) - 1


def changes_of_rule(standard, summer, begin, end):
    """The changes that the rule says from 1999 to 2101."""
    if standard == summer: return []
    out = []
    for year in range(1999, 2102):
        out.append((day_of(year, *begin[:3]) * 86400 + begin[3] - standard, summer))
        out.append((day_of(year, *end[:3]) * 86400 + end[3] - summer, standard))
    return sorted(out)


class Steps:
    """An offset as a function of the moment."""

    def __init__(self, first, changes):
        self.first, self.changes = first, changes
        self.moments = [m for m, _ in changes]

    def at(self, moment):
        i = bisect.bisect_right(self.moments, moment)
        return self.changes[i - 1][1] if i else self.first


def history(data):
    """The changes that are packed, as (until, offset before), and the rule."""
    changes, first, footer = tzif(data)
    its_rule = rule(footer)
    says = Steps(its_rule[0], changes_of_rule(*its_rule))
    last = changes[-1][0] if changes else -(1 << 60)
    is_so = Steps(first, changes + [c for c in says.changes if c[0] > last and says.changes])
    edges = sorted({BASE} | {m for m in is_so.moments + says.moments if BASE < m < END})
    # The rule holds from the end of the last stretch of time in which it says something else.
    wrong = [i for i, m in enumerate(edges) if is_so.at(m) != says.at(m)]
    if not wrong: return (), its_rule
    assert wrong[-1] + 1 < len(edges), footer
    holds = edges[wrong[-1] + 1]
    untils = [m for m in is_so.moments if BASE < m < holds] + [holds]
    kept = [(m, is_so.at(m - 1)) for m in untils]
    # A change of the abbreviation alone is none.
    return tuple(c for i, c in enumerate(kept) if i + 1 == len(kept) or c[1] != kept[i + 1][1]), its_rule


def minutes(n):
    assert n % 60 == 0, n
    return n // 60


def pack(version, histories, names):
    """The bytes, and how many of each part."""
    offsets = sorted({o for changes, _ in histories for _, o in changes})
    rules = sorted({r for _, r in histories})
    assert len(offsets) <= 64 and len(rules) <= 256
    flat, where = [], {}
    # The long ones first: a shorter one is often a part of one that is there.
    for h in sorted(histories, key=lambda h: (-len(h[0]), h)):
        words = [minutes(m - BASE) << 6 | offsets.index(o) for m, o in h[0]]
        assert all(0 <= w < 1 << 32 for w in words) and len(words) < 256 and words == sorted(words)
        at = next((i for i in range(len(flat)) if flat[i:i + len(words)] == words), None)
        if at is None:
            over = max(n for n in range(len(words) + 1) if flat[len(flat) - n:] == words[:n])
            at = len(flat) - over
            flat += words[over:]
        where[h] = (at, len(words), rules.index(h[1]))
    order = sorted(where.values())
    order = sorted(set(order))
    assert len(order) <= 256
    out = bytearray(b"ZONES1\n")
    out += struct.pack("<5H", len(offsets), len(rules), len(flat), len(order), len(names))
    out += b"".join(struct.pack("<h", minutes(o)) for o in offsets)
    for standard, summer, begin, end in rules:
        out += struct.pack("<hh", minutes(standard), minutes(summer))
        for month, week, weekday, at in (begin, end):
            out += struct.pack("<BBBh", month, week, weekday, minutes(at))
    # All first bytes, then all second ones: like stands beside like, which is 2.4 kB of brotli.
    out += b"".join(bytes(w >> shift & 255 for w in flat) for shift in (0, 8, 16, 24))
    out += b"".join(struct.pack("<HBB", *w) for w in order)
    out += bytes(order.index(where[names[n]]) for n in sorted(names))
    out += "".join(n + "\n" for n in [version, *sorted(names)]).encode()
    print(f"{len(names)} zones, {len(order)} histories, {len(rules)} rules, {len(flat)} changes, {len(offsets)} offsets")
    return bytes(out)


def fixtures(files, histories, everything):
    """Lines of what zoneinfo says. `o zone utc offset utc offset …`, and `c zone civil first second …`: the moments of a civil time by
    the offset before and after the change that is at hand (PEP 495: fold 0 and 1), the same twice where there is none."""
    dice = random.Random(2026)
    zones = {n: ZoneInfo.from_file(io.BytesIO(data), key=n) for n, data in files.items()}
    offset = lambda zone, utc: int((EPOCH + datetime.timedelta(seconds=utc)).replace(tzinfo=datetime.timezone.utc)
                                   .astimezone(zone).utcoffset().total_seconds())
    lines, seen = [], set()
    for name in sorted(zones):
        zone, h = zones[name], histories[name]
        says = Steps(h[1][0], changes_of_rule(*h[1]))
        moments = [dice.randrange(BASE, 2_145_916_800) for _ in range(3)]  # until 2038
        edges = [m for m, _ in h[0]] + [m for m in says.moments if m > (h[0][-1][0] if h[0] else BASE) and m < END]
        if not everything:
            # The last change of the table and the first of the rule, and some of the others; links only have their moments.
            some = ([] if h in seen else edges[max(0, len(h[0]) - 1):len(h[0]) + 2] + dice.sample(edges, min(4, len(edges))))
            edges = sorted(set(some))
        seen.add(h)
        moments += [m + d for m in edges for d in (-1, 0)]
        civils = set()
        for m in edges:
            before, after = offset(zone, m - 1), offset(zone, m)
            low, high = m + min(before, after), m + max(before, after)
            civils |= {low - 1, low, (low + high) // 2, high - 1, high}
        lines.append(" ".join([f"o {name}"] + [f"{m} {offset(zone, m)}" for m in sorted(moments)]))
        if civils:
            cells = []
            for local in sorted(civils):
                civil = (EPOCH + datetime.timedelta(seconds=local)).replace(tzinfo=zone)
                both = [local - int(civil.replace(fold=f).utcoffset().total_seconds()) for f in (0, 1)]
                cells.append(f"{civil:%Y-%m-%dT%H:%M:%S} {both[0]} {both[1]}")
            lines.append(" ".join([f"c {name}"] + cells))
    return "\n".join(["# What Python's zoneinfo says of the same files: make/make_zones.py has the columns.", *lines]) + "\n"


def main():
    raw = pathlib.Path(sys.argv[1]).read_bytes()
    if hashlib.sha256(raw).hexdigest() != SHA256: sys.exit("this is not the package that the table is made of")
    package = zipfile.ZipFile(sys.argv[1])
    names = [n for n in package.read("tzdata/zones").decode().split() if n != "Factory"]
    version = package.read("tzdata/zoneinfo/tzdata.zi").decode().splitlines()[0].removeprefix("# version ")
    files = {n: package.read(f"tzdata/zoneinfo/{n}") for n in names}
    histories = {n: history(data) for n, data in files.items()}
    for h in set(histories.values()):
        # A civil time is looked up among the changes of one day around it: no two may be so near. Where the rule holds from is no
        # change by itself: Chișinău changed an hour before its rule in 2021.
        says = Steps(h[1][0], changes_of_rule(*h[1]))
        real = [m for m, o in h[0] if m != h[0][-1][0] or says.at(m) != o]
        real += [m for m in says.moments if h[0] and m > h[0][-1][0]][:1]
        assert all(b - a > 3 * 86400 for a, b in zip(real, real[1:])), h
    table = pack(version, set(histories.values()), histories)
    (HERE.parent / "data" / "zones.bin").write_bytes(table)
    text = fixtures(files, histories, "--all" in sys.argv)
    (HERE.parent / "tests" / "zones.txt").write_text(text, encoding="utf-8")
    print(f"{len(table)} bytes, sha256 {hashlib.sha256(table).hexdigest()}")
    print(f"fixtures: {text.count(chr(10)) - 1} lines, {len(text)} bytes")
    try:
        import brotli
        print(f"{len(brotli.compress(table, quality=11, lgwin=24))} bytes in brotli")
    except ImportError:
        pass


main()
