import TesseraSDK

/// Rows in four styles: one full-width item, two halves, or one large item beside two small ones.
final class Mosaic: ReusableLayout {
  static let identity = EngineIdentity(
    id: "org.tessera.mosaic", name: "Mosaic", version: "0.1.0", author: "The Tessera authors",
    license: "MIT",
    summary: "Rows in four styles that take turns, one large item beside small ones.")
  static let traits: Traits = [.mirrors, .incremental]
  static let laws: Laws = [.appends, .scales]

  @Parameter("Height of every row.", unit: "pt", in: 0...) var segmentHeight = 200.0
  @Parameter("Space above every row.", unit: "pt", in: 0...) var spacing = 1.0

  /// Of the last prepare.
  private var prepared: Tiling.Shape?

  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {
    let earlier = prepared
    prepared = nil
    let shape = shape(input)
    var tiling = Tiling(shape)
    try output.setContentSize(Size(width: input.extent.width, height: tiling.height))
    let stable = earlier.map { shape.stableCount(since: $0) } ?? 0
    for section in 0..<input.sectionCount {
      let items = input.items(inSection: section)
      guard !items.isEmpty else { continue }
      let rows = try output.add(.cells(inSection: section, items: 0..<items.count))
      let kept = max(0, min(rows.kept, stable - items.lowerBound))
      output.leave(rows, first: kept)
      try rows.frame.withMutableSpan { (frames) throws(LayoutFailure) in
        try tiling.fill(&frames, from: kept) { (done) throws(LayoutFailure) in
          try output.progress(done)
        }
      }
    }
    prepared = shape
  }

  func stillValid(_ input: Input) -> Bool { shape(input) == prepared }

  private func shape(_ input: Input) -> Tiling.Shape {
    Tiling.Shape(
      count: input.itemCount, size: Size(width: input.extent.width, height: segmentHeight),
      spacing: spacing)
  }
}

extension Mosaic: UpdatingLayout {
  /// Tiles grow from half their size while they fade in.
  func initialAttributes(_ input: Input, into output: Output) throws(LayoutFailure) {
    try halve(output)
  }

  /// Tiles shrink to half their size while they fade out.
  func finalAttributes(_ input: Input, into output: Output) throws(LayoutFailure) {
    try halve(output)
  }

  private func halve(_ output: Output) throws(LayoutFailure) {
    var half = Transform.identity
    (half.m11, half.m22) = (0.5, 0.5)
    for index in 0..<output.runCount {
      let rows = try output.get(index).rows
      for row in 0..<rows.count { rows.transform[row] = half }
    }
  }
}

/// Registers the engine of this library.
@c(tessera_register)
public func register(_ host: HostReference, _ registry: RegistryReference) -> Status {
  registry.add(Mosaic.self, host: host)
}
