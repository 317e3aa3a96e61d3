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
      var (mine, theirs) = (self, found)
      (mine.contentSize, theirs.contentSize) = (.zero, .zero)
      let other = mine.difference(from: theirs)
      return (
        "the content size \(contentSize.signedText)" + (other.map { " and \($0.expected)" } ?? ""),
        found.contentSize.signedText
          + (other.map { " and \($0.found)" } ?? " with the same elements")
      )
    }
    for (mine, theirs) in zip(elements, found.elements) where !mine.isIdentical(to: theirs) {
      guard mine.identity == theirs.identity else {
        return (mine.identity.description, theirs.identity.description)
      }
      return (
        mine.differing(from: theirs, attributeNames), theirs.differing(from: mine, attributeNames)
      )
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
  /// "WIDTHxHEIGHT", -0 with its sign.
  fileprivate var signedText: String { "\(width.signedText)x\(height.signedText)" }

  fileprivate func isIdentical(to other: Size) -> Bool {
    width.bitPattern == other.width.bitPattern && height.bitPattern == other.height.bitPattern
  }
}

extension Element {
  /// Every number of the element, as bits.
  private var bits: [UInt64] {
    (frame.numbers + [alpha] + transform.elements).map(\.bitPattern)
  }

  fileprivate func isIdentical(to other: Element) -> Bool {
    // Comparing bits only adds the sign of a zero, which == ignores.
    self == other && bits == other.bits
  }

  /// The element's name and every property that differs from another element's.
  ///
  /// - Parameter names: The names of the attributes, which have numbers without them.
  func differing(from other: Element, _ names: [String] = []) -> String {
    var parts: [String] = []
    // Numbers that differ print differently: the shortest text of a number reads back exactly, and -0
    // has its sign here.
    func add(_ name: String, _ mine: [Double], _ theirs: [Double]) {
      guard mine.map(\.bitPattern) != theirs.map(\.bitPattern) else { return }
      parts.append("\(name) \(mine.map(\.signedText).joined(separator: ","))")
    }
    add("at", frame.numbers, other.frame.numbers)
    if frame == .zero, other.frame != .zero { parts[0] += " (perhaps never written)" }
    add("alpha", [alpha], [other.alpha])
    if zIndex != other.zIndex { parts.append("z_index \(zIndex)") }
    if isHidden != other.isHidden { parts.append("hidden \(isHidden ? 1 : 0)") }
    add("transform", transform.elements, other.transform.elements)
    for (number, value) in attributes.enumerated() {
      let theirs = other.attributes.dropFirst(number).first
      guard value != theirs || value.numbers.map(\.bitPattern) != theirs?.numbers.map(\.bitPattern)
      else { continue }
      let name = names.dropFirst(number).first ?? "attribute \(number)"
      parts.append("\(name) \(value)")
    }
    return "\(identity.description) \(parts.joined(separator: ", "))"
  }
}

extension Rect {
  /// x, y, width, height.
  fileprivate var numbers: [Double] { [x, y, width, height] }

  /// "x,y,width,height" with the shortest numbers that read back exactly.
  public var text: String { Value.rect(self).description }
}

extension Transform {
  /// The sixteen numbers, separated by commas.
  var text: String { elements.map(\.shortText).joined(separator: ",") }
}

extension Double {
  /// The shortest text that reads back exactly; -0 with its sign.
  var signedText: String { self == 0 && sign == .minus ? "-0" : shortText }
}
