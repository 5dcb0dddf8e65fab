"""Writes the meshes beside this file: Wavefront OBJ, metres, front up (+y). Needs only Python."""

from math import cos, pi, sin
from pathlib import Path

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


def poncho(name, half=0.72, neck=0.135, first=7, last=38):
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


poncho("poncho.obj")
