"""The picture of a layout in a notebook."""

from __future__ import annotations

from html import escape
from itertools import accumulate
from typing import Mapping, Optional, Tuple

from ._elements import Elements

#: More elements than this are not drawn.
LIMIT = 4000
#: The widest and highest picture, in pixels.
ROOM = (960.0, 720.0)

_FILLS = {"cell": ("#b3d8ff", "#073964"), "supplementary": ("#f3dfb8", "#5c3d00"), "decoration": ("#e7eaef", "#5d6878")}


def svg(
    elements: Elements, offset: Tuple[float, float], bounds: Tuple[float, float], title: str,
    texts: Mapping[Tuple[str, Optional[str], int, int], str],
) -> str:  # fmt: skip
    """What the viewport shows, as SVG that is not wider than its cell: the texts of elements, or their numbers."""
    width, height = max(bounds[0], 1.0), max(bounds[1], 1.0)
    zoom = min(1.0, ROOM[0] / width, ROOM[1] / height)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * zoom:.6g}" height="{height * zoom:.6g}" '
        f'viewBox="{offset[0]:.6g} {offset[1]:.6g} {width:.6g} {height:.6g}" role="img" font-family="sans-serif" style="max-width:100%;height:auto">',
        f"<title>{escape(title)}</title>",
        f'<rect x="{offset[0]:.6g}" y="{offset[1]:.6g}" width="{width:.6g}" height="{height:.6g}" fill="#fff"/>',
    ]
    transforms = elements.transforms
    drawn = [(place, element) for place, element in enumerate(elements) if place < LIMIT]
    drawn.sort(key=lambda one: one[1].z_index)
    for place, element in drawn:
        if element.hidden:
            continue
        fill, stroke = _FILLS[element.category]
        middle = (element.x + element.width / 2, element.y + element.height / 2)
        style = f' opacity="{element.alpha:.6g}"' if element.alpha != 1 else ""
        if transforms is not None:
            matrix = ",".join(f"{number:.9g}" for number in transforms[place])
            style += f' style="transform:matrix3d({matrix});transform-origin:{middle[0]:.6g}px {middle[1]:.6g}px"'
        shown = texts.get((element.category, element.kind, int(element.section), int(element.item)))
        label = shown or f"{element.kind or element.category} {element.item} of section {element.section}"
        parts.append(
            f'<g{style}><rect x="{element.x:.6g}" y="{element.y:.6g}" width="{element.width:.6g}" '
            f'height="{element.height:.6g}" rx="{min(4.0, element.width / 4, element.height / 4):.4g}" fill="{fill}" stroke="{stroke}" '
            f'stroke-opacity="0.3"><title>{escape(label)}</title></rect>'
        )
        size = min(element.height * 0.45, element.width * 0.4, 22.0)
        if shown:
            size = min(11.0, element.height * 0.7)
            text = _fitted(shown, (element.width - 8) / size) if size >= 6 else ""
            if text:
                parts.append(
                    f'<text x="{element.x + 4:.6g}" y="{element.y + 2 + size:.6g}" font-size="{size:.4g}" fill="{stroke}">'
                    f"{escape(text)}</text>"
                )
        elif size >= 5:
            text = str(element.item) if element.category == "cell" else str(element.kind)
            size = min(size, 1.6 * element.width / max(1, len(text)))
            parts.append(
                f'<text x="{middle[0]:.6g}" y="{middle[1] + size * 0.35:.6g}" font-size="{size:.4g}" '
                f'text-anchor="middle" fill="{stroke}">{escape(text)}</text>'
            )
        parts.append("</g>")
    if len(elements) > LIMIT:
        parts.append(f"<desc>{len(elements) - LIMIT} more elements are not drawn</desc>")
    return "\n".join(parts) + "\n</svg>\n"


def _fitted(text: str, room: float) -> str:
    """As much of a text as fits into a room, in ems; nothing if fewer than four letters do."""
    ends = list(accumulate(0.95 if one in "mwMW@%" else 0.36 if one in "ijlI.,:;|! '" else 0.75 if one.isupper() else 0.64 for one in text))
    if not ends or ends[-1] <= room:
        return text
    count = sum(1 for end in ends if end <= room - 0.95)
    return text[:count].rstrip() + "…" if count >= 4 else ""


def html(picture: str, engine: str, items: int, sections: int, width: float, height: float) -> str:
    """The picture with a line about the layout."""
    where = "1 section" if sections == 1 else f"{sections} sections"
    return (
        f"<figure style='margin:0'>{picture}<figcaption>{escape(engine)}: {items} items in {where}, content "
        f"{width:.6g} × {height:.6g}</figcaption></figure>"
    )
