public import CTessera
public import TesseraGeometry

/// What a layout is given beside its parameters and values; valid for the call from the host.
public struct Input {
  @usableFromInline let pointer: UnsafePointer<tessera_input>
  private let base: BaseLink

  init(_ pointer: UnsafePointer<tessera_input>, base: BaseLink = BaseLink(nil)) {
    self.pointer = pointer
    self.base = base
  }

  /// The size of the window onto the content, in points.
  public var bounds: Size { viewport.size }

  /// The window onto the content, in points: its origin is the scroll offset.
  public var viewport: Rect { Rect(pointer.pointee.viewport) }

  /// Room that lies between the bounds and the content; the content's (0, 0) is inside of it.
  public var contentInsets: Insets { Insets(pointer.pointee.content_insets) }

  /// What the surroundings cover, measured from the edges of the bounds.
  public var safeArea: Insets { Insets(pointer.pointee.safe_area) }

  /// What should stay free, measured from the edges of the bounds.
  public var layoutMargins: Insets { Insets(pointer.pointee.layout_margins) }

  /// Device pixels a point.
  public var scale: Double { pointer.pointee.scale }

  /// Whether the content reads from right to left; a layout with the trait `mirrors` ignores it.
  public var isRightToLeft: Bool { pointer.pointee.right_to_left != 0 }

  /// How many sections there are.
  public var sectionCount: Int { Int(pointer.pointee.section_count) }

  /// How many items there are in all sections together.
  public var itemCount: Int { Int(clamping: pointer.pointee.section_starts[sectionCount]) }

  /// The items of a section, by their place among all items.
  ///
  /// - Parameter section: Below `sectionCount`.
  public func items(inSection section: Int) -> Range<Int> {
    precondition(section >= 0 && section < sectionCount, "no such section")
    let starts = pointer.pointee.section_starts
    let start = Int(clamping: starts[section])
    return start..<max(start, Int(clamping: starts[section + 1]))
  }

  /// The base of a derived layout; every call of it throws where there is none.
  public var `super`: Super { Super(link: base) }

  /// What differs from the input of this layout's last successful prepare.
  public var change: Change { Change(pointer.pointee.change) }
}

extension Input {
  /// The size that content can fill without scrolling: the bounds less the content insets, never
  /// negative.
  public var extent: Size {
    let (bounds, insets) = (bounds, contentInsets)
    return Size(
      width: room(bounds.width, insets.left, insets.right),
      height: room(bounds.height, insets.top, insets.bottom))
  }

  /// How far insets that are measured from the edges of the bounds, such as the safe area, reach
  /// into the content, never negative.
  public func insideContent(_ insets: Insets) -> Insets {
    let content = contentInsets
    return Insets(
      top: max(0, insets.top - content.top), left: max(0, insets.left - content.left),
      bottom: max(0, insets.bottom - content.bottom), right: max(0, insets.right - content.right))
  }

  private func room(_ length: Double, _ leading: Double, _ trailing: Double) -> Double {
    min(max(0, length - leading - trailing), .greatestFiniteMagnitude)
  }
}
