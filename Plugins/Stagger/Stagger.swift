import TesseraSDK

/// Rows that scroll sideways, every other one shifted by half an item.
final class Stagger: ReusableLayout {
  static let identity = EngineIdentity(
    id: "org.tessera.stagger", name: "Stagger", version: "0.1.0", author: "The Tessera authors",
    license: "MIT", summary: "Rows that scroll sideways, every other one shifted by half an item.")
  static let traits: Traits = [.mirrors, .incremental, .flows, .appends, .scales]

  /// Where the block of rows lies when the bounds are higher than it.
  enum Alignment: String, Choice { case top, center }

  @Parameter("Size of every item.", unit: "pt", in: 0...)
  var itemSize = Size(width: 100, height: 90)
  @Parameter("Space between neighbours, in both directions.", unit: "pt") var itemSpacing = 10.0
  @Parameter("Where the rows lie when the bounds are higher.") var alignment = Alignment.top

  private var prepared: StaggeredRows?

  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {
    let earlier = prepared
    prepared = nil
    let rows = try rows(in: input.extent.height)
    try output.setContentSize(rows.contentSize(itemCount: input.itemCount))
    // An item's place follows from its number and the rows alone.
    let isSame = rows == earlier
    for section in 0..<input.sectionCount {
      let items = input.items(inSection: section)
      guard !items.isEmpty else { continue }
      let cells = try output.add(.cells(inSection: section, items: 0..<items.count))
      try cells.frame.withMutableSpan { (frames) throws(LayoutFailure) in
        let kept = isSame ? min(cells.kept, frames.count) : 0
        try rows.fill(&frames, from: kept, firstItem: items.lowerBound) {
          (done) throws(LayoutFailure) in
          try output.progress(Double(items.lowerBound + done) / Double(input.itemCount))
        }
      }
    }
    prepared = rows
  }

  func stillValid(_ input: Input) -> Bool {
    guard let prepared, let rows = try? rows(in: input.extent.height) else { return false }
    return rows == prepared
  }

  /// The rows that fit a height; equal rows make equal layouts.
  private func rows(in height: Double) throws(LayoutFailure) -> StaggeredRows {
    let pitch = Size(width: itemSize.width + itemSpacing, height: itemSize.height + itemSpacing)
    guard pitch.isFinite, pitch.height > 0, pitch.width >= 0 else {
      throw .invalidValue(
        "itemSpacing is \(describe(itemSpacing)) between items of \(describe(itemSize)); an item's "
          + "height and the spacing must come to more than 0, its width and the spacing to 0 or more"
      )
    }
    let count = max(1, ((height + itemSpacing) / pitch.height).rounded(.down))
    guard let rowCount = Int(exactly: count) else {
      throw .invalidValue(
        "itemSize is \(describe(itemSize)) with itemSpacing \(describe(itemSpacing)), which makes "
          + "\(describe(count)) rows in \(describe(height)) points; give larger items or spacing"
      )
    }
    return StaggeredRows(
      count: rowCount, itemSize: itemSize, pitch: pitch,
      centredIn: alignment == .center ? height : nil)
  }
}

/// Registers the engine of this library.
@c(tessera_register)
public func register(_ host: HostReference, _ registry: RegistryReference) -> Status {
  registry.add(Stagger.self, host: host)
}
