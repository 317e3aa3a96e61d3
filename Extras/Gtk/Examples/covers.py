"""Cover flow beside a flow: the same covers in two layouts, with an animated switch.

UICollectionView: two layout objects and setCollectionViewLayout(_:animated:). Here: two layouts
and the property `layout`.
"""

import colorsys

import gi

gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
gi.require_version("TesseraGtk", "1")
from gi.repository import Gdk, Gio, GLib, Gtk, TesseraGtk


def setup(_factory: Gtk.ListItemFactory, item: TesseraGtk.Item) -> None:
    item.set_child(Gtk.Label(css_classes=["cover"]))
    item.connect("attributes-changed", shade)


def bind(_factory: Gtk.ListItemFactory, item: TesseraGtk.Item) -> None:
    label = item.get_child()
    label.set_text(item.get_item().get_string())
    label.set_css_classes(["cover", f"cover{item.get_position() % 12}"])
    shade(item)


def shade(item: TesseraGtk.Item) -> None:
    """The engine darkens covers beside the middle: the background shines through."""
    item.get_child().set_opacity(1 - item.get_number("maskingValue", 0) / 2)


def activate(application: Gtk.Application) -> None:
    colours = [colorsys.hsv_to_rgb(i / 12, 0.5, 0.9) for i in range(12)]
    style = Gtk.CssProvider()
    rules = [
        f".cover{i} {{ background: rgb({r * 255:.0f},{g * 255:.0f},{b * 255:.0f}); }}"
        for i, (r, g, b) in enumerate(colours)
    ]
    rules += [
        ".cover { font-size: 24px; color: #222; border-radius: 6px; }",
        "tesseraview child { background: #333; border-radius: 6px; }",
    ]
    style.load_from_data("\n".join(rules).encode())
    Gtk.StyleContext.add_provider_for_display(Gdk.Display.get_default(), style, 600)

    covers = Gtk.SingleSelection(model=Gtk.StringList.new([f"Album {i + 1}" for i in range(60)]))
    layouts = {
        "Covers": TesseraGtk.Layout.new("cover-flow"),
        "Shelf": TesseraGtk.Layout.new("flow"),
    }
    layouts["Shelf"].set_size("itemSize", 140, 140)
    layouts["Shelf"].set_parameter("sectionInset", GLib.Variant("(dddd)", (20, 20, 20, 20)))
    factory = Gtk.SignalListItemFactory()
    factory.connect("setup", setup)
    factory.connect("bind", bind)
    view = TesseraGtk.View.new(covers, layouts["Covers"], factory)
    view.set_property("animation-duration", 500)

    header, first = Gtk.HeaderBar(), None
    for name, layout in layouts.items():
        button = Gtk.ToggleButton(label=name, group=first, active=first is None)
        button.connect(
            "toggled",
            lambda button, layout: button.get_active() and view.set_layout(layout),
            layout,
        )
        header.pack_start(button)
        first = first or button
    window = Gtk.ApplicationWindow(
        application=application, default_width=800, default_height=400, titlebar=header
    )
    window.set_child(Gtk.ScrolledWindow(child=view))
    window.present()


app = Gtk.Application(flags=Gio.ApplicationFlags.NON_UNIQUE)
app.connect("activate", activate)
app.run([])
