import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

/// An animation between two layouts, with a track for each element of both.
public struct LayoutAnimation: Sendable {
  /// In listing order of `AnimationTrack.identity`; among equals, disappearing elements last.
  public let tracks: AnimationTracks
  /// The elements' attributes.
  public let attributes: [AttributeDescription]
  /// The content size at the start, in points.
  public let contentSizeBefore: Size
  /// The content size at the end, in points.
  public let contentSizeAfter: Size
  /// The scroll offset at the start, in points.
  public let offsetBefore: Point
  /// The scroll offset at the end, in points.
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
    (self.tracks, self.attributes, self.contentSizeBefore) = (tracks, attributes, contentSizeBefore)
    (self.contentSizeAfter, self.offsetBefore) = (contentSizeAfter, offsetBefore)
    self.offsetAfter = offsetAfter
  }

  /// Returns the reverse animation.
  public func reversed() -> LayoutAnimation {
    LayoutAnimation(
      tracks: tracks.map(\.reversed), attributes: attributes,
      contentSizeBefore: contentSizeAfter, contentSizeAfter: contentSizeBefore,
      offsetBefore: offsetAfter, offsetAfter: offsetBefore)
  }

  /// Returns the elements at a moment, in the order of `tracks`.
  ///
  /// At 0 exactly the first layout's, at 1 exactly the second's, in between both. Frames, alpha and
  /// linear attributes interpolate linearly, transforms by their decompositions. In between,
  /// stepped values are new, and attributes without interpolation old.
  ///
  /// - Parameter progress: 0...1, clamped; NaN counts as 0.
  /// - Complexity: O(*n*).
  public func elements(at progress: Double) -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(tracks.count)
    for track in tracks where track.isPresent(at: progress) {
      elements.append(track.element(at: progress, attributes: attributes))
    }
    return elements
  }

  /// Returns the position in `tracks` of each element of `elements(at:)`.
  ///
  /// - Complexity: O(*n*).
  public func trackPositions(at progress: Double) -> [Int] {
    tracks.indices.filter { tracks[$0].isPresent(at: progress) }
  }

  /// Returns the content size at a moment, in points.
  public func contentSize(at progress: Double) -> Size {
    contentSizeBefore.interpolated(to: contentSizeAfter, progress.isNaN ? 0 : progress)
  }

  /// Returns the scroll offset at a moment, in points.
  public func offset(at progress: Double) -> Point {
    offsetBefore.interpolated(to: offsetAfter, progress.isNaN ? 0 : progress)
  }

  /// Returns a snapshot, from which another animation can start.
  ///
  /// - Complexity: O(*n*).
  public func moment(at progress: Double) -> LayoutMoment {
    LayoutMoment(
      elements: elements(at: progress), attributes: attributes,
      contentSize: contentSize(at: progress), offset: offset(at: progress))
  }
}

extension AnimationTrack {
  /// Appearing elements are absent at 0, disappearing ones at 1.
  fileprivate func isPresent(at progress: Double) -> Bool {
    progress >= 1 ? after != nil : progress > 0 || before != nil
  }
}

extension LayoutAnimation {
  /// Creates a transition between layouts of the same items.
  ///
  /// Elements pair by category, kind, section and item; others fade in place. Attributes are united
  /// by name; the second layout's win if types differ, and missing values are initial.
  ///
  /// To turn around midway, start from `moment(at:)`, or play `reversed()` from 1 - progress.
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

  /// The second layout's attribute wins on equal names.
  static func union(
    _ before: [AttributeDescription], _ after: [AttributeDescription]
  ) -> [AttributeDescription] {
    let names = Set(before.map(\.name))
    return before.map { old in after.first { $0.name == old.name } ?? old }
      + after.filter { !names.contains($0.name) }
  }
}

struct AttributeAdoption: Sendable {
  /// For each resulting attribute the source index, or nil and the initial value.
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

/// How one element moves, appears or disappears.
public struct AnimationTrack: Equatable, Sendable {
  /// The identity in the first layout; nil if it appears.
  public let before: ElementIdentity?
  /// The identity in the second layout; nil if it disappears.
  public let after: ElementIdentity?
  /// The element at the start.
  public internal(set) var from: Element
  /// The element at the end.
  public internal(set) var to: Element

  /// Creates a track.
  public init(before: ElementIdentity?, after: ElementIdentity?, from: Element, to: Element) {
    (self.before, self.after, self.from, self.to) = (before, after, from, to)
  }

  /// The identity during the animation: `after`, or `before` if it disappears.
  public var identity: ElementIdentity { after ?? before ?? to.identity }

  /// The reverse track.
  public var reversed: AnimationTrack {
    AnimationTrack(before: after, after: before, from: to, to: from)
  }

  /// Returns the element at a moment.
  ///
  /// - Parameter attributes: In the order of the elements' values; undescribed values step.
  public func element(at progress: Double, attributes: [AttributeDescription]) -> Element {
    var element = progress >= 1 ? to : from
    if progress > 0, progress < 1 {
      element = from.interpolated(to: to, progress, attributes: attributes)
    }
    element.identity = identity
    return element
  }
}

/// A snapshot of a layout, at rest or during an animation.
public struct LayoutMoment: Sendable {
  /// The elements in listing order.
  public let elements: Elements
  /// The content size in points.
  public let contentSize: Size
  /// The scroll offset in points.
  public let offset: Point

  /// Creates a snapshot; elements may be in any order.
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

  /// Creates a snapshot of a session's result.
  public init(elements: Elements, contentSize: Size, offset: Point = .zero) {
    (self.elements, self.contentSize, self.offset) = (elements, contentSize, offset)
  }

  /// The elements' attributes.
  public var attributes: [AttributeDescription] { elements.attributes }
}

struct ListingPlace: Comparable {
  private let identity: ElementIdentity
  private let isLeaving: Bool
  let index: Int

  /// A leaving element follows others of the same identity.
  init(_ identity: ElementIdentity, isLeaving: Bool = false, index: Int = 0) {
    (self.identity, self.isLeaving, self.index) = (identity, isLeaving, index)
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
  /// The sort is stable.
  fileprivate func inListingOrder(_ place: (Element) -> ListingPlace) -> [Element] {
    let isSorted = indices.dropFirst().allSatisfy { !(place(self[$0]) < place(self[$0 - 1])) }
    return isSorted ? self : sorted { place($0) < place($1) }
  }
}
