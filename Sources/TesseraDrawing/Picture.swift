import TesseraGeometry
import TesseraHost

/// Sections that scroll across the others: where they stop, and their start in points.
public typealias Swipes = [Int: (stops: String, start: Double)]

/// A picture of one layout.
public struct Picture<Content: RandomAccessCollection> where Content.Element == Element {
  /// The visible part of the content.
  public enum Extent: Equatable, Sendable {
    /// All content with overhanging elements and the viewport.
    case content
    case viewport
    /// In points.
    case rect(Rect)
  }

  /// The engine's display name.
  public var engineName: String
  /// The engine's id.
  public var engineID: String
  /// The content size in points.
  public var contentSize: Size
  /// The bounds at the scroll offset, in points.
  public var viewport: Rect
  /// The elements in listing order; hidden ones are counted but not drawn.
  public var elements: Content
  /// The names of the engine's attributes, in the order of `Element.attributes`.
  public var attributeNames: [String] = []
  /// The scrollable margins around the content, in points.
  public var contentInsets = Insets.zero
  /// Pixels per point.
  public var scale = 1.0
  /// The layout direction.
  public var direction = LayoutDirection.leftToRight
  /// The visible part of the content.
  public var extent = Extent.content
  /// The SVG style.
  public var style = DrawingStyle()
  /// The label of a cell, if any.
  public var label: ((_ section: Int, _ item: Int) -> String?)?
  /// The text of an element with a kind, such as "9:00"; if nil, its name.
  public var title: ((Element) -> String?)?
  /// The engine's kinds, whose roles select the looks.
  public var kinds: [KindDescription] = []
  /// The image of a cell, if any.
  public var image: ((_ section: Int, _ item: Int) -> CellImage?)?
  /// Values of `orthogonal` and initial offsets of sections that scroll across the others.
  public var swipes: Swipes = [:]
  /// Whether elements are where `swipes` has scrolled them.
  public var isSwiped = true
  /// How images fill cells without a `contentRect`.
  public var fit = ImageFit.cover

  /// Creates a picture of all content without labels.
  public init(
    engineName: String, engineID: String, contentSize: Size, viewport: Rect, elements: Content
  ) {
    (self.engineName, self.engineID, self.contentSize) = (engineName, engineID, contentSize)
    (self.viewport, self.elements) = (viewport, elements)
  }
}

/// The image of a cell.
public struct CellImage: Equatable, Sendable {
  /// A relative or `data:` URL.
  public var address: String
  /// The size in pixels, if known.
  public var size: Size?
  /// Alt text; empty if unknown.
  public var caption = ""
  /// Smaller copies with their sizes, from which a page chooses.
  public var copies: [CellImage] = []

  /// Creates an image with its size in pixels.
  public init(address: String, size: Size? = nil) { (self.address, self.size) = (address, size) }

  /// The URL for an attribute.
  public var markup: Markup {
    // A long URL needs no escape.
    let bytes = Array(address.utf8)
    let isPlain = bytes.allSatisfy { byte in
      byte > 0x20 && byte < 0x7F && !"&<>\"'".utf8.contains(byte)
    }
    return isPlain ? Markup(bytes) : "\(address)"
  }
}

/// How an image fills a rectangle.
public enum ImageFit: String, CaseIterable, Sendable {
  /// Covers the rectangle, cut at its edges.
  case cover
  /// Fits whole and centred.
  case contain
  /// Stretched.
  case fill

  var aspectRatio: Markup {
    switch self {
    case .cover: "xMidYMid slice"
    case .contain: "xMidYMid meet"
    case .fill: "none"
    }
  }
}

extension Picture {
  /// The image of an element, if any.
  public func image(of element: Element) -> CellImage? {
    let identity = element.identity
    return identity.category == .cell ? image?(identity.section, identity.item) : nil
  }

  /// The content with its insets.
  public var scrollableRect: Rect {
    Rect(
      x: -contentInsets.left, y: -contentInsets.top,
      width: max(0, contentSize.width + contentInsets.left + contentInsets.right),
      height: max(0, contentSize.height + contentInsets.top + contentInsets.bottom))
  }

  /// Points; further out, numbers lose their digits.
  private static var limit: Double { 1e15 }

  /// The drawn size in points; throws `.invalidValue` beyond the limit of coordinates.
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

  /// The drawn part of the content in points, at least 1 by 1.
  ///
  /// Limited to half the content's size around it: a stray element must not shrink all others.
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

  /// The drawn elements, in order; O(*n*) if already in drawing order, else O(*n* log *n*).
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

  /// "375 × 1809".
  var extentText: String {
    "\(contentSize.width.readableText) × \(contentSize.height.readableText)"
  }
}

/// Drawing order, bounds and kinds of all elements, in one pass.
public struct DrawnElements {
  /// The offsets of visible elements, from back to front.
  public private(set) var order: [Int] = []
  /// The bounding box of visible elements, if any.
  public private(set) var bounds: Rect?
  /// Cells first.
  private(set) var kinds: [(category: ElementCategory, name: String, count: Int)] = []
  private(set) var hiddenCount = 0
  private(set) var hues: Set<Int> = []

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
  /// Z index, depth by transform, category, nearness in the viewport's middle, listing order.
  ///
  /// Without z indexes, decorations are behind cells and headers in front.
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
