"""Made the pictures of this folder and sizes.csv, with Pillow 13.0.0, which is the oracle of their sizes.

Four quarters: red, green; blue, yellow. The tests do not run it.
"""

from PIL import Image
from PIL import ImageOps
from pathlib import Path

def quarters(w, h):
    image = Image.new("RGB", (w, h))
    for x in range(w):
        for y in range(h):
            upper = (200, 30, 30) if x < w / 2 else (30, 160, 60)
            lower = (40, 60, 200) if x < w / 2 else (240, 220, 60)
            image.putpixel((x, y), upper if y < h / 2 else lower)
    return image


for orientation in range(1, 9):
    exif = Image.Exif()
    exif[0x0112] = orientation
    quarters(24, 16).save(f"orientation-{orientation}.jpg", quality=60, exif=exif)
quarters(24, 16).save("progressive.jpg", progressive=True, quality=60)
quarters(20, 12).save("plain.png")
translucent = quarters(20, 12).convert("RGBA")
translucent.putalpha(Image.new("L", (20, 12), 128))
translucent.save("alpha.png")
quarters(18, 30).quantize(8).save("plain.gif")
frames = [quarters(18, 30).quantize(8), quarters(18, 30).rotate(180).quantize(8)]
frames[0].save("animated.gif", save_all=True, append_images=frames[1:], duration=100)
quarters(22, 14).save("plain.webp", quality=50)
quarters(22, 14).convert("RGBA").save("lossless.webp", lossless=True)
quarters(26, 16).save("plain.avif", quality=40)
exif = Image.Exif()
exif[0x0112] = 6
quarters(26, 16).save("turned.avif", quality=40, exif=exif)

with open("sizes.csv", "w") as sizes:
    sizes.write("name,width,height\n")
    for path in sorted(Path(".").glob("*.*")):
        if path.suffix in {".jpg", ".png", ".gif", ".webp", ".avif"}:
            width, height = ImageOps.exif_transpose(Image.open(path)).size
            sizes.write(f"{path.name},{width},{height}\n")
