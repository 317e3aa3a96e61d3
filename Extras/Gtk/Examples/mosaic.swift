// A mosaic of coloured tiles in alternating rows. A slider sets their height, a button adds tiles.
//
// UICollectionView: a UICollectionViewLayout subclass, a data source and performBatchUpdates. Here:
// an engine, a list model and a factory. In Extras/Gtk/build's folder, with pkg-config's path set:
//
//     swiftc mosaic.swift -import-objc-header FOLDER/include/tesseragtk/tesseragtk.h \
//       $(pkg-config --cflags-only-I --libs tessera-gtk gtk4) -o mosaic

/// Connects a handler with the object and its user data, as g_signal_connect does in C.
func connect<Handler>(
  _ object: OpaquePointer, _ signal: String, _ handler: Handler, _ data: OpaquePointer? = nil
) {
  g_signal_connect_data(
    UnsafeMutableRawPointer(object), signal, unsafeBitCast(handler, to: GCallback.self),
    data.map(UnsafeMutableRawPointer.init), nil,
    GConnectFlags(rawValue: 0))
}

typealias Handler = @convention(c) (OpaquePointer, OpaquePointer, OpaquePointer?) -> Void
typealias Action = @convention(c) (OpaquePointer, OpaquePointer?) -> Void

/// A tile is a label in one of twelve colours.
let setUp: Handler = { _, item, _ in
  let label = gtk_label_new(nil)
  gtk_widget_add_css_class(label, "tile")
  tessera_gtk_item_set_child(item, label)
}

let bind: Handler = { _, item, _ in
  guard let label = tessera_gtk_item_get_child(item), let object = tessera_gtk_item_get_item(item)
  else { return }
  gtk_label_set_text(OpaquePointer(label), gtk_string_object_get_string(OpaquePointer(object)))
  for colour in 0..<12 { gtk_widget_remove_css_class(label, "colour\(colour)") }
  gtk_widget_add_css_class(label, "colour\(tessera_gtk_item_get_position(item) % 12)")
}

/// The slider sets a parameter of the engine, and the tiles move.
let setHeight: Action = { slider, layout in
  tessera_gtk_layout_set_number(
    layout, "segmentHeight", gtk_adjustment_get_value(UnsafeMutablePointer(slider)))
}

let addTiles: Action = { _, list in
  guard let list else { return }
  let count = g_list_model_get_n_items(list)
  for number in 1...3 {
    gtk_string_list_append(list, "\(count + guint(number))")
  }
}

let activate: Action = { application, _ in
  let style = gtk_css_provider_new()
  let colours = (0..<12).map { ".colour\($0) { background: hsl(\($0 * 30), 50%, 70%); }" }
  gtk_css_provider_load_from_data(
    style, colours.joined(separator: "\n") + ".tile { font-size: 20px; }", -1)
  gtk_style_context_add_provider_for_display(gdk_display_get_default(), OpaquePointer(style), 600)

  let list = gtk_string_list_new(nil)!
  for number in 1...300 { gtk_string_list_append(list, "\(number)") }
  let layout = tessera_gtk_layout_new("mosaic")!
  let factory = gtk_signal_list_item_factory_new()!
  connect(factory, "setup", setUp)
  connect(factory, "bind", bind)
  g_object_ref(UnsafeMutableRawPointer(list))
  g_object_ref(UnsafeMutableRawPointer(layout))
  let view = tessera_gtk_view_new(gtk_multi_selection_new(list), layout, factory)

  let height = gtk_adjustment_new(200, 60, 400, 1, 20, 0)!
  connect(OpaquePointer(height), "value-changed", setHeight, layout)
  let slider = gtk_scale_new(GTK_ORIENTATION_HORIZONTAL, height)
  gtk_widget_set_size_request(slider, 200, -1)
  let button = gtk_button_new_with_label("Three more")!
  connect(OpaquePointer(button), "clicked", addTiles, list)
  let header = gtk_header_bar_new()!
  gtk_header_bar_pack_start(OpaquePointer(header), button)
  gtk_header_bar_pack_end(OpaquePointer(header), slider)

  let scrolled = gtk_scrolled_window_new()!
  gtk_scrolled_window_set_child(OpaquePointer(scrolled), view)
  let window = UnsafeMutableRawPointer(
    gtk_application_window_new(UnsafeMutablePointer(application))!
  ).assumingMemoryBound(to: GtkWindow.self)
  gtk_window_set_default_size(window, 700, 600)
  gtk_window_set_titlebar(window, header)
  gtk_window_set_child(window, scrolled)
  gtk_window_present(window)
}

let application = gtk_application_new("org.tessera.Mosaic", GApplicationFlags(rawValue: 0))!
connect(OpaquePointer(application), "activate", activate)
g_application_run(
  UnsafeMutableRawPointer(application).assumingMemoryBound(to: GApplication.self), 0, nil)
