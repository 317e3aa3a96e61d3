import TesseraGeometry
import TesseraHost
import TestSupport

/// Rules that the layouts of every engine follow, for tests of what a single engine adds: of all engines,
/// the conformance suite proves them.
enum Laws {
  /// A law that does not hold.
  struct Broken: Error, CustomStringConvertible {
    let description: String

    init(_ law: String, _ subject: Any) { description = "\(law): \(subject)" }
  }

  /// A query returns the elements whose frames meet the rect, in the order of all elements.
  static func checkQuery(_ session: Session, _ rect: Rect, _ all: [Element]) throws {
    let expected = FrameScan.rows(of: all.map(\.frame), in: rect).map { all[$0] }
    let found = Array(try session.elements(in: rect))
    guard found != expected else { return }
    // What an engine scrolls by itself out of the content need not be found there.
    let sight = try sight(of: rect, session)
    func inSight(_ elements: [Element]) -> [Element] {
      elements.filter { $0.frame.intersects(sight) }
    }
    guard
      sight == rect || inSight(found) != inSight(expected) || !found.allSatisfy(expected.contains)
    else { return }
    let missing = expected.filter { !found.contains($0) }.prefix(2)
    let surplus = found.filter { !expected.contains($0) }.prefix(2)
    throw Broken(
      "a query is a filter of all elements", "\(rect) lacks \(missing), should lack \(surplus)")
  }

  /// Whether a frame reaches out of the extent on an axis on which the content does not scroll, so that
  /// only an engine that scrolls by itself can have moved it there.
  static func isAside(_ frame: Rect, content: Size, extent: Size) -> Bool {
    content.width <= extent.width && (frame.minX < 0 || frame.maxX > extent.width)
      || content.height <= extent.height && (frame.minY < 0 || frame.maxY > extent.height)
  }

  /// The part of a rect that lies in the content on each axis on which an engine that follows the
  /// viewport may scroll by itself, because the content does not.
  private static func sight(of rect: Rect, _ session: Session) throws -> Rect {
    guard session.engine.traits.contains(.viewport) else { return rect }
    let (content, bounds, insets) = (
      try session.contentSize(), session.bounds, session.contentInsets
    )
    func cut(_ start: Double, _ length: Double, _ content: Double, _ extent: Double) -> (
      Double, Double
    ) {
      guard content <= max(0, extent) else { return (start, length) }
      let first = max(0, start)
      return (first, max(0, min(start + length, content) - first))
    }
    let (x, width) = cut(
      rect.x, rect.width, content.width, bounds.width - insets.left - insets.right)
    let (y, height) = cut(
      rect.y, rect.height, content.height, bounds.height - insets.top - insets.bottom)
    return Rect(x: x, y: y, width: width, height: height)
  }

  /// Right to left is the mirror of left to right.
  static func checkMirror(_ rightToLeft: Session, of leftToRight: Session) throws {
    let width = try leftToRight.contentSize().width
    let mirrored = try leftToRight.elements().map { element in
      var element = element
      element.frame.x = width - element.frame.x - element.frame.width
      element.transform = mirror(element.transform)
      element.attributes = element.attributes.map { mirror($0, in: element.frame.width) }
      return element
    }
    guard try rightToLeft.contentSize() == leftToRight.contentSize() else {
      throw Broken("a mirrored layout has the same content size", try rightToLeft.contentSize())
    }
    let elements = try rightToLeft.elements()
    guard elements.count == mirrored.count else {
      throw Broken("a mirrored layout has the same number of elements", elements.count)
    }
    for (found, expected) in zip(elements, mirrored) {
      guard isSame(found, expected) else {
        throw Broken("right to left is the mirror", "\(found), expected \(expected)")
      }
    }
  }

  /// Whether two elements are the same.
  ///
  /// Numbers that depend on where the viewport is may differ in their last bits, since the place of
  /// a mirrored one is rounded. Of frames, these are those of supplementary elements, which may be
  /// pinned.
  private static func isSame(_ left: Element, _ right: Element) -> Bool {
    func near(_ left: [Double], _ right: [Double]) -> Bool {
      left.count == right.count
        && zip(left, right).allSatisfy { ($0 - $1).magnitude <= 1e-6 * max(1, $0.magnitude) }
    }
    func numbers(_ frame: Rect) -> [Double] { [frame.x, frame.y, frame.width, frame.height] }
    let isPlaced =
      left.identity.category == .supplementary
      ? near(numbers(left.frame), numbers(right.frame)) : left.frame == right.frame
    return left.identity == right.identity && isPlaced
      && left.zIndex == right.zIndex && left.isHidden == right.isHidden
      && near([left.alpha], [right.alpha])
      && near(left.transform.elements, right.transform.elements)
      && near(left.attributes.flatMap(\.numbers), right.attributes.flatMap(\.numbers))
  }

  /// An attribute mirrored in the frame of its element.
  private static func mirror(_ value: Value, in width: Double) -> Value {
    if let point = Point(value) { return .point(Point(x: width - point.x, y: point.y)) }
    if let rect = Rect(value) {
      let left = width - rect.x - rect.width
      return .rect(Rect(x: left, y: rect.y, width: rect.width, height: rect.height))
    }
    guard let insets = Insets(value) else { return value }
    return .insets(
      Insets(top: insets.top, left: insets.right, bottom: insets.bottom, right: insets.left))
  }

  /// The transform between two mirrorings: the row and the column of x change their sign.
  private static func mirror(_ transform: Transform) -> Transform {
    let numbers = transform.elements.enumerated().map { index, number in
      (index / 4 == 0) == (index % 4 == 0) ? number : -number
    }
    return Transform(elements: numbers) ?? transform
  }
}
