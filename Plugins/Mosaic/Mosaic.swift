import TesseraSDK

/// Rows in four styles: one item over the full width, two halves, or one large item beside two small
/// ones, to its right or to its left.
final class Mosaic: PreparingLayout {
  static let identity = EngineIdentity(
    id: "org.tessera.mosaic", name: "Mosaic", version: "0.1.0", author: "The Tessera authors",
    license: "MIT",
    summary: "Rows in four styles that take turns, one large item beside small ones.")
  static let traits: Traits = .mirrors

  @Parameter("Height of every row.", unit: "pt", in: 0...) var segmentHeight = 200.0
  @Parameter("Space above every row.", unit: "pt", in: 0...) var spacing = 1.0

  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {
    let width = input.extent.width
    var tiling = Tiling(
      count: input.itemCount, width: width, segmentHeight: segmentHeight, spacing: spacing)
    try output.setContentSize(Size(width: width, height: tiling.height))
    for section in 0..<input.sectionCount {
      let count = input.items(inSection: section).count
      guard count > 0 else { continue }
      try output.add(.cells(inSection: section, items: 0..<count)) {
        (frames) throws(LayoutFailure) in
        try tiling.fill(&frames) { (done) throws(LayoutFailure) in try output.progress(done) }
      }
    }
  }
}

/// Registers the engine of this library.
@c(tessera_register)
public func register(_ host: HostReference, _ registry: RegistryReference) -> Status {
  registry.add(Mosaic.self, host: host)
}
