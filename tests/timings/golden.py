"""Numbers that the statistics of recordings must reproduce: python3 golden.py > golden.json

Plain arithmetic of the standard library, written from the definitions and not from the Rust code: quantiles from Hyndman and
Fan's formula with exact fractions, "1 % low" by counting, Student's t by integrating its density.
"""

import json
import math
from fractions import Fraction

state = 12345


def unit():
    """A number in 0..1 (Lehmer, MINSTD)."""
    global state
    state = state * 48271 % 2147483647
    return state / 2147483647


def quantile(values, share):
    """Type 8: 1-based position h = (n + 1/3) p + 1/3."""
    values = sorted(values)
    n = len(values)
    h = (Fraction(n) + Fraction(1, 3)) * Fraction(share) + Fraction(1, 3)
    j = math.floor(h)
    pick = lambda i: Fraction(values[min(max(i, 1), n) - 1])
    return float(pick(j) + (h - j) * (pick(j + 1) - pick(j)))


SHARES = {"p99": "0.99", "p95": "0.95", "median": "0.5", "p5": "0.05", "p1": "0.01", "p0.2": "0.002"}


def row(values):
    exact = [Fraction(value) for value in values]
    numbers = {name: quantile(values, share) for name, share in SHARES.items()}
    return numbers | {"max": max(values), "min": min(values), "mean": float(sum(exact) / len(exact))}


def low(frames):
    down = sorted(frames, reverse=True)
    total, filled = sum(map(Fraction, frames)), Fraction(0)
    for integral in down:
        filled += Fraction(integral)
        if filled * 100 >= total:
            break
    count = max(1, -(-len(frames) // 100))
    worst = sum(map(Fraction, down[:count])) / count
    return {
        "time_integral": 1000 / integral,
        "mean_of_slowest": float(1000 / worst),
        "percentile": 1000 / quantile(frames, "0.99"),
    }


def stutter(frames):
    total = Fraction(0)
    for i, ms in enumerate(frames):
        around = frames[max(0, i - 25) : i + 26]
        if ms > 2.5 * quantile(around, "0.5"):
            total += Fraction(ms)
    return float(total)


def of(frames):
    good = [ms for ms in frames if ms > 0]
    fps = row([1000 / ms for ms in good])
    fps["mean"] = float(1000 * len(good) / sum(map(Fraction, good)))
    return {
        "frames": frames,
        "ms": row(good),
        "fps": fps,
        "low": low(good),
        "stutter_ms": stutter(good),
        "below_30_ms": float(sum((Fraction(ms) for ms in good if 1000 / ms < 30), Fraction(0))),
        "dropped": len(frames) - len(good),
    }


def vectors():
    yield [8.0] * 999 + [200.0]
    yield [16.0]
    yield [5.0, 7.0]
    yield [3.0, 3.0, 3.0]
    # A clock that was set back.
    yield [8.0, 8.5, -40.0, 0.0, 9.0, 8.25, 8.75]
    # A run that gets faster half-way: no stutter.
    yield [40.0] * 60 + [10.0] * 60
    for n in (4, 10, 49, 50, 51, 52, 99, 100, 101, 127, 200, 301):
        yield [round(4 + 8 * unit(), 4) for _ in range(n)]
    # Late frames among others, one in ten.
    for n in (60, 150, 333):
        yield [round((9 if unit() < 0.9 else 45) * (0.9 + 0.2 * unit()), 4) for _ in range(n)]
    # Long tails.
    for n in (80, 250):
        yield [round(5 / (1.001 - unit()) ** 0.5, 4) for _ in range(n)]


def density(t, freedom):
    scale = math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2) - 0.5 * math.log(freedom * math.pi)
    return math.exp(scale - (freedom + 1) / 2 * math.log1p(t * t / freedom))


def area(t, freedom, n=4000):
    """From 0 to t, by Simpson's rule."""
    h = t / n
    inside = sum((4 if i % 2 else 2) * density(i * h, freedom) for i in range(1, n))
    return h / 3 * (density(0, freedom) + density(t, freedom) + inside)


def student(share, freedom):
    low, high = 0.0, 40.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if area(middle, freedom) < share - 0.5 else (low, middle)
    return (low + high) / 2


def moments(values):
    mean = math.fsum(values) / len(values)
    return mean, math.fsum((v - mean) ** 2 for v in values) / (len(values) - 1)


def interval(mean, half):
    return {"ratio": math.exp(mean), "low": math.exp(mean - half), "high": math.exp(mean + half)}


def pairs(a, b):
    mean, variance = moments([math.log(y / x) for x, y in zip(a, b)])
    return interval(mean, student(0.975, len(a) - 1) * math.sqrt(variance / len(a)))


def welch(a, b):
    (ma, va), (mb, vb) = (moments([math.log(v) for v in side]) for side in (a, b))
    va, vb = va / len(a), vb / len(b)
    freedom = (va + vb) ** 2 / (va**2 / (len(a) - 1) + vb**2 / (len(b) - 1))
    return interval(mb - ma, student(0.975, freedom) * math.sqrt(va + vb))


A = [8.11, 8.32, 8.05, 8.27, 8.4, 8.19]
B = [8.45, 8.51, 8.4, 8.6, 8.72, 8.43]
C = [8.0, 9.0, 8.5, 8.2]

print(
    json.dumps(
        {
            "vectors": [of(frames) for frames in vectors()],
            "student": [[p, f, student(p, f)] for p in (0.9, 0.975, 0.995) for f in (3, 5, 7.3, 11, 60)],
            "runs": {"a": A, "b": B, "c": C, "pairs": pairs(A, B), "welch": welch(A, C)},
        },
        separators=(",", ":"),
    )
)
