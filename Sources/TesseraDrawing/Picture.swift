import TesseraGeometry
import TesseraHost

/// A laid-out collection as something to look at: what was laid out, where the viewport was, and
/// what of it to show.
///
/// It is drawn with `svg()` and `html()`, or streamed out with `writeSVG(to:)` and
/// `writeHTML(to:)`. Any finite numbers give a valid picture, however little or much there is.
public struct Picture<Content: RandomAccessCollection> where Content.Element == Element {
  /// Which part of the content is shown.
  public enum Extent: Equatable, Sendable {
    /// All of it, with what overhangs and the viewport.
    case content
    /// What the viewport shows.
    case viewport
    /// What lies in a rectangle of the content, in points.
    case rect(Rect)
  }

  /// The engine's name, for people.
  public var engineName: String
  /// The engine's id.
  public var engineID: String
  /// The content's extent, in points.
  public var contentSize: Size
  /// The bounds at their offset, in points of the content.
  public var viewport: Rect
  /// The elements in the order of listings; hidden ones are counted but not drawn.
  public var elements: Content
  /// The names of the engine's own attributes, in the order of `Element.attributes`.
  ///
  /// Two of them are drawn, whichever engine it is. `maskingValue`, a number, dims its element, from
  /// 0 (not at all) to 1 (all dark). `contentRect`, a rect measured from the corner of the frame, is
  /// where a cell shows its picture; the cell is paler round it, and what overhangs is not drawn.
  public var attributeNames: [String]
  /// The scrollable margin round the content, in points.
  public var contentInsets: Insets
  /// Pixels a point of the display that was laid out for.
  public var scale: Double
  /// Which way the content reads.
  public var direction: LayoutDirection
  /// Which part of the content is shown.
  public var extent: Extent
  /// A cell's label by section and item, or nil where it has none.
  public var label: ((_ section: Int, _ item: Int) -> String?)?

  /// A picture of all content without labels; the other properties are set afterwards.
  public init(
    engineName: String, engineID: String, contentSize: Size, viewport: Rect, elements: Content
  ) {
    self.engineName = engineName
    self.engineID = engineID
    self.contentSize = contentSize
    self.viewport = viewport
    self.elements = elements
    attributeNames = []
    contentInsets = .zero
    scale = 1
    direction = .leftToRight
    extent = .content
  }

  /// The content with its insets: all that can be scrolled to.
  var scrollableRect: Rect {
    Rect(origin: .zero, size: contentSize).inset(
      by: Insets(
        top: -contentInsets.top, left: -contentInsets.left, bottom: -contentInsets.bottom,
        right: -contentInsets.right))
  }

  func element(at offset: Int) -> Element {
    elements[elements.index(elements.startIndex, offsetBy: offset)]
  }
}

extension Picture {
  /// The part of the content that is drawn, in points; both sides above 0.
  ///
  /// With all content it reaches as far as the elements overhang, though not more than half the
  /// content's own extent, so that one stray element cannot make all others tiny.
  func region(of survey: Survey) -> Rect {
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
      if let overhang = survey.bounds?.clipped(to: reach) { region.formUnion(overhang) }
    }
    region.width = max(region.width, 1)
    region.height = max(region.height, 1)
    return region
  }
}

extension Picture {
  /// "20 cells, 2 headers, 1 hidden".
  func summary(of survey: Survey) -> String {
    var parts = survey.tallies.map { tally in
      "\(tally.count) \(tally.name)\(tally.count == 1 ? "" : "s")"
    }
    if parts.isEmpty { parts = ["no elements"] }
    if survey.hiddenCount > 0 { parts.append("\(survey.hiddenCount) hidden") }
    if direction == .rightToLeft { parts.append("right to left") }
    return parts.joined(separator: ", ")
  }

  /// "375 × 1809": the content's extent.
  var extentText: String {
    let extent: Markup = "\(contentSize.width) × \(contentSize.height)"
    return extent.text
  }
}

extension ElementIdentity {
  /// What a picture calls it: "cell 0.3", "header 1", and "badge 1.2" where the item is not 0.
  var name: String {
    guard let kind else { return "\(category.name) \(section).\(item)" }
    return item == 0 ? "\(kind) \(section)" : "\(kind) \(section).\(item)"
  }
}
