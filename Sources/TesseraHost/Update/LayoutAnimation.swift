import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

/// An animation from one layout to another, with a track for each element of both.
public struct LayoutAnimation: Sendable {
  /// The tracks in listing order: by section, category, kind and item of `AnimationTrack.identity`;
  /// among equals, disappearing elements come last.
  public let tracks: AnimationTracks
  /// The descriptions of the elements' attributes.
  public let attributes: [AttributeDescription]
  /// The size of the content at the start, in points.
  public let contentSizeBefore: Size
  /// The size of the content at the end, in points.
  public let contentSizeAfter: Size
  /// The scroll offset at the start, in points of the content.
  public let offsetBefore: Point
  /// The scroll offset at the end, in points of the content.
  public let offsetAfter: Point

  /// Creates an animation from tracks in any order.
  ///
  /// - Complexity: O(*n*) if the tracks are in listing order, else O(*n* log *n*).
  public init(
    tracks: some Sequence<AnimationTrack>, attributes: [AttributeDescription],
    contentSizeBefore: Size, contentSizeAfter: Size, offsetBefore: Point, offsetAfter: Point
  ) {
    let sorted = Array(tracks).inListingOrder(\.place)
    self.init(
      AnimationTracks(sorted), attributes: attributes, contentSizeBefore: contentSizeBefore,
      contentSizeAfter: contentSizeAfter, offsetBefore: offsetBefore, offsetAfter: offsetAfter)
  }

  init(
    _ tracks: AnimationTracks, attributes: [AttributeDescription], contentSizeBefore: Size,
    contentSizeAfter: Size, offsetBefore: Point, offsetAfter: Point
  ) {
    self.tracks = tracks
    self.attributes = attributes
    self.contentSizeBefore = contentSizeBefore
    self.contentSizeAfter = contentSizeAfter
    self.offsetBefore = offsetBefore
    self.offsetAfter = offsetAfter
  }

  /// Returns the reverse animation: elements that appeared disappear, and stepped values step back.
  public func reversed() -> LayoutAnimation {
    LayoutAnimation(
      tracks: tracks.map(\.reversed), attributes: attributes,
      contentSizeBefore: contentSizeAfter, contentSizeAfter: contentSizeBefore,
      offsetBefore: offsetAfter, offsetAfter: offsetBefore)
  }

  /// Returns the elements at a moment of the animation, in the order of `tracks`.
  ///
  /// At 0 they are exactly those of the first layout, at 1 exactly those of the second; in between they
  /// are those of both, each with its `AnimationTrack.identity`. Frames, alpha and linear attributes
  /// are interpolated linearly; transforms by translation, rotation, scale, skew and perspective. In
  /// between, z index, visibility, bools, choices and step attributes have their new values, and
  /// attributes without interpolation have their old values.
  ///
  /// - Parameter progress: 0...1; values outside are clamped, NaN counts as 0.
  /// - Complexity: O(*n*).
  public func elements(at progress: Double) -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(tracks.count)
    for track in tracks where track.isPresent(at: progress) {
      elements.append(track.element(at: progress, attributes: attributes))
    }
    return elements
  }

  /// Returns the position in `tracks` of each element that `elements(at:)` returns.
  ///
  /// - Complexity: O(*n*).
  public func trackPositions(at progress: Double) -> [Int] {
    tracks.indices.filter { tracks[$0].isPresent(at: progress) }
  }

  /// Returns the size of the content in points; `progress` is that of `elements(at:)`.
  public func contentSize(at progress: Double) -> Size {
    contentSizeBefore.interpolated(to: contentSizeAfter, progress.isNaN ? 0 : progress)
  }

  /// Returns the scroll offset; `progress` is that of `elements(at:)`.
  public func offset(at progress: Double) -> Point {
    offsetBefore.interpolated(to: offsetAfter, progress.isNaN ? 0 : progress)
  }

  /// Returns a snapshot of the layout, from which another animation can start.
  ///
  /// - Parameter progress: That of `elements(at:)`.
  /// - Complexity: O(*n*).
  public func moment(at progress: Double) -> LayoutMoment {
    LayoutMoment(
      elements: elements(at: progress), attributes: attributes,
      contentSize: contentSize(at: progress), offset: offset(at: progress))
  }
}

extension AnimationTrack {
  /// Whether the element is in the layout at a moment: an appearing element is not there at 0, a
  /// disappearing one not at 1.
  fileprivate func isPresent(at progress: Double) -> Bool {
    progress >= 1 ? after != nil : progress > 0 || before != nil
  }
}

extension LayoutAnimation {
  /// Creates the transition from one layout to another over the same items.
  ///
  /// Elements are paired by category, kind, section and item. An element of only the first layout fades
  /// out in place; an element of only the second fades in at its final place. The attributes are those
  /// of both layouts by name; an element without a value for an attribute starts or ends with its
  /// initial value. If two attributes have the same name but different types, the second layout's is
  /// used.
  ///
  /// To turn around midway, start a new transition from `moment(at:)`, or play `reversed()` from
  /// 1 - progress.
  ///
  /// - Complexity: O(*n*).
  public init(from before: LayoutMoment, to after: LayoutMoment) {
    let attributes = Self.union(before.attributes, after.attributes)
    var layouts = PairedLayouts(before.elements, after.elements, nil)
    layouts.adopt(
      (
        AttributeAdoption(from: before.attributes, to: attributes),
        AttributeAdoption(from: after.attributes, to: attributes)
      ))
    self.init(
      AnimationTracks(layouts), attributes: attributes, contentSizeBefore: before.contentSize,
      contentSizeAfter: after.contentSize, offsetBefore: before.offset, offsetAfter: after.offset)
  }

  /// The attributes of the first layout, replaced by those of the second with the same name, then the
  /// second's other attributes.
  static func union(
    _ before: [AttributeDescription], _ after: [AttributeDescription]
  ) -> [AttributeDescription] {
    let names = Set(before.map(\.name))
    return before.map { old in after.first { $0.name == old.name } ?? old }
      + after.filter { !names.contains($0.name) }
  }
}

/// Converts an element's values from one list of attributes to another.
struct AttributeAdoption: Sendable {
  /// For each attribute of the result, the index of the value to use, and its initial value if there
  /// is none.
  let sources: [(index: Int?, initial: Value)]
  let isNeeded: Bool

  init(from old: [AttributeDescription], to new: [AttributeDescription]) {
    sources = new.map { wanted in
      (old.firstIndex { $0.name == wanted.name && $0.type == wanted.type }, wanted.initial)
    }
    isNeeded = !sources.isEmpty
  }

  func adopted(_ element: Element) -> Element {
    guard isNeeded else { return element }
    var element = element
    let values = element.attributes
    element.attributes = sources.map { source in
      source.index.flatMap { values.indices.contains($0) ? values[$0] : nil } ?? source.initial
    }
    return element
  }
}

/// How one element moves, appears or disappears in an animation.
public struct AnimationTrack: Equatable, Sendable {
  /// The identity of the element in the first layout; nil if it appears.
  public let before: ElementIdentity?
  /// The identity of the element in the second layout; nil if it disappears.
  public let after: ElementIdentity?
  /// The element at the start.
  public internal(set) var from: Element
  /// The element at the end.
  public internal(set) var to: Element

  /// Creates the track of an element with its identities in the two layouts.
  public init(before: ElementIdentity?, after: ElementIdentity?, from: Element, to: Element) {
    self.before = before
    self.after = after
    self.from = from
    self.to = to
  }

  /// The identity of the element during the animation: that in the second layout, or that in the first
  /// if it disappears.
  public var identity: ElementIdentity { after ?? before ?? to.identity }

  /// The reverse track.
  public var reversed: AnimationTrack {
    AnimationTrack(before: after, after: before, from: to, to: from)
  }

  /// Returns the element at a moment of the animation.
  ///
  /// - Parameters:
  ///   - progress: From 0, exactly `from`, to 1, exactly `to`; values outside are clamped, NaN counts
  ///     as 0.
  ///   - attributes: The descriptions of the attributes, in their order in `from` and `to`; a value
  ///     without a description steps.
  public func element(at progress: Double, attributes: [AttributeDescription]) -> Element {
    var element = progress >= 1 ? to : from
    if progress > 0, progress < 1 {
      element = from.interpolated(to: to, progress, attributes: attributes)
    }
    element.identity = identity
    return element
  }
}

/// A snapshot of a layout, at rest or during an animation, from which an animation starts or at which
/// it ends.
public struct LayoutMoment: Sendable {
  /// The elements in listing order, each with a value for each of `attributes`.
  public let elements: Elements
  /// The size of the content in points.
  public let contentSize: Size
  /// The scroll offset in points of the content.
  public let offset: Point

  /// Creates a snapshot of elements in any order.
  public init(
    elements: [Element], attributes: [AttributeDescription] = [], contentSize: Size,
    offset: Point = .zero
  ) {
    self.init(
      elements: Elements(
        elements.indices.map { ListingPlace(elements[$0].identity, index: $0) }
          .inListingOrder { $0 }.map { elements[$0.index] },
        attributes: attributes), contentSize: contentSize, offset: offset)
  }

  /// Creates a snapshot of the result of a session.
  public init(elements: Elements, contentSize: Size, offset: Point = .zero) {
    self.elements = elements
    self.contentSize = contentSize
    self.offset = offset
  }

  /// The descriptions of the elements' attributes.
  public var attributes: [AttributeDescription] { elements.attributes }
}

/// The place of an element in listing order: by section, category, kind, item.
struct ListingPlace: Comparable {
  private let identity: ElementIdentity
  private let isLeaving: Bool
  /// The index of the element, which does not affect the order.
  let index: Int

  /// - Parameter isLeaving: Whether the element disappears; it then follows others with the same
  ///   identity.
  init(_ identity: ElementIdentity, isLeaving: Bool = false, index: Int = 0) {
    self.identity = identity
    self.isLeaving = isLeaving
    self.index = index
  }

  static func == (left: ListingPlace, right: ListingPlace) -> Bool {
    left.identity == right.identity && left.isLeaving == right.isLeaving
  }

  static func < (left: ListingPlace, right: ListingPlace) -> Bool {
    let (one, other) = (left.identity, right.identity)
    if one.section != other.section { return one.section < other.section }
    if one.category != other.category { return one.category < other.category }
    if one.kind != other.kind { return (one.kind ?? "") < (other.kind ?? "") }
    if one.item != other.item { return one.item < other.item }
    return !left.isLeaving && right.isLeaving
  }
}

extension Array {
  /// The array in listing order, sorted stably; returns itself if it is already sorted.
  fileprivate func inListingOrder(_ place: (Element) -> ListingPlace) -> [Element] {
    let isSorted = indices.dropFirst().allSatisfy { !(place(self[$0]) < place(self[$0 - 1])) }
    return isSorted ? self : sorted { place($0) < place($1) }
  }
}
