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
