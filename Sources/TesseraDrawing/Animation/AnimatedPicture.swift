import TesseraGeometry
import TesseraHost

/// The way from one layout to another as something to watch.
///
/// It is drawn with `svg()` and `html()`, or streamed out with `writeSVG(to:)` and
/// `writeHTML(to:)`; one moment of it is `picture(at:)`. An element keeps its colour all the way:
/// that of its place in the layout after, or before where it disappears.
public struct AnimatedPicture {
  /// What moves, for people: the engine's name, or those of both.
  public var engineName: String
  /// The engine's id, or those of both.
  public var engineID: String
  /// The tracks of the elements.
  public var animation: LayoutAnimation
  /// The viewport's extent, in points.
  public var bounds: Size
  /// How long one run takes, in seconds; one that is no length of time counts as 0.5.
  public var duration: Double
  /// The scrollable margin round the content, in points.
  public var contentInsets: Insets
  /// Pixels a point of the display that was laid out for.
  public var scale: Double
  /// Which way the content reads.
  public var direction: LayoutDirection
  /// Which part of the content is shown.
  public var extent: Picture<[Element]>.Extent
  /// A cell's label by section and item of the layout after, or nil where it has none.
  public var label: ((_ section: Int, _ item: Int) -> String?)?
  /// The label of a cell that disappears, by section and item of the layout before.
  public var labelBefore: ((_ section: Int, _ item: Int) -> String?)?

  /// A picture of all content without labels that runs for half a second; the other properties are
  /// set afterwards.
  public init(engineName: String, engineID: String, animation: LayoutAnimation, bounds: Size) {
    self.engineName = engineName
    self.engineID = engineID
    self.animation = animation
    self.bounds = bounds
    duration = 0.5
    contentInsets = .zero
    scale = 1
    direction = .leftToRight
    extent = .content
  }

  /// The still of one moment, 0...1; what lies outside counts as the nearer end.
  ///
  /// - Complexity: O(*n*).
  public func picture(at progress: Double) -> Picture<[Element]> {
    var picture = still(
      animation.elements(at: progress), contentSize: animation.contentSize(at: progress),
      viewport: Rect(origin: animation.offset(at: progress), size: bounds))
    let staying = Set(animation.tracks.compactMap(\.after))
    let (label, labelBefore) = (label, labelBefore)
    if label != nil || labelBefore != nil {
      picture.label = { section, item in
        let isStaying = staying.contains(.cell(section: section, item: item))
        return isStaying ? label?(section, item) : labelBefore?(section, item)
      }
    }
    return picture
  }

  /// A picture with all that does not move.
  func still(_ elements: [Element], contentSize: Size, viewport: Rect) -> Picture<[Element]> {
    var picture = Picture(
      engineName: engineName, engineID: engineID, contentSize: contentSize, viewport: viewport,
      elements: elements)
    picture.attributeNames = animation.attributes.map(\.name)
    picture.contentInsets = contentInsets
    picture.scale = scale
    picture.direction = direction
    picture.extent = extent
    return picture
  }
}
