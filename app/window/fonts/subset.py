#!/usr/bin/env python3
"""Makes the fonts of the browser page from those that egui brings: python3 subset.py FOLDER_OF_EPAINT_DEFAULT_FONTS/fonts

Needs fonttools. The names are what the Ubuntu Font Licence asks of a part of its font.
"""

import pathlib
import sys

from fontTools import subset
from fontTools.ttLib import TTFont

LETTERS = "0020-007E,00A0-017F,0391-03C9,0400-045F,2010-2027,2030-203A,20AC"
SIGNS = "2070-209C,1D40,2190-2199,2200-2265,25A0-25FF,2713,2717"
# Reports of mistakes draw lines beside the code.
LINES = "2500-257F,2591-2593,23F4-23F7"
CODE = "0020-007E,00A0-00FF,0391-03C9,2010-2026"

FONTS = [
    ("Ubuntu-Light.ttf", "ubuntu-light-derivative-weft.ttf", "Ubuntu Light derivative Weft", f"{LETTERS},{SIGNS}"),
    ("Hack-Regular.ttf", "hack-derivative-weft.ttf", "Hack derivative Weft", f"{CODE},{SIGNS},{LINES}"),
]

for source, target, name, ranges in FONTS:
    font = TTFont(pathlib.Path(sys.argv[1]) / source)
    options = subset.Options(hinting=False, layout_features=["kern"], name_IDs=[0, 1, 2, 4, 6, 13, 14], notdef_outline=True)
    part = subset.Subsetter(options)
    part.populate(unicodes=subset.parse_unicodes(ranges))
    part.subset(font)
    for entry in font["name"].names:
        if entry.nameID in (1, 4):
            entry.string = name
        elif entry.nameID == 6:
            entry.string = name.replace(" ", "-")
    font.save(pathlib.Path(__file__).parent / target)
