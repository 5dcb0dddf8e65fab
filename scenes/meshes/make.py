"""Writes the meshes beside this file: Wavefront OBJ, metres, front up (+y); a head of hair, and a rope. Needs only Python."""

from math import acos, atan2, cos, dist, exp, pi, radians, sin, tan
from pathlib import Path
from struct import pack

HERE = Path(__file__).parent


def rings(first, last):
    """Points (ring, share of the turn) and near-equilateral triangles between two rings; ring r has 6 r points."""
    points, start = [], {}
    for r in range(first, last + 1):
        start[r] = len(points)
        points += [(r, i / (6 * r)) for i in range(6 * r)]
    triangles = []
    for r in range(first + 1, last + 1):
        out = lambda i: start[r] + i % (6 * r)
        inn = lambda i: start[r - 1] + i % (6 * (r - 1))
        for sector in range(6):
            for i in range(r):
                o, n = sector * r + i, sector * (r - 1) + i
                triangles.append((inn(n), out(o), out(o + 1)))
                if i + 1 < r:
                    triangles.append((inn(n), out(o + 1), inn(n + 1)))
    return points, triangles


def poncho(name, half=0.72, neck=0.1, first=5, last=36):
    """A square sheet on its corner, with a round hole for the head; `half` is its half side, `neck` the hole's radius."""
    points, triangles = rings(first, last)
    vertices = []
    for r, share in points:
        c, s = cos(2 * pi * share), sin(2 * pi * share)
        # Superellipse, from a circle at the neck to a rounded square at the hem; its corners point along x and z.
        t = (r - first) / (last - first)
        p = 2 + 6 * t * t
        u, v = (c + s) * 0.5**0.5, (c - s) * 0.5**0.5
        length = (abs(u) ** p + abs(v) ** p) ** (-1 / p)
        radius = neck + (half - neck) * t
        vertices.append((radius * length * c, -radius * length * s))
    reach = max(max(abs(x), abs(z)) for x, z in vertices)
    with open(HERE / name, "w") as file:
        file.write("# A poncho: a square with a hole, written by make.py\n")
        for x, z in vertices:
            file.write(f"v {x:.5f} 0 {z:.5f}\n")
        for x, z in vertices:
            file.write(f"vt {0.5 + 0.5 * x / reach:.4f} {0.5 - 0.5 * z / reach:.4f}\n")
        for a, b, c in triangles:
            file.write("f " + " ".join(f"{i + 1}/{i + 1}" for i in (a, b, c)) + "\n")
    print(name, len(vertices), "vertices", len(triangles), "triangles")


def ball(parts):
    """A unit sphere: an icosahedron, each face cut into parts x parts."""
    g = (1 + 5**0.5) / 2
    corners = [(-1, g, 0), (1, g, 0), (-1, -g, 0), (1, -g, 0), (0, -1, g), (0, 1, g)]
    corners += [(0, -1, -g), (0, 1, -g), (g, 0, -1), (g, 0, 1), (-g, 0, -1), (-g, 0, 1)]
    faces = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2), (10, 7, 6)]
    faces += [(7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10)]
    faces += [(8, 6, 7), (9, 8, 1)]
    points, place, triangles = [], {}, []

    def point(weights):
        x = [sum(w * corners[i][axis] for i, w in weights) for axis in range(3)]
        length = sum(c * c for c in x) ** 0.5
        x = tuple(c / length for c in x)
        key = tuple(round(c, 6) + 0.0 for c in x)
        if key not in place:
            place[key] = len(points)
            points.append(x)
        return place[key]

    for a, b, c in faces:
        at = lambda i, j: point(((a, parts - i - j), (b, i), (c, j)))
        for i in range(parts):
            for j in range(parts - i):
                triangles.append((at(i, j), at(i + 1, j), at(i, j + 1)))
                if i + j + 1 < parts:
                    triangles.append((at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)))
    return points, triangles


def write(name, what, vertices, triangles):
    with open(HERE / name, "w") as file:
        file.write(f"# {what}, written by make.py\n")
        for x, y, z in vertices:
            file.write(f"v {x:.5f} {y:.5f} {z:.5f}\n")
        for face in triangles:
            file.write("f " + " ".join(str(i + 1) for i in face) + "\n")
    print(name, len(vertices), "vertices", len(triangles), "triangles")


def round_ball(name, radius=0.25, parts=8):
    """A ball of near-equal triangles, closed, its front outside."""
    points, triangles = ball(parts)
    vertices = [tuple(radius * c for c in x) for x in points]
    write(name, f"A ball of radius {radius} m", vertices, triangles)


def gourd(name, parts=16):
    """A ribbed gourd that stands on y = 0, with grooves between its ribs and a bowl in its top."""
    points, triangles = ball(parts)
    vertices = []
    for x, y, z in points:
        down = acos(max(-1.0, min(1.0, y)))
        around = atan2(z, x)
        ribs = 1 - 0.16 * (1 - abs(cos(3.5 * around))) * sin(down) ** 2
        bowl = 1 - 0.62 * exp(-((down / 0.42) ** 2))
        r = 0.46 * ribs * bowl
        vertices.append((r * x, max(0.8 * r * y, -0.3) + 0.3, r * z))
    write(name, "A gourd with ribs and a bowl in its top", vertices, triangles)


def bob(name, count=220, points=24, radius=10.5, step=1.25):
    """Wavy hair on a ball, in centimetres, z up, in the format of Cem Yuksel's hair models; roots on the upper part of the ball."""
    strands = []
    for i in range(count):
        # A spiral of equal areas about an axis that leans back.
        along = 1 - (1 - cos(1.45)) * (i + 0.5) / count
        across, turn = (1 - along * along) ** 0.5, i * pi * (3 - 5**0.5)
        x, y, z = across * cos(turn), across * sin(turn), along
        lean = 0.42
        n = (x, y * cos(lean) + z * sin(lean), z * cos(lean) - y * sin(lean))
        place, way, own = [radius * c for c in n], list(n), []
        for j in range(points):
            # A wave across the way that it goes, in its own phase; not at the root.
            wave = 0.38 * min(1, j / 5) * sin(2 * pi * j / 7 + 2.4 * i)
            length = (n[0] ** 2 + n[1] ** 2) ** 0.5 + 1e-6
            own.append((place[0] - wave * n[1] / length, place[1] + wave * n[0] / length, place[2]))
            way = [0.78 * way[0], 0.78 * way[1], 0.78 * way[2] - 0.22]
            size = sum(c * c for c in way) ** 0.5
            place = [p + step * c / size for p, c in zip(place, way)]
            # Outside of the ball.
            far = sum(c * c for c in place) ** 0.5
            if far < radius + 0.8:
                place = [c * (radius + 0.8) / far for c in place]
        strands.append(own)
    head = pack("<4sIIIIff3f88s", b"HAIR", count, count * points, 2, points - 1, 0.008, 0, 0.2, 0.1, 0.05, b"A bob")
    with open(HERE / name, "wb") as file:
        file.write(head + b"".join(pack("<3f", *point) for own in strands for point in own))


def overhand(name, unit=0.034, depth=0.35, half=0.3, points=160):
    """A rope in an open overhand knot from the origin to (2 half, 0, 0): the middle of the long trefoil of A. Shastri (Polynomial
    representations of knots, 1992), (t^3 - 3 t, t^4 - 4 t^2, t^5 - 10 t), whose ends are bent to either side."""
    knot = [(t**3 - 3 * t, t**4 - 4 * t**2, depth * (t**5 - 10 * t)) for t in (1.95 * i / 40 for i in range(-40, 41))]
    x, y, z = knot[-1]
    end = [(x + 0.75, y + 0.95, 0.72 * z), (x + 2, y + 1.75, 0.33 * z), (x + 3.8, y + 2.1, 0.08 * z), (half / unit, y + 2.1, 0)]
    line = [(-x, y, -z) for x, y, z in reversed(end)] + knot + end

    def even(line, count):
        """So many points at equal distances along a line."""
        way = [0]
        for a, b in zip(line, line[1:]):
            way.append(way[-1] + dist(a, b))
        out, j = [], 0
        for i in range(count):
            at = way[-1] * i / (count - 1)
            while j < len(way) - 2 and way[j + 1] < at:
                j += 1
            share = (at - way[j]) / (way[j + 1] - way[j])
            out.append(tuple(a + share * (b - a) for a, b in zip(line[j], line[j + 1])))
        return out

    line = even(line, 400)
    for _ in range(80):
        inner = [tuple((a + 2 * b + c) / 4 for a, b, c in zip(*line[i - 1 : i + 2])) for i in range(1, len(line) - 1)]
        line = [line[0], *inner, line[-1]]
    line = [tuple(unit * (c - o) for c, o in zip(p, line[0])) for p in even(line, points)]
    text = [f"# A rope of {points} points in an open overhand knot, metres; written by make.py."]
    text += ["v " + " ".join(f"{c:.5f}" for c in point) for point in line]
    text += ["l " + " ".join(str(i + 1) for i in range(points))]
    (HERE / name).write_text("\n".join(text) + "\n")


def helix(name, degrees, turns=4, around=24):
    """A wire wound to turns of radius 1 about the y axis, so many degrees above the level, from its upper end down; for
    scenes/validate/."""
    count = turns * around
    pitch = 2 * pi * tan(radians(degrees))
    turn = lambda i: 2 * pi * i / around
    points = [(cos(turn(i)), -pitch * i / around, sin(turn(i))) for i in range(count + 1)]
    text = [f"# {turns} turns of a helix of radius 1 at {degrees} degrees, {around} segments each; written by make.py."]
    text += ["v " + " ".join(f"{c:.7f}" for c in point) for point in points]
    text += ["l " + " ".join(str(i + 1) for i in range(count + 1))]
    (HERE / name).write_text("\n".join(text) + "\n")


poncho("poncho.obj")
gourd("gourd.obj")
round_ball("ball.obj")
bob("bob.hair")
overhand("overhand.obj")
helix("helix_10.obj", 10)
helix("helix_15.obj", 15)
