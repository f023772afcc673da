#!/usr/bin/env python3
"""Make outlines.json from the npm package world-atlas 2.0.2 (Natural Earth 4.1, 1:110m, public domain).

  npm pack world-atlas@2.0.2
  python make_outlines.py world-atlas-2.0.2.tgz

Only the standard library is used. The package is checked by its sha256; two runs write the same bytes.

The package has TopoJSON: arcs between nodes, and shapes made of them. Here they are lines of numbers, as `../src/outlines.rs` reads
them: longitude and latitude of the first point, then the steps to each next one, all in hundredths of a degree (1.1 km at most; at
1:110m the outlines are off by more).

  land     rings, of islands and of the seas in them: filled by whether they are crossed an odd number of times
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
    land = [ring(arcs, part) for polygon in polygons(world["objects"]["land"]) for part in polygon]
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
