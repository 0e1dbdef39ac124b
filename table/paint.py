"""Paint a slip with OpenCV, as a picture or as a PDF of one page."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.slip import Box, Colour, Disc, Loop, Operation, Picture, Slip, Text
from table.words import TableError

Image = NDArray[np.uint8]

_FONT: Final = "sans"
"""OpenCV's own font, which falls back to its Chinese one, so that none has to be shipped for this."""

_REGULAR: Final = 400
_BOLD: Final = 650
_SMOOTH: Final = cv2.LINE_AA
_SHIFT: Final = 4
"""OpenCV draws at sixteenths of a pixel."""

_PDF_WIDTH: Final = 420.0
"""Width of the PDF's page in points, that of an A5 sheet."""

_JPEG_QUALITY: Final = 92


def measure(text: str, size: float) -> float:
    """Measure a text in the font of `paint`, as wide as it is in bold.

    Args:
        text: one line.
        size: pixels.

    Returns:
        Pixels.
    """
    _, _, width, _ = cv2.getTextSize((0, 0), text, (0, 0), cv2.FontFace(_FONT), round(size), _BOLD)
    return float(width)


def paint(slip: Slip, photo: Image | None = None) -> Image:
    """Paint a slip.

    Args:
        slip: what `table.slip.lay_out` made.
        photo: the upright photo, uint8[h, w, 3] RGB, for the slip's picture.

    Returns:
        The slip, uint8[height, width, 3] RGB.
    """
    page = np.full((slip.height, slip.width, 3), 255, np.uint8)
    for operation in slip.operations:
        _paint(page, operation, photo)
    return page


def _paint(page: Image, operation: Operation, photo: Image | None) -> None:
    match operation:
        case Box():
            _box(page, operation)
        case Disc(x, y, radius, fill):
            cv2.circle(page, _fine(x, y), round(radius * 2**_SHIFT), fill, -1, _SMOOTH, _SHIFT)
        case Text():
            _text(page, operation)
        case Loop(corners, colour, width):
            line = np.array([_fine(x, y) for x, y in corners], np.int32)
            cv2.polylines(
                page,
                [line],
                isClosed=True,
                color=colour,
                thickness=round(width),
                lineType=_SMOOTH,
                shift=_SHIFT,
            )
        case Picture() if photo is not None:
            _picture(page, operation, photo)
        case _:
            pass


def _picture(page: Image, picture: Picture, photo: Image) -> None:
    x, y, width, height = (round(number) for number in (picture.x, picture.y, picture.width, picture.height))
    down, across = photo.shape[:2]
    shares = zip(picture.source, (across, down, across, down), strict=True)
    left, top, right, bottom = (round(share * pixels) for share, pixels in shares)
    part = photo[top:bottom, left:right]
    smaller = width < right - left
    page[y : y + height, x : x + width] = cv2.resize(
        part, (width, height), interpolation=cv2.INTER_AREA if smaller else cv2.INTER_CUBIC
    )


def _fine(x: float, y: float) -> tuple[int, int]:
    return round(x * 2**_SHIFT), round(y * 2**_SHIFT)


def _box(page: Image, box: Box) -> None:
    if box.edge is not None:
        _rounded(page, box, box.edge, 0.0)
        _rounded(page, box, box.fill, 2.0)
    else:
        _rounded(page, box, box.fill, 0.0)


def _rounded(page: Image, box: Box, colour: Colour, inset: float) -> None:
    left, top = box.x + inset, box.y + inset
    right, bottom = box.x + box.width - inset, box.y + box.height - inset
    radius = max(0.0, box.radius - inset)
    if radius == 0:
        cv2.rectangle(page, (round(left), round(top)), (round(right) - 1, round(bottom) - 1), colour, -1)
        return
    corners = (
        (left + radius, top + radius),
        (right - radius, top + radius),
        (right - radius, bottom - radius),
        (left + radius, bottom - radius),
    )
    outline: list[tuple[int, int]] = []
    for quarter, (x, y) in enumerate(corners):
        for step in range(9):
            angle = np.pi * (1 + quarter / 2 + step / 16)
            outline.append(_fine(x + radius * np.cos(angle), y + radius * np.sin(angle)))
    cv2.fillPoly(page, [np.array(outline, np.int32)], colour, _SMOOTH, _SHIFT)


def _text(page: Image, text: Text) -> None:
    face = cv2.FontFace(_FONT)
    size, weight = round(text.size), _BOLD if text.bold else _REGULAR
    _, _, width, _ = cv2.getTextSize((0, 0), text.text, (0, 0), face, size, weight)
    left = text.x - {"left": 0.0, "middle": width / 2, "right": float(width)}[text.anchor]
    cv2.putText(page, text.text, (round(left), round(text.y)), text.colour, face, size, weight)


def save(slip: Slip, path: str | Path, photo: Image | None = None) -> None:
    """Write a slip as PNG, JPEG or PDF, by the ending of the path.

    Args:
        slip: what `table.slip.lay_out` made.
        path: where to.
        photo: the upright photo, uint8[h, w, 3] RGB.

    Raises:
        TableError: an ending that is none of these, or a place that cannot be written.
    """
    path = Path(path)
    kind = path.suffix.lower()
    if kind not in {".png", ".jpg", ".jpeg", ".pdf"}:
        raise TableError(
            f"a slip is written as .png, .jpg or .pdf, not {path.name}",
            f"單據只能存成 .png、.jpg 或 .pdf，不能是 {path.name}",
        )
    data = file_of(slip, kind, photo)
    try:
        path.write_bytes(data)
    except OSError as error:
        raise TableError(f"cannot write {path}: {error.strerror}", f"無法寫入 {path}") from None


def file_of(slip: Slip, kind: str, photo: Image | None = None) -> bytes:
    """Make the file of a slip.

    Args:
        slip: what `table.slip.lay_out` made.
        kind: ``.png``, ``.jpg`` or ``.pdf``.
        photo: the upright photo, uint8[h, w, 3] RGB.

    Returns:
        The bytes of the file.
    """
    page = paint(slip, photo)
    return pdf(page) if kind == ".pdf" else _encode(page, kind)


def _encode(page: Image, kind: str) -> bytes:
    settings = [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY] if kind != ".png" else []
    done, data = cv2.imencode(kind, cv2.cvtColor(page, cv2.COLOR_RGB2BGR), settings)
    if not done:
        raise TableError("the slip cannot be encoded", "單據無法編碼")
    return data.tobytes()


def pdf(page: Image) -> bytes:
    """Put a picture on the one page of a PDF.

    A page that is one JPEG needs six objects and no compression of its own, which is less than any library
    asks for: the format takes JPEG data as they are.

    Args:
        page: uint8[height, width, 3] RGB.

    Returns:
        The file.
    """
    height, width = page.shape[:2]
    scale = _PDF_WIDTH / width
    wide, high = width * scale, height * scale
    drawing = f"q {wide:.2f} 0 0 {high:.2f} 0 0 cm /Slip Do Q".encode()
    image = _encode(page, ".jpg")
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {wide:.2f} {high:.2f}] /Contents 4 0 R"
        " /Resources << /XObject << /Slip 5 0 R >> >> >>".encode(),
        b"<< /Length %d >>\nstream\n%b\nendstream" % (len(drawing), drawing),
        f"<< /Type /XObject /Subtype /Image /Width {width} /Height {height} /ColorSpace /DeviceRGB"
        f" /BitsPerComponent 8 /Filter /DCTDecode /Length {len(image)} >>\nstream\n".encode()
        + image
        + b"\nendstream",
    )
    file = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(file))
        file += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    start = len(file)
    file += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    for place in places:
        file += b"%010d 00000 n \n" % place
    file += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(file)
