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

/// When what happens in an animated picture that runs over and over: the layout before rests for a
/// moment, the elements move, and the layout after rests a little longer.
struct Timeline {
  /// How long the movement takes, in seconds.
  let duration: Double
  /// How long the layout before rests.
  static let restBefore = 0.6
  /// How long the layout after rests.
  static let restAfter = 1.0
  /// How many straight pieces stand for the way of what is transformed.
  static let pieces = 30

  /// - Parameter duration: what is no length of time counts as half a second, a day as the longest.
  init(duration: Double) {
    self.duration = duration > 0 ? min(max(duration, 0.01), 86_400) : 0.5
  }

  /// How long all of it takes.
  var cycle: Double { Self.restBefore + duration + Self.restAfter }

  /// Which part of the cycle has passed when the movement has come so far.
  func moment(_ progress: Double) -> Double {
    let part = (Self.restBefore + duration * progress) / cycle
    return (part * 1e6).rounded() / 1e6
  }

  /// The progresses at which the way of what is transformed is told.
  static let samples = (0...pieces).map { Double($0) / Double(pieces) }
}

extension AnimatedPicture {
  var timeline: Timeline { Timeline(duration: duration) }
}

/// What of an animation stays the same all the way: where it takes place, who comes before whom,
/// what is said of it.
struct Scene {
  /// The tracks of `survey.order`, each at half of its way; hidden where it is so at both ends.
  let picture: Picture<[Element]>
  /// Who there is, and in which order they are drawn: that of the layout after, or by depth that of
  /// the layout before where only there something is transformed.
  let survey: Survey
  /// The part of the content that is drawn, in points.
  let region: Rect
  /// "20 cells, 2 headers; 1 appears".
  let summary: String
  /// "375 × 700", with what becomes of it: "375 × 700 → 776".
  let extentText: String
}

extension AnimatedPicture {
  /// - Complexity: O(*n* log *n*).
  var scene: Scene {
    let before = animation.contentSizeBefore
    let after = animation.contentSizeAfter
    let start = Rect(origin: animation.offsetBefore, size: bounds)
    var reach = start
    reach.formUnion(Rect(origin: animation.offsetAfter, size: bounds))
    let middles = animation.tracks.map { track -> Element in
      var middle = track.element(at: 0.5, attributes: animation.attributes)
      middle.isHidden = track.from.isHidden && track.to.isHidden
      return middle
    }
    let largest = Size(
      width: max(before.width, after.width), height: max(before.height, after.height))
    var picture = still(middles, contentSize: largest, viewport: reach)
    if extent == .viewport { picture.extent = .rect(reach) }
    let everywhere = Survey(
      middles + animation.tracks.flatMap { [$0.from, $0.to] }, middle: reach.middle)
    let region = picture.region(of: everywhere)
    picture.viewport = start
    let survey = stacking
    return Scene(
      picture: picture, survey: survey, region: region,
      summary: picture.summary(of: survey) + comings,
      extentText: way(before, after))
  }

  /// All tracks in one order that holds all the way, as drawing cannot change it.
  private var stacking: Survey {
    let isTurned = animation.tracks.contains { $0.to.transform != .identity }
    let poses = animation.tracks.map { track -> Element in
      var pose = isTurned ? track.to : track.from
      pose.identity = track.identity
      pose.zIndex = track.to.zIndex
      pose.isHidden = track.from.isHidden && track.to.isHidden
      return pose
    }
    let offset = isTurned ? animation.offsetAfter : animation.offsetBefore
    return Survey(poses, middle: Rect(origin: offset, size: bounds).middle)
  }

  /// "375 × 700", "375 × 700 → 776", "375 → 780 × 700" or "375 × 700 → 780 × 776".
  private func way(_ before: Size, _ after: Size) -> String {
    let (width, height): (Markup, Markup) = ("\(before.width)", "\(before.height)")
    let (wider, higher): (Markup, Markup) = ("\(after.width)", "\(after.height)")
    let way: Markup =
      switch (before.width == after.width, before.height == after.height) {
      case (true, true): "\(width) × \(height)"
      case (true, false): "\(width) × \(height) → \(higher)"
      case (false, true): "\(width) → \(wider) × \(height)"
      case (false, false): "\(width) × \(height) → \(wider) × \(higher)"
      }
    return way.text
  }

  /// "; 2 appear, 1 disappears", or nothing.
  private var comings: String {
    let appearing = animation.tracks.count { $0.before == nil }
    let leaving = animation.tracks.count { $0.after == nil }
    let parts = [(appearing, "appear"), (leaving, "disappear")].filter { $0.0 > 0 }
      .map { "\($0.0) \($0.1)\($0.0 == 1 ? "s" : "")" }
    return parts.isEmpty ? "" : "; " + parts.joined(separator: ", ")
  }
}
