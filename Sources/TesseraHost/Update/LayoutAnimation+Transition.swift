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
