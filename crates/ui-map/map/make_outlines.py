#!/usr/bin/env python3
"""Make outlines.json from the npm package world-atlas 2.0.2 (Natural Earth 4.1, 1:110m, public domain).

  npm pack world-atlas@2.0.2
  python make_outlines.py world-atlas-2.0.2.tgz

Only the standard library is used. The package is checked by its sha256; two runs write the same bytes.

The package has TopoJSON: arcs between nodes, and shapes made of them. Here they are lines of numbers, as `../src/spots.rs` reads
them: longitude and latitude of the first point, then the steps to each next one, all in hundredths of a degree (1.1 km at most; at
1:110m the outlines are off by more).

  land     rings, of islands and of the seas in them: filled by whether they are crossed an odd number of times. The package has them on
           a globe: what crosses the 180th meridian is cut there, and what is around the pole is closed along the map's edge
  borders  what two countries have in common; coasts are not in it
"""
import hashlib, json, pathlib, sys, tarfile

SHA256 = "032e7765f2ce00edaeafec23ff22bc3b77e42987c257da944cc585b452c05b97"
SCALE = 100
HERE = pathlib.Path(__file__).resolve().parent


def main(package):
    if hashlib.sha256(pathlib.Path(package).read_bytes()).hexdigest() != SHA256:
        sys.exit(f"{package} is another package than the one that this was written for")
    with tarfile.open(package) as tar:
        world = json.load(tar.extractfile("package/countries-110m.json"))
    arcs = points_of(world)
    land = [flat for polygon in polygons(world["objects"]["land"]) for part in polygon for flat in cut(ring(arcs, part))]
    used = {}
    for country in world["objects"]["countries"]["geometries"]:
        for polygon in polygons(country):
            for part in polygon:
                for arc in part:
                    # The other way round an arc is its complement.
                    used.setdefault(arc if arc >= 0 else ~arc, set()).add(id(country))
    borders = [arcs[arc] for arc in sorted(used) if len(used[arc]) > 1]
    lines = {"land": [packed(line) for line in land], "borders": [packed(line) for line in borders]}
    text = json.dumps({name: [line for line in all if len(line) > 2] for name, all in lines.items()}, separators=(",", ":"))
    (HERE / "outlines.json").write_text(text + "\n")
    print(f"{len(land)} rings, {len(borders)} borders, {len(text) // 1000} kB")


def points_of(world):
    """The arcs in hundredths of a degree: in the package they are steps on a grid."""
    (dx, dy), (x0, y0) = world["transform"]["scale"], world["transform"]["translate"]
    arcs = []
    for steps in world["arcs"]:
        x = y = 0
        line = []
        for step in steps:
            x, y = x + step[0], y + step[1]
            line.append((round((x * dx + x0) * SCALE), round((y * dy + y0) * SCALE)))
        arcs.append(line)
    return arcs


def polygons(shape):
    """The polygons of a shape, each its rings, each the numbers of its arcs."""
    if shape["type"] == "GeometryCollection":
        return [polygon for part in shape["geometries"] for polygon in polygons(part)]
    return [shape["arcs"]] if shape["type"] == "Polygon" else shape["arcs"]


def ring(arcs, numbers):
    """Arcs end to end; each begins where the one before ends."""
    line = []
    for number in numbers:
        arc = arcs[number] if number >= 0 else arcs[~number][::-1]
        line += arc[1:] if line else arc
    return line


def cut(line):
    """A ring of the globe as rings of a map from 180 degrees west to 180 east."""
    half, whole = 180 * SCALE, 360 * SCALE
    turns, unwound = 0, []
    for x, y in line:
        if unwound:
            step = x + turns - unwound[-1][0]
            turns -= whole * round(step / whole)
        unwound.append((x + turns, y))
    if unwound[-1][0] != unwound[0][0]:
        # Around the pole: once from edge to edge, then along the south.
        begin = min(range(len(line) - 1), key=lambda at: line[at][0])
        around = line[begin:-1] + line[:begin]
        if around[1][0] > around[-1][0]:
            around = [around[0]] + around[:0:-1]
        (x, y), (last, south) = around[0], around[-1]
        edge = y + (south - y) * (x + half) // max(1, (x + half) + (half - last))
        return [[(-half, edge), *around, (half, edge), (half, -90 * SCALE), (-half, -90 * SCALE), (-half, edge)]]
    rings = []
    for shift in (-whole, 0, whole):
        moved = [(x + shift, y) for x, y in unwound]
        west = clipped(moved, lambda x: x >= -half, -half)
        both = clipped(west, lambda x: x <= half, half)
        if len(both) > 3:
            rings.append(both)
    return rings


def clipped(line, is_in, edge):
    """The part of a ring on one side of a meridian."""
    out = []
    for (x0, y0), (x1, y1) in zip(line, line[1:]):
        if is_in(x0):
            out.append((x0, y0))
        if is_in(x0) != is_in(x1):
            out.append((edge, y0 + round((y1 - y0) * (edge - x0) / (x1 - x0))))
    return out + out[:1]


def packed(line):
    """The first point, and the steps from there; none where rounding leaves nothing of it."""
    out, before = [], None
    for point in line:
        if before is None:
            out += point
        elif point != before:
            out += (point[0] - before[0], point[1] - before[1])
        before = point
    return out


if __name__ == "__main__":
    main(*sys.argv[1:])
