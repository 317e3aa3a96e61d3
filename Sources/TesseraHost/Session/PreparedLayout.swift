import TesseraGeometry

/// What a prepare left: how large the content is and, made when first asked for, what finds rows.
struct PreparedLayout {
  let contentSize: Size
  /// What the engine was given.
  var surroundings: Surroundings
  private(set) var order: RunOrder?
  private(set) var index: RectIndex?

  init(contentSize: Size, surroundings: Surroundings) {
    self.contentSize = contentSize
    self.surroundings = surroundings
  }

  /// The runs in the order of listings.
  mutating func order(of chain: LayoutChain) throws(HostError) -> RunOrder {
    if let order { return order }
    let order: RunOrder
    do throws(HostError) {
      order = try RunOrder(chain.prepared.runs, kinds: chain.numbering.kinds)
    } catch { throw chain.broken(error.message) }
    self.order = order
    return order
  }

  /// The index over all rows.
  mutating func index(of chain: LayoutChain) -> RectIndex {
    if let index { return index }
    let index = RectIndex(frames: chain.prepared.frames, count: chain.prepared.rowCount)
    self.index = index
    return index
  }
}
