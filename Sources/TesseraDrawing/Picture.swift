import TesseraGeometry
import TesseraHost

/// How sections scroll across the others, by their numbers: where they stop, and where they start, in points.
public typealias Swipes = [Int: (stops: String, start: Double)]

/// A picture of one layout: its elements, the viewport, and which part of the content to show.
public struct Picture<Content: RandomAccessCollection> where Content.Element == Element {
  /// Which part of the content a picture shows.
  public enum Extent: Equatable, Sendable {
    /// All content, with elements that overhang it and the viewport.
    case content
    case viewport
    /// A rectangle of the content, in points.
    case rect(Rect)
  }

  /// The engine's display name.
  public var engineName: String
  /// The engine's id.
  public var engineID: String
  /// The size of the content, in points.
  public var contentSize: Size
  /// The bounds at the scroll offset, in points of the content.
  public var viewport: Rect
  /// The elements in listing order; hidden elements are counted but not drawn.
  public var elements: Content
  /// The names of the engine's own attributes, in the order of `Element.attributes`.
  ///
  /// Two attributes are drawn, whichever engine declares them. `maskingValue`, a number, dims its
  /// element, from 0 (not at all) to 1 (fully). `contentRect`, a rect measured from the corner of the
  /// frame, is where a cell shows its picture; the rest of the cell is paler, and what overhangs the
  /// cell is not drawn.
  public var attributeNames: [String] = []
  /// The scrollable margins around the content, in points.
  public var contentInsets = Insets.zero
  /// The display scale of the layout, in pixels per point.
  public var scale = 1.0
  /// The layout direction.
  public var direction = LayoutDirection.leftToRight
  /// Which part of the content is shown.
  public var extent = Extent.content
  /// How the picture is drawn as SVG.
  public var style = DrawingStyle()
  /// Returns the label of a cell, or nil where it has none.
  public var label: ((_ section: Int, _ item: Int) -> String?)?
  /// Returns the text of a supplementary element or decoration, such as "9:00", or nil where it shows its
  /// name.
  public var title: ((Element) -> String?)?
  /// The engine's kinds, whose roles decide how elements look.
  public var kinds: [KindDescription] = []
  /// Returns the image that a cell shows, or nil where it shows none.
  public var image: ((_ section: Int, _ item: Int) -> CellImage?)?
  /// How sections scroll across the others, by their numbers.
  ///
  /// Each is `continuous` or says where the section stops, as the value `orthogonal` of an engine names it,
  /// and how far it is scrolled at first, in points. Pages let a reader scroll them.
  public var swipes: Swipes = [:]
  /// Whether elements are where the scrolling of `swipes` has brought them, or else where they are without it.
  public var isSwiped = true
  /// How images fill cells for which the engine has no `contentRect`.
  public var fit = ImageFit.cover

  /// Creates a picture of all content, without labels; set the other properties afterwards.
  public init(
    engineName: String, engineID: String, contentSize: Size, viewport: Rect, elements: Content
  ) {
    (self.engineName, self.engineID, self.contentSize) = (engineName, engineID, contentSize)
    (self.viewport, self.elements) = (viewport, elements)
  }
}

/// An image file that a cell shows.
public struct CellImage: Equatable, Sendable {
  /// The address of the image, relative to the drawing, or as a `data:` address.
  public var address: String
  /// Its size in pixels; nil if it is unknown.
  public var size: Size?
  /// What it shows, in words; empty if it does not say it.
  public var caption = ""
  /// Smaller copies of it, each with its size, from which a page chooses.
  public var copies: [CellImage] = []

  /// An image of a size in pixels.
  public init(address: String, size: Size? = nil) { (self.address, self.size) = (address, size) }

  /// The address for an attribute.
  public var markup: Markup {
    // The long ones have nothing to escape.
    let bytes = Array(address.utf8)
    let isPlain = bytes.allSatisfy { byte in
      byte > 0x20 && byte < 0x7F && !"&<>\"'".utf8.contains(byte)
    }
    return isPlain ? Markup(bytes) : "\(address)"
  }
}

/// How an image fills a rectangle.
public enum ImageFit: String, CaseIterable, Sendable {
  /// It covers the rectangle, and what overhangs is cut off.
  case cover
  /// All of it is seen, in the middle of the rectangle.
  case contain
  /// It is stretched to the rectangle.
  case fill

  /// The value of SVG's `preserveAspectRatio`.
  var aspectRatio: Markup {
    switch self {
    case .cover: "xMidYMid slice"
    case .contain: "xMidYMid meet"
    case .fill: "none"
    }
  }
}

extension Picture {
  /// The image that an element shows; nil if it shows none.
  public func image(of element: Element) -> CellImage? {
    let identity = element.identity
    return identity.category == .cell ? image?(identity.section, identity.item) : nil
  }

  /// The content with its insets: everything that can be scrolled to.
  public var scrollableRect: Rect {
    Rect(
      x: -contentInsets.left, y: -contentInsets.top,
      width: max(0, contentSize.width + contentInsets.left + contentInsets.right),
      height: max(0, contentSize.height + contentInsets.top + contentInsets.bottom))
  }

  /// The farthest that a drawing reaches, in points: further out, its numbers have no digits left.
  private static var limit: Double { 1e15 }

  /// The size of what a drawing shows, in points, without what overhangs the content.
  ///
  /// Throws `.invalidValue` if numbers do not reach that far.
  public func shownSize() throws(HostError) -> Size {
    let rect =
      switch extent {
      case .content: scrollableRect
      case .viewport: viewport
      case .rect(let rect): rect
      }
    guard max(rect.minX.magnitude, rect.maxX.magnitude) <= Self.limit,
      max(rect.minY.magnitude, rect.maxY.magnitude) <= Self.limit
    else {
      let what = extent == .content ? "content" : "part of the content"
      throw HostError(
        .invalidValue,
        "the \(what) is \(rect.width.readableText) × \(rect.height.readableText) points from "
          + "\(rect.x.readableText),\(rect.y.readableText), and a drawing reaches 1e15 points; give "
          + "smaller lengths, or \(extent == .content ? "--visible" : "another --rect")")
    }
    return rect.size
  }

  /// The part of the content that is drawn, in points; both sides are at least 1.
  ///
  /// A picture of all content extends as far as elements overhang the content, but at most by half
  /// the content's own size, so that one stray element does not make all others tiny.
  public func region(of drawnElements: DrawnElements) -> Rect {
    var region: Rect
    switch extent {
    case .viewport: region = viewport
    case .rect(let rect): region = rect
    case .content:
      region = scrollableRect
      region.formUnion(viewport)
      let reach = Rect(
        x: region.x - region.width / 2, y: region.y - region.height / 2,
        width: region.width * 2, height: region.height * 2)
      if let overhang = drawnElements.bounds?.clipped(to: reach) { region.formUnion(overhang) }
    }
    region.width = max(region.width, 1)
    region.height = max(region.height, 1)
    return region
  }

  /// The elements that are drawn, in their order.
  ///
  /// - Complexity: O(*n* log *n*), O(*n*) where the elements are already in drawing order.
  public var drawnElements: DrawnElements { DrawnElements(elements, middle: viewport.middle) }

  /// "20 cells, 2 headers, 1 hidden".
  func summary(of drawnElements: DrawnElements) -> String {
    var parts = drawnElements.kinds.map { tally in
      "\(tally.count) \(tally.name)\(tally.count == 1 ? "" : "s")"
    }
    if parts.isEmpty { parts = ["no elements"] }
    if drawnElements.hiddenCount > 0 { parts.append("\(drawnElements.hiddenCount) hidden") }
    if direction == .rightToLeft { parts.append("right to left") }
    return parts.joined(separator: ", ")
  }

  /// "375 × 1809": the size of the content.
  var extentText: String {
    "\(contentSize.width.readableText) × \(contentSize.height.readableText)"
  }
}

/// One pass over all elements: their drawing order, their bounds, and how many there are of each
/// kind.
public struct DrawnElements {
  /// The offsets of the elements that are not hidden, from back to front.
  public private(set) var order: [Int] = []
  /// The smallest rectangle around everything that is not hidden; nil where there is nothing.
  public private(set) var bounds: Rect?
  /// One entry for each kind, cells first, then in the order in which they first appear.
  private(set) var kinds: [(category: ElementCategory, name: String, count: Int)] = []
  private(set) var hiddenCount = 0
  /// The hues of all elements, hidden ones too.
  private(set) var hues: Set<Int> = []

  /// - Parameter middle: The middle of the viewport.
  /// - Complexity: O(*n* log *n*), O(*n*) where the elements are already in drawing order.
  init<Content: RandomAccessCollection>(
    _ elements: Content, middle: Point
  ) where Content.Element == Element {
    var last: DrawingPlace?
    var isSorted = true
    var section: Int?
    order.reserveCapacity(elements.count)
    for (offset, element) in elements.enumerated() {
      if element.identity.section != section {
        section = element.identity.section
        hues.insert(Palette.hue(section: element.identity.section))
      }
      if element.isHidden {
        hiddenCount += 1
        continue
      }
      count(element.identity)
      let projection = element.transform == .identity ? nil : Projection(element)
      reach(projection.map { Rect(around: $0.outline) } ?? element.frame)
      let key = Self.place(of: element, projection, offset: offset, middle: middle)
      if let last, key < last { isSorted = false }
      last = key
      order.append(offset)
    }
    guard !isSorted else { return }
    let start = elements.startIndex
    let keys = order.map { offset in
      let element = elements[elements.index(start, offsetBy: offset)]
      let projection = element.transform == .identity ? nil : Projection(element)
      return Self.place(of: element, projection, offset: offset, middle: middle)
    }
    order = keys.sorted(by: <).map(\.offset)
  }

  /// The index of an element's entry in `kinds`.
  func kindIndex(of identity: ElementIdentity) -> Int? {
    kinds.firstIndex { kind in
      kind.category == identity.category
        && (identity.kind == nil || kind.name == identity.kind)
    }
  }

  private mutating func count(_ identity: ElementIdentity) {
    if identity.category == .cell, kinds.first?.category == .cell {
      kinds[0].count += 1
      return
    }
    if let index = kindIndex(of: identity) {
      kinds[index].count += 1
    } else {
      let name = identity.kind ?? identity.category.name
      let place = identity.category == .cell ? 0 : kinds.count
      kinds.insert((identity.category, name, 1), at: place)
    }
  }

  private mutating func reach(_ rect: Rect?) {
    guard let rect, rect.isFinite else { return }
    if bounds == nil { bounds = rect } else { bounds?.formUnion(rect) }
  }
}

extension DrawnElements {
  /// The place of an element in the drawing order: by z index, then by how near the transform brings the
  /// element, then by category, then by how near the element's plane is in the middle of the viewport,
  /// then in listing order.
  ///
  /// Without z indexes, decorations are behind cells and headers in front of them.
  private typealias DrawingPlace = (
    zIndex: Int, depth: Double, layer: Int, lean: Double, offset: Int
  )

  private static func place(
    of element: Element, _ projection: Projection?, offset: Int, middle: Point
  ) -> DrawingPlace {
    let layer =
      switch element.identity.category {
      case .decoration: 0
      case .cell: 1
      case .supplementary: 2
      }
    return (
      element.zIndex, projection?.depth ?? 0, layer, projection?.depth(at: middle) ?? 0, offset
    )
  }
}
