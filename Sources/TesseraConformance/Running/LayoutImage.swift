import TesseraGeometry
import TesseraHost

/// A complete layout, for exact comparisons and for drawing.
public struct LayoutImage: Sendable {
  /// The content size.
  public var contentSize: Size
  /// The elements in the order of query results.
  public var elements: [Element]
  /// The viewport.
  public var viewport: Rect
  /// The names of the engine's attributes.
  public var attributeNames: [String]

  /// A layout.
  public init(
    contentSize: Size, elements: [Element], viewport: Rect, attributeNames: [String] = []
  ) {
    self.contentSize = contentSize
    self.elements = elements
    self.viewport = viewport
    self.attributeNames = attributeNames
  }

  /// The current layout of a session.
  public init(_ session: Session) throws(HostError) {
    let elements = try session.elements()
    self.init(
      contentSize: try session.contentSize(), elements: Array(elements),
      viewport: session.visibleRect, attributeNames: elements.attributes.map(\.name))
  }

  /// The first difference of another layout from this one: what this one has, and what the other has
  /// in its place.
  ///
  /// Numbers are compared bit by bit. Nil if the layouts are identical.
  public func difference(from found: LayoutImage) -> (expected: String, found: String)? {
    if !contentSize.isIdentical(to: found.contentSize) {
      return ("the content size \(Value.size(contentSize))", "\(Value.size(found.contentSize))")
    }
    for (mine, theirs) in zip(elements, found.elements) where !mine.isIdentical(to: theirs) {
      guard mine.identity == theirs.identity else {
        return (mine.identity.description, theirs.identity.description)
      }
      return (mine.differing(from: theirs), theirs.differing(from: mine))
    }
    guard elements.count != found.elements.count else { return nil }
    let shared = min(elements.count, found.elements.count)
    func text(_ elements: [Element]) -> String {
      elements.count > shared
        ? "\(elements.count) elements, with \(elements[shared].identity.description)"
        : "\(elements.count) elements"
    }
    return (text(elements), text(found.elements))
  }
}

extension Size {
  fileprivate func isIdentical(to other: Size) -> Bool {
    width.bitPattern == other.width.bitPattern && height.bitPattern == other.height.bitPattern
  }
}

extension Element {
  /// Every number of the element, as bits.
  private var bits: [UInt64] {
    ([frame.x, frame.y, frame.width, frame.height, alpha] + transform.elements).map(\.bitPattern)
  }

  fileprivate func isIdentical(to other: Element) -> Bool {
    // Comparing bits only adds the sign of a zero, which == ignores.
    self == other && bits == other.bits
  }

  /// The element's name and every property that differs from another element's.
  func differing(from other: Element) -> String {
    var parts: [String] = []
    if frame.text != other.frame.text { parts.append("at \(frame.text)") }
    if alpha != other.alpha { parts.append("alpha \(alpha.shortText)") }
    if zIndex != other.zIndex { parts.append("zIndex \(zIndex)") }
    if isHidden != other.isHidden { parts.append(isHidden ? "hidden" : "not hidden") }
    if transform != other.transform { parts.append("transform \(transform.text)") }
    if attributes != other.attributes {
      parts.append("attributes \(attributes.map(\.description).joined(separator: "; "))")
    }
    if parts.isEmpty { parts = ["numbers that differ in their last bits or the sign of a zero"] }
    return "\(identity.description) \(parts.joined(separator: ", "))"
  }
}

extension Rect {
  /// "x,y,width,height" with the shortest numbers that read back exactly.
  public var text: String { Value.rect(self).description }
}

extension Transform {
  /// The sixteen numbers, separated by commas.
  var text: String { elements.map(\.shortText).joined(separator: ",") }
}
