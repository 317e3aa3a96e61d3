/// The elements of two layouts, paired by who they are.
struct ElementPairing {
  /// Elements of the new layout that were not in the old one, and where they start.
  var appearing: [(from: Element, to: Element)] = []
  /// Elements of the old layout that are not in the new one, and where they end.
  var disappearing: [(from: Element, to: Element)] = []
  private var staying: [AnimationTrack] = []

  /// Pairs cells as the batch says, and other elements by their section, kind and number.
  ///
  /// - Complexity: O(*n*).
  init(old: Elements, new: Elements, _ batch: UpdateBatch) {
    var places: [ElementIdentity: Int] = [:]
    places.reserveCapacity(old.count)
    for place in old.indices { places[old.identity(at: place)] = place }
    var isPaired = Array(repeating: false, count: old.count)
    for element in new {
      guard let origin = Self.origin(of: element.identity, batch), let place = places[origin],
        !isPaired[place]
      else {
        appearing.append((Self.faded(element), element))
        continue
      }
      isPaired[place] = true
      staying.append(
        AnimationTrack(
          before: origin, after: element.identity, from: old[place], to: element))
    }
    for place in old.indices where !isPaired[place] {
      disappearing.append((old[place], Self.faded(old[place])))
    }
  }

  /// Every element of both layouts, once.
  var tracks: [AnimationTrack] {
    staying
      + appearing.map {
        AnimationTrack(before: nil, after: $0.to.identity, from: $0.from, to: $0.to)
      }
      + disappearing.map {
        AnimationTrack(before: $0.from.identity, after: nil, from: $0.from, to: $0.to)
      }
  }

  /// Who an element of the new layout was in the old one.
  private static func origin(
    of identity: ElementIdentity, _ batch: UpdateBatch
  ) -> ElementIdentity? {
    var origin = identity
    if identity.category == .cell {
      guard
        let path = batch.origin(of: ItemPath(section: identity.section, item: identity.item))
      else { return nil }
      (origin.section, origin.item) = (path.section, path.item)
    } else {
      guard let section = batch.origin(ofSection: identity.section) else { return nil }
      origin.section = section
    }
    return origin
  }

  private static func faded(_ element: Element) -> Element {
    var faded = element
    faded.alpha = 0
    return faded
  }
}
