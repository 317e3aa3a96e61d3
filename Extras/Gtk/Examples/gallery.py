"""The gallery: pictures in equal cells, each shown whole or filling its cell, with a switch between both.

With UICollectionView: a flow layout subclass with attributes of its own that say where the picture lies in its cell, and a delegate
that supplies the ratio. Here: the engine aspect-flow, whose attribute `contentRect` places the picture.
"""

import sys
from pathlib import Path

import gi

gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
gi.require_version("TesseraGtk", "1")
from gi.repository import Gdk, Gio, GLib, GObject, Gtk, TesseraGtk


class Photograph(GObject.Object):
    """A picture, with its width for each point of its height."""

    ratio = GObject.Property(type=float, default=1)

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.texture = Gdk.Texture.new_from_filename(str(path))
        self.ratio = self.texture.get_width() / self.texture.get_height()


def setup(_factory: Gtk.ListItemFactory, item: TesseraGtk.Item) -> None:
    picture = Gtk.Picture(can_shrink=True, halign=Gtk.Align.START, valign=Gtk.Align.START, content_fit=Gtk.ContentFit.COVER)
    item.set_child(picture)
    item.connect("attributes-changed", place)


def bind(_factory: Gtk.ListItemFactory, item: TesseraGtk.Item) -> None:
    item.get_child().set_paintable(item.get_item().texture)
    place(item)


def place(item: TesseraGtk.Item) -> None:
    """Puts the picture where the engine wants it in the cell."""
    rect = item.get_attribute("contentRect")
    if rect is None:
        return
    x, y, width, height = (round(number) for number in rect.unpack())
    picture = item.get_child()
    picture.set_size_request(width, height)
    picture.set_margin_start(x)
    picture.set_margin_top(y)


def set_mode(button: Gtk.ToggleButton, layout: TesseraGtk.Layout) -> None:
    layout.set_parameter("layoutMode", GLib.Variant("s", "aspectFill" if button.get_active() else "aspectFit"))


def activate(application: Gtk.Application) -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    store = Gio.ListStore(item_type=Photograph)
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() in (".jpg", ".jpeg", ".png"):
            store.append(Photograph(path))

    layout = TesseraGtk.Layout.new("aspect-flow")
    layout.bind_property("aspectRatio", "ratio")
    factory = Gtk.SignalListItemFactory()
    factory.connect("setup", setup)
    factory.connect("bind", bind)
    view = TesseraGtk.View.new(Gtk.SingleSelection(model=store), layout, factory)

    fill = Gtk.ToggleButton(label="Fill")
    fill.connect("toggled", set_mode, layout)
    header = Gtk.HeaderBar()
    header.pack_start(fill)
    window = Gtk.ApplicationWindow(application=application, default_width=800, default_height=600, titlebar=header)
    window.set_child(Gtk.ScrolledWindow(child=view))
    window.present()


app = Gtk.Application(flags=Gio.ApplicationFlags.NON_UNIQUE)
app.connect("activate", activate)
app.run([])
