"""A made-up spread as a phone would photograph it, and a reader whose models know it."""

from functools import cache

from tests.vision.synthetic import Lying, MapFinder, PixelNamer, column, ends_map, made_up_deck, paint
from vision.calibration import Calibration
from vision.faces import parse_faces
from vision.read import Picture, Reader

SIZE = (1280, 960)
SURE = 0.955
"""Of the blurred namer's cards a few are less sure than this, as on a real photo."""


@cache
def lying():
    """A hand of 荊州花牌 in columns, two laid triplets apart, the winning 土 alone."""
    columns = ("上大人", "可知禮", "孔乙己", "化花三千", "七八九", "五五五", "十")
    cards = []
    for number, names in enumerate(columns):
        cards += column([*parse_faces(names)], 110 + number * 80, 240)
    for x, name in ((900, "二"), (980, "三")):
        cards += column([name] * 3, x, 240)
    return (*cards, Lying("土", 1160, 700))


@cache
def photo():
    """The spread, painted: uint8[960, 1280, 3]."""
    return paint(lying(), SIZE)


def picture():
    return Picture.of(photo())


@cache
def known():
    """What the finder says of the spread."""
    return ends_map(lying(), SIZE)


def reader():
    """A reader that finds and names this spread by the real reading path."""
    finder = MapFinder(known())
    return Reader(
        finder=finder,
        namer=PixelNamer(),
        namer_sha256=PixelNamer.sha256,
        calibration=Calibration(sure=SURE),
    )


def deck():
    return made_up_deck()


@cache
def reading():
    return reader().read(picture(), deck())
