"""Writes the seamless 512x512 textures beside this file. Needs numpy and pillow."""

from pathlib import Path

import numpy as np
from PIL import Image

N = 512
HERE = Path(__file__).parent
rng = np.random.default_rng(7)
y, x = np.mgrid[0:N, 0:N]


def noise(fx, fy):
    """Periodic smooth noise, about -1..1, with fx by fy features per tile."""
    k = np.hypot(np.fft.fftfreq(N)[None, :] * N / fx, np.fft.fftfreq(N)[:, None] * N / fy)
    field = np.fft.ifft2(np.fft.fft2(rng.standard_normal((N, N))) * np.exp(-k * k)).real
    return field / (3 * field.std())


def weave(threads):
    """Height of a plain weave, 0..1."""
    u, v = x * threads / N, y * threads / N
    over = (np.floor(u) + np.floor(v)) % 2 == 0
    a, b = np.sin(np.pi * (u % 1)), np.sin(np.pi * (v % 1))
    return np.where(over, a * (0.55 + 0.45 * b), b * (0.55 + 0.45 * a))


def save(name, rgb, colors=64):
    image = Image.fromarray(np.clip(rgb, 0, 255).astype(np.uint8))
    image.quantize(colors, method=Image.Quantize.MEDIANCUT, dither=0).save(HERE / name, optimize=True)
    print(name, (HERE / name).stat().st_size)


def color(*rgb):
    return np.array(rgb, float)[None, None, :]


def linen():
    slub = 0.6 * noise(3, 90) + 0.6 * noise(90, 3) + 0.3 * noise(40, 40)
    light = 0.86 + 0.14 * weave(64) + 0.06 * slub
    save("linen.png", color(238, 228, 208) * light[..., None])


def tartan():
    bands = [(0, 0.5, (44, 72, 132)), (0.5, 0.54, (28, 34, 50)), (0.54, 0.62, (40, 112, 88)), (0.62, 0.66, (28, 34, 50)),
             (0.66, 0.90, (40, 112, 88)), (0.90, 1.0, (28, 34, 50))]
    lines = [(0.25, 0.012, (214, 60, 48)), (0.20, 0.005, (236, 214, 150)), (0.30, 0.005, (236, 214, 150)), (0.78, 0.010, (236, 236, 226))]

    def sett(t):
        out = np.zeros(t.shape + (3,))
        for lo, hi, c in bands:
            out[(t >= lo) & (t < hi)] = c
        for at, half, c in lines:
            out[np.abs(t - at) < half] = c
        return out

    u, v = x / N, y / N
    twill = ((x + y) // 2) % 4 < 2
    rgb = np.where(twill[..., None], sett(u), sett(v))
    save("tartan.png", rgb * (0.94 + 0.06 * noise(64, 64))[..., None])


def stripes():
    t = (x * 8 / N) % 1
    edge = np.clip((np.abs(t - 0.5) - 0.25) * 64 + 0.5, 0, 1)[..., None]
    rgb = color(40, 74, 104) * (1 - edge) + color(240, 234, 220) * edge
    save("stripes.png", rgb * (0.93 + 0.07 * weave(128) + 0.02 * noise(60, 60))[..., None])


def denim():
    diagonal = 0.5 + 0.5 * np.sin(2 * np.pi * (x * 64 + y * 64) / N)
    streak = 0.7 * noise(90, 4) + 0.3 * noise(40, 40)
    pale = np.clip(0.22 + 0.34 * diagonal + 0.22 * streak, 0, 1)[..., None]
    save("denim.png", color(30, 48, 92) * (1 - pale) + color(168, 184, 206) * pale)


def checker():
    dark = ((x * 8 // N) + (y * 8 // N)) % 2
    save("checker.png", np.where(dark[..., None] == 1, color(52, 58, 66), color(232, 230, 224)), 4)


for make in (linen, tartan, stripes, denim, checker):
    make()
