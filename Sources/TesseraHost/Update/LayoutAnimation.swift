import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

/// The way from one layout to another: a track for every element of the two.
public struct LayoutAnimation: Sendable {
  /// The elements' ways in the order of listings: by section, category, kind and item of
  /// `AnimationTrack.identity`; among equals, what disappears comes last.
  public let tracks: [AnimationTrack]
  /// What the attributes of the tracks' elements are.
  public let attributes: [AttributeDescription]
  /// The content's extent before, in points.
  public let contentSizeBefore: Size
  /// The content's extent after, in points.
  public let contentSizeAfter: Size
  /// Where the viewport is scrolled to before, in points of the content.
  public let offsetBefore: Point
  /// Where the viewport is scrolled to after, in points of the content.
  public let offsetAfter: Point

  /// An animation of tracks in any order.
  ///
  /// - Complexity: O(*n*), O(*n* log *n*) where the tracks are not in the order of listings.
  public init(
    tracks: [AnimationTrack], attributes: [AttributeDescription], contentSizeBefore: Size,
    contentSizeAfter: Size, offsetBefore: Point, offsetAfter: Point
  ) {
    self.tracks = tracks.inListingOrder { track in
      ListingPlace(track.identity, isLeaving: track.after == nil)
    }
    self.attributes = attributes
    self.contentSizeBefore = contentSizeBefore
    self.contentSizeAfter = contentSizeAfter
    self.offsetBefore = offsetBefore
    self.offsetAfter = offsetAfter
  }

  /// The way back: what appeared disappears, and steps step to what was before.
  public func reversed() -> LayoutAnimation {
    LayoutAnimation(
      tracks: tracks.map(\.reversed), attributes: attributes,
      contentSizeBefore: contentSizeAfter, contentSizeAfter: contentSizeBefore,
      offsetBefore: offsetAfter, offsetAfter: offsetBefore)
  }

  /// The elements on their way, in the order of `tracks`.
  ///
  /// At 0 they are those of the layout before and at 1 those of the layout after, each value to the
  /// bit; between, they are those of both. Each is called by `AnimationTrack.identity`. In between,
  /// frames, alpha and linear attributes go in proportion, transforms by translation, rotation,
  /// scale, skew and perspective; z index, visibility, bools, choices and step attributes are the
  /// new ones, attributes that are not interpolated the old ones.
  ///
  /// - Parameter progress: 0...1; what lies outside counts as the nearer end, NaN as 0.
  /// - Complexity: O(*n*).
  public func elements(at progress: Double) -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(tracks.count)
    for track in tracks where track.isPresent(at: progress) {
      elements.append(track.element(at: progress, attributes: attributes))
    }
    return elements
  }

  /// The content's extent on the way, in points; `progress` is that of `elements(at:)`.
  public func contentSize(at progress: Double) -> Size {
    contentSizeBefore.interpolated(to: contentSizeAfter, progress.isNaN ? 0 : progress)
  }

  /// Where the viewport is scrolled to on the way; `progress` is that of `elements(at:)`.
  public func offset(at progress: Double) -> Point {
    offsetBefore.interpolated(to: offsetAfter, progress.isNaN ? 0 : progress)
  }

  /// The whole layout on its way, from where another animation can start.
  ///
  /// - Parameter progress: that of `elements(at:)`.
  /// - Complexity: O(*n*).
  public func moment(at progress: Double) -> LayoutMoment {
    LayoutMoment(
      elements: elements(at: progress), attributes: attributes,
      contentSize: contentSize(at: progress), offset: offset(at: progress))
  }
}

extension AnimationTrack {
  /// Whether the element is in the layout at a moment: what appears is not in the layout before, nor
  /// what disappears in the one after.
  fileprivate func isPresent(at progress: Double) -> Bool {
    progress >= 1 ? after != nil : progress > 0 || before != nil
  }
}

extension LayoutAnimation {
  /// The transition from one layout to another over the same items.
  ///
  /// Elements are paired by who they are: category, kind, section and item. One that only the
  /// layout before has fades out where it is; one that only the layout after has fades in where it
  /// goes. The attributes are those of both layouts by name; an element that has no value of one
  /// starts or ends with the attribute's initial value. Where two attributes of a name differ in
  /// type there is only the one after.
  ///
  /// To turn about half way, start anew from `moment(at:)`, or play `reversed()` from 1 - progress.
  ///
  /// - Complexity: O(*n*), O(*n* log *n*) where elements are not in the order of listings.
  public init(from before: LayoutMoment, to after: LayoutMoment) {
    let attributes = Self.union(before.attributes, after.attributes)
    let starts = before.places
    let ends = after.places
    let fromBefore = AttributeAdoption(from: before.attributes, to: attributes)
    let fromAfter = AttributeAdoption(from: after.attributes, to: attributes)

    var tracks: [AnimationTrack] = []
    tracks.reserveCapacity(max(starts.count, ends.count))
    var start = starts.startIndex
    var end = ends.startIndex
    while start < starts.endIndex || end < ends.endIndex {
      let isLeaving = end == ends.endIndex || (start < starts.endIndex && starts[start] < ends[end])
      let isNew =
        start == starts.endIndex || (end < ends.endIndex && ends[end] < starts[start])
      var from = isNew ? after.elements[ends[end].index] : before.elements[starts[start].index]
      var to = isLeaving ? from : after.elements[ends[end].index]
      from = (isNew ? fromAfter : fromBefore).adopted(from)
      to = (isLeaving ? fromBefore : fromAfter).adopted(to)
      if isNew { from.alpha = 0 }
      if isLeaving { to.alpha = 0 }
      tracks.append(
        AnimationTrack(
          before: isNew ? nil : from.identity, after: isLeaving ? nil : to.identity, from: from,
          to: to))
      if !isNew { start += 1 }
      if !isLeaving { end += 1 }
    }
    self.init(
      tracks: tracks, attributes: attributes, contentSizeBefore: before.contentSize,
      contentSizeAfter: after.contentSize, offsetBefore: before.offset, offsetAfter: after.offset)
  }

  /// The attributes before, with those after of the same names in their stead, then the others
  /// after.
  private static func union(
    _ before: [AttributeDescription], _ after: [AttributeDescription]
  ) -> [AttributeDescription] {
    let names = Set(before.map(\.name))
    return before.map { old in after.first { $0.name == old.name } ?? old }
      + after.filter { !names.contains($0.name) }
  }
}

extension LayoutMoment {
  /// The elements' places in the order of listings.
  fileprivate var places: [ListingPlace] {
    elements.indices.map { ListingPlace(elements[$0].identity, index: $0) }
      .inListingOrder { $0 }
  }
}

/// How an element's values of one list of attributes become those of another.
private struct AttributeAdoption {
  /// For each attribute wanted, where its value is found, and what it is where there is none.
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

/// The way of one element from one layout to another.
public struct AnimationTrack: Equatable, Sendable {
  /// Which element it is in the layout before; nil where it appears.
  public let before: ElementIdentity?
  /// Which element it is in the layout after; nil where it disappears.
  public let after: ElementIdentity?
  /// Where it starts.
  public let from: Element
  /// Where it ends.
  public let to: Element

  /// The way of an element that has these identities in the two layouts.
  public init(before: ElementIdentity?, after: ElementIdentity?, from: Element, to: Element) {
    self.before = before
    self.after = after
    self.from = from
    self.to = to
  }

  /// Which element it is on the way: the one after, or the one before where it disappears.
  public var identity: ElementIdentity { after ?? before ?? to.identity }

  /// The way back.
  public var reversed: AnimationTrack {
    AnimationTrack(before: after, after: before, from: to, to: from)
  }

  /// The element on its way.
  ///
  /// - Parameters:
  ///   - progress: 0 (`from`, to the bit) ... 1 (`to`, to the bit); what lies outside counts as the
  ///     nearer end, NaN as 0.
  ///   - attributes: what the engine declares of its own attributes, in their order in `from` and
  ///     `to`; one that is declared by neither steps.
  public func element(at progress: Double, attributes: [AttributeDescription]) -> Element {
    var element = progress >= 1 ? to : from
    if progress > 0, progress < 1 {
      element = from.interpolated(to: to, progress, attributes: attributes)
    }
    element.identity = identity
    return element
  }
}

/// All of a layout at one moment, at rest or on its way: where an animation starts or ends.
public struct LayoutMoment: Sendable {
  /// The elements, each with its values of `attributes`.
  public let elements: [Element]
  /// What the elements' attributes are.
  public let attributes: [AttributeDescription]
  /// The content's extent in points.
  public let contentSize: Size
  /// Where the viewport is scrolled to, in points of the content.
  public let offset: Point

  /// A layout by its elements, in any order.
  public init(
    elements: [Element], attributes: [AttributeDescription] = [], contentSize: Size,
    offset: Point = .zero
  ) {
    self.elements = elements
    self.attributes = attributes
    self.contentSize = contentSize
    self.offset = offset
  }

  /// A layout as a session answered; copies the elements.
  public init(elements: Elements, contentSize: Size, offset: Point = .zero) {
    self.init(
      elements: Array(elements), attributes: elements.attributes, contentSize: contentSize,
      offset: offset)
  }
}

/// Where an element stands in the order of listings: section, category, kind, item.
struct ListingPlace: Comparable {
  private let identity: ElementIdentity
  private let isLeaving: Bool
  /// Which element it is the place of; of no account for the order.
  let index: Int

  /// - Parameter isLeaving: among elements of one identity, those that leave come last.
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
