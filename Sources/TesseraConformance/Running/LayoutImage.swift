import TesseraGeometry
import TesseraHost

/// A complete layout, for exact comparisons and for drawing.
public struct LayoutImage: Sendable {
  /// The content size.
  public var contentSize: Size
  /// In the order of query results.
  public var elements: [Element]
  /// The viewport.
  public var viewport: Rect
  /// The names of the engine's attributes.
  public var attributeNames: [String] = []

  /// The first difference, compared bit by bit; nil if identical.
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

extension LayoutImage {
  init(_ session: Session, _ elements: Elements? = nil) throws(HostError) {
    let shown: Elements = if let elements { elements } else { try session.elements() }
    self.init(
      contentSize: try session.contentSize(), elements: Array(shown),
      viewport: session.visibleRect, attributeNames: shown.attributes.map(\.name))
  }
}

extension Size {
  fileprivate var signedText: String { "\(width.signedText)x\(height.signedText)" }

  fileprivate func isIdentical(to other: Size) -> Bool {
    width.bitPattern == other.width.bitPattern && height.bitPattern == other.height.bitPattern
  }
}

extension Element {
  private var columns: KeyValuePairs<String, [Double]> {
    [
      "at": frame.numbers, "alpha": [alpha], "z_index": [Double(zIndex)],
      "hidden": [isHidden ? 1 : 0], "transform": transform.elements,
    ]
  }

  fileprivate func isIdentical(to other: Element) -> Bool {
    // Bits differ from == only in the sign of zero.
    self == other
      && (frame.numbers + [alpha] + transform.elements).map(\.bitPattern)
        == (other.frame.numbers + [other.alpha] + other.transform.elements).map(\.bitPattern)
  }

  func differing(from other: Element, _ names: [String] = []) -> String {
    var parts: [String] = []
    // The shortest text is exact, so different numbers print differently.
    for ((name, mine), (_, theirs)) in zip(columns, other.columns)
    where mine.map(\.bitPattern) != theirs.map(\.bitPattern) {
      parts.append("\(name) \(mine.map(\.signedText).joined(separator: ","))")
    }
    if frame == .zero, other.frame != .zero { parts[0] += " (perhaps never written)" }
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
  fileprivate var numbers: [Double] { [x, y, width, height] }

  /// "x,y,width,height" in the shortest exact form.
  public var text: String { Value.rect(self).description }
}

extension Transform {
  var text: String { elements.map(\.shortText).joined(separator: ",") }
}

extension Double {
  /// The shortest exact text, with the sign of -0.
  var signedText: String { self == 0 && sign == .minus ? "-0" : shortText }
}
