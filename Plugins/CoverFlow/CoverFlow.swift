import TesseraSDK

/// Covers in a row, the middle one in front and the others turned towards it.
final class CoverFlow: PreparingLayout, AdjustingLayout {
  static let identity = EngineIdentity(
    id: "org.tessera.cover-flow", name: "Cover Flow", version: "0.1.0",
    author: "The Tessera authors", license: "MIT",
    summary: "Covers in a row, the middle one in front and the others turned towards it.")
  static let base: BaseEngine? = BaseEngine("org.tessera.flow", from: "0.1.0")
  static let traits: Traits = .mirrors
  static let laws: Laws = [.appends, .scales]
  static let adjustedColumns: BuiltInColumns = [.transform, .zIndex]

  enum ScrollDirection: String, Choice { case horizontal }

  @Parameter("How near to the middle a cover begins to turn.", unit: "pt", in: 0...)
  var activeDistance = 100.0
  @Parameter("The distance over which a cover moves aside by the whole flow offset.", unit: "pt")
  var translateDistance = 100.0
  @Parameter("By how much the cover in the middle is larger.") var zoomFactor = 0.2
  @Parameter("How far covers move aside.", unit: "pt") var flowOffset = 40.0
  @Parameter("How grey covers are that lie aside.", in: 0...1) var inactiveGrey = 0.6

  @InheritedChoice(isOwned: true) var scrollDirection: ScrollDirection? = .horizontal
  @Inherited var itemSize = Size(width: 180, height: 180)
  @Inherited var minimumLineSpacing = -60.0
  @Inherited var minimumInteritemSpacing = 200.0

  let maskingValue = Attribute("How grey the cell is.", initial: 0.0, when: .adjusted)
  let shouldRasterize = Attribute(
    "Whether the cell is better drawn once and then moved.", initial: true, interpolation: .none,
    when: .adjusted)
  let restingOffset = PublishedFunction(
    "Where a scroll comes to rest that is going to x, y.", CoverFlow.restingOffset)

  let placed = PlacedElements()
  /// Of the last prepare.
  private var prepared: (bounds: Size, content: Size, isRightToLeft: Bool)?

  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {
    guard translateDistance != 0 else {
      throw .invalidValue("translateDistance is 0; it must be another number")
    }
    guard Shelf(self, middle: 0).isFinite else {
      throw .invalidValue(
        "flowOffset \(describe(flowOffset)) with activeDistance \(describe(activeDistance)) over "
          + "translateDistance \(describe(translateDistance)), or zoomFactor "
          + "\(describe(zoomFactor)) with itemSize \(describe(itemSize)), is more than numbers "
          + "reach; give values nearer to 1")
    }
    scrollDirection = .horizontal
    try input.super.prepare(into: output)
    prepared = (input.bounds, output.contentSize, input.isRightToLeft)
  }

  func adjust(_ input: Input, rect: Rect, into output: Output) throws(LayoutFailure) {
    try input.super.adjust(rect: rect, into: output)
    let shelf = Shelf(self, middle: input.viewport.midX)
    for index in 0..<output.runCount {
      let (run, rows) = try output.get(index)
      guard run.category == .cell else { continue }
      let (frames, zIndexes, grey) = (rows.frame, rows.zIndex, rows[maskingValue])
      rows.transform.withMutableSpan { transforms in
        for row in transforms.indices {
          let cover = shelf.cover(at: frames[row].midX)
          transforms[row] = cover.transform
          zIndexes[row] = cover.zIndex
          grey[row] = cover.grey
        }
      }
    }
  }

  /// The resting offset in the content as shown, which may be mirrored.
  ///
  /// The host mirrors the result as a point, although an offset is the viewport's corner.
  private func restingOffset(_ x: Double, _ y: Double) throws(LayoutFailure) -> Point {
    guard let prepared else { throw .failed("nothing is prepared yet; lay out first") }
    guard x.isFinite, y.isFinite else {
      throw .invalidValue("the proposed offset is \(x), \(y); give finite numbers")
    }
    // Mirroring twice restores the offset.
    let turned = prepared.content.width - prepared.bounds.width
    let proposed = Point(x: prepared.isRightToLeft ? turned - x : x, y: y)
    let rest = try nearestRest(to: proposed, bounds: prepared.bounds)
    return prepared.isRightToLeft ? Point(x: rest.x + prepared.bounds.width, y: rest.y) : rest
  }
}

/// Registers the engine of this library.
@c(tessera_register)
public func register(_ host: HostReference, _ registry: RegistryReference) -> Status {
  registry.add(CoverFlow.self, host: host)
}

extension CoverFlow: SnappingLayout {
  func restingOffset(
    _ proposed: Point, velocity: Point, _ input: Input
  ) throws(LayoutFailure) -> Point {
    try nearestRest(to: proposed, bounds: input.bounds)
  }

  /// The offset that centres the nearest cell, or the first of two; the proposal without a visible
  /// cell.
  func nearestRest(to proposed: Point, bounds: Size) throws(LayoutFailure) -> Point {
    let visible = Rect(origin: proposed, size: bounds)
    var nearest: (distance: Double, section: Int, item: Int, shift: Double)?
    for cells in try placed.runs(in: visible) where cells.run.category == .cell {
      for (frame, item) in zip(cells.frames, cells.run.items) {
        let shift = frame.midX - visible.midX
        let candidate = (abs(shift), cells.run.section, item, shift)
        if let best = nearest, best <= candidate { continue }
        nearest = candidate
      }
    }
    return Point(x: proposed.x + (nearest?.shift ?? 0), y: proposed.y)
  }
}
