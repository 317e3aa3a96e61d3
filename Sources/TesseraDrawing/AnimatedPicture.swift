import TesseraGeometry
import TesseraHost

/// A picture of the change from one layout to another.
///
/// An element keeps its number, colour and label from the layout before. A new cell gets the next
/// free number in its section, and its label in the layout after.
///
/// The properties of `still` apply to every moment, but its elements, sizes and viewport; its label
/// is that of a cell by its identity in the layout after, or before if it disappears. An animation
/// is not cut into strips.
@dynamicMemberLookup
public struct AnimatedPicture {
  var still: Picture<[Element]>
  /// The tracks of the elements.
  public var animation: LayoutAnimation
  /// The viewport size in points.
  public var bounds: Size
  /// The duration in seconds; 0.5 unless above 0.
  public var duration = 0.5

  /// Creates a picture of all content without labels; the name and id are of the engine, or of both.
  public init(engineName: String, engineID: String, animation: LayoutAnimation, bounds: Size) {
    (self.animation, self.bounds) = (animation, bounds)
    still = Picture(
      engineName: engineName, engineID: engineID, contentSize: .zero, viewport: .zero, elements: [])
  }

  /// A property of the pictures.
  public subscript<Property>(
    dynamicMember path: WritableKeyPath<Picture<[Element]>, Property>
  ) -> Property {
    get { still[keyPath: path] }
    set { still[keyPath: path] = newValue }
  }

  /// A still of the animation at a progress of 0...1; O(*n*).
  public func picture(at progress: Double) -> Picture<[Element]> {
    let names = animation.names
    var elements = animation.elements(at: progress)
    let present = animation.tracks.indices.filter { index in
      let track = animation.tracks[index]
      return progress >= 1 ? track.after != nil : progress > 0 || track.before != nil
    }
    for (place, index) in zip(elements.indices, present) { elements[place].identity = names[index] }
    var picture = still(
      elements, contentSize: animation.contentSize(at: progress),
      viewport: Rect(origin: animation.offset(at: progress), size: bounds))
    picture.label = labels(names)
    return picture
  }

  private func labels(_ names: [ElementIdentity]) -> ((Int, Int) -> String?)? {
    guard still.label != nil else { return nil }
    var labels: [ElementIdentity: String] = [:]
    for (name, track) in zip(names, animation.tracks) { labels[name] = label(of: track) }
    return { labels[.cell(section: $0, item: $1)] }
  }

  func label(of track: AnimationTrack) -> String? {
    let identity = track.identity
    guard identity.category == .cell else { return nil }
    return still.label?(identity.section, identity.item)
  }

  func still(_ elements: [Element], contentSize: Size, viewport: Rect) -> Picture<[Element]> {
    var picture = still
    (picture.elements, picture.contentSize, picture.viewport) = (elements, contentSize, viewport)
    picture.attributeNames = animation.attributes.map(\.name)
    return picture
  }
}

/// The constants of an animation.
struct Scene {
  /// The tracks in drawing order, each halfway; hidden if hidden at both ends.
  let picture: Picture<[Element]>
  /// The order after, or before if only that layout has transforms.
  let drawnElements: DrawnElements
  /// Points.
  let region: Rect
  /// "20 cells, 2 headers; 1 appears".
  let summary: String
  /// "375 × 700 → 776".
  let extentText: String
}

extension AnimatedPicture {
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
    if still.extent == .viewport { picture.extent = .rect(reach) }
    let everywhere = DrawnElements(
      middles + animation.tracks.flatMap { [$0.from, $0.to] }, middle: reach.middle)
    let region = picture.region(of: everywhere)
    picture.viewport = start
    let drawnElements = stacking
    return Scene(
      picture: picture, drawnElements: drawnElements, region: region,
      summary: picture.summary(of: drawnElements) + changes, extentText: extentText)
  }

  /// An SVG animation can't change the drawing order.
  private var stacking: DrawnElements {
    let isTransformed = animation.tracks.contains { $0.to.transform != .identity }
    let poses = animation.tracks.map { track -> Element in
      var pose = isTransformed ? track.to : track.from
      pose.identity = track.identity
      pose.zIndex = track.to.zIndex
      pose.isHidden = track.from.isHidden && track.to.isHidden
      return pose
    }
    let offset = isTransformed ? animation.offsetAfter : animation.offsetBefore
    return DrawnElements(poses, middle: Rect(origin: offset, size: bounds).middle)
  }

  /// "375 × 700", "375 × 700 → 776", "375 → 780 × 700" or "375 × 700 → 780 × 776".
  private var extentText: String {
    let (before, after) = (animation.contentSizeBefore, animation.contentSizeAfter)
    let (width, height) = (before.width.readableText, before.height.readableText)
    let (newWidth, newHeight) = (after.width.readableText, after.height.readableText)
    if width == newWidth {
      return "\(width) × \(height)" + (height == newHeight ? "" : " → \(newHeight)")
    }
    return "\(width)" + (height == newHeight ? "" : " × \(height)")
      + " → \(newWidth) × \(newHeight)"
  }

  /// "; 2 appear, 1 disappears", or empty.
  private var changes: String {
    let appearing = animation.tracks.count { $0.before == nil }
    let leaving = animation.tracks.count { $0.after == nil }
    let parts = [(appearing, "appear"), (leaving, "disappear")].filter { $0.0 > 0 }
      .map { "\($0.0) \($0.1)\($0.0 == 1 ? "s" : "")" }
    return parts.isEmpty ? "" : "; " + parts.joined(separator: ", ")
  }
}

extension LayoutAnimation {
  /// Elements keep their names; new sections and cells get the next free number.
  var names: [ElementIdentity] {
    let sections = sectionNames
    var next: [Int: Int] = [:]
    for case let before? in tracks.lazy.map(\.before) where before.category == .cell {
      next[before.section] = max(next[before.section] ?? 0, before.item + 1)
    }
    return tracks.map { track in
      if let before = track.before { return before }
      var name = track.identity
      name.section = sections[name.section] ?? name.section
      if name.category == .cell {
        name.item = next[name.section] ?? 0
        next[name.section] = name.item + 1
      }
      return name
    }
  }

  /// A section has the old name of most of its elements, or else its number if free.
  private var sectionNames: [Int: Int] {
    var origins: [Int: [Int: Int]] = [:]
    var used: Set<Int> = []
    for track in tracks {
      if let before = track.before { used.insert(before.section) }
      guard let after = track.after else { continue }
      if let before = track.before {
        origins[after.section, default: [:]][before.section, default: 0] += 1
      } else {
        origins[after.section] = origins[after.section] ?? [:]
      }
    }
    var names: [Int: Int] = [:]
    for (section, counts) in origins.sorted(by: { $0.key < $1.key }) {
      let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
      let free = used.contains(section) ? (used.max() ?? -1) + 1 : section
      names[section] = most?.key ?? free
      used.insert(most?.key ?? free)
    }
    return names
  }
}

extension AnimationTrack {
  /// Such as "cell 3 of section 0 → cell 4 of section 0".
  var title: String {
    guard let before, let after, before != after else { return identity.description }
    return "\(before) → \(after)"
  }

  /// Before, during and after the movement.
  var visibility: [Bool] {
    [before != nil && !from.isHidden, !to.isHidden, after != nil && !to.isHidden]
  }
}

// A rest, the movement, a rest, in seconds.
extension AnimatedPicture {
  static let (restBefore, restAfter) = (0.6, 1.0)
  /// Straight pieces that approximate the path of transformed elements.
  private static let pieces = 30
  static let samples = (0...pieces).map { Double($0) / Double(pieces) }

  var seconds: Double { duration > 0 ? min(max(duration, 0.01), 86_400) : 0.5 }

  var cycle: Double { Self.restBefore + seconds + Self.restAfter }

  /// The fraction of the loop before a progress of 0...1.
  func moment(_ progress: Double) -> Double {
    let part = (Self.restBefore + seconds * progress) / cycle
    return (part * 1e6).rounded() / 1e6
  }
}
