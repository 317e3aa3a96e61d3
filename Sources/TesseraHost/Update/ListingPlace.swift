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

extension Array {
  /// The array in the order of listings, equals as they came; itself where it is in that order.
  func inListingOrder(_ place: (Element) -> ListingPlace) -> [Element] {
    let isSorted = indices.dropFirst().allSatisfy { !(place(self[$0]) < place(self[$0 - 1])) }
    return isSorted ? self : sorted { place($0) < place($1) }
  }
}
