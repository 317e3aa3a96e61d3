import TesseraGeometry
import TesseraHost

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
