import TesseraSDK

/// Rows of cells laid like bricks: every second row is shifted by half a cell.
///
/// Change `prepare` first, which places every cell. The parameters are above it, the engine's name
/// is at the top.
final class ExampleLayout: PreparingLayout {
  static let identity = EngineIdentity(
    id: "org.example.example-layout", name: "Example Layout", version: "0.1.0",
    author: "Example Author", license: "LicenseRef-Example",
    summary: "Rows of cells, every second one shifted by half a cell.")

  /// Guarantees that `tessera check` tests; remove broken ones.
  ///
  /// Right to left is the mirror, later items and empty sections at the end move nothing, the scale
  /// only rounds.
  static let traits: Traits = .mirrors
  static let laws: Laws = [.flows, .appends, .scales]

  // The host rejects values out of range: `prepare` never gets a cell without a width.
  // `@ItemValue`, `@SectionValue` and `@List` declare values for items and sections, and records.
  @Parameter("Size of every cell.", unit: "pt", in: 1...10000)
  var itemSize = Size(width: 60, height: 40)
  @Parameter("Space between neighbours, in both directions.", unit: "pt", in: 0...1000)
  var spacing = 6.0

  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {
    let (cell, spacing) = (itemSize, spacing)
    let pitch = Size(width: cell.width + spacing, height: cell.height + spacing)
    let shift = pitch.width / 2

    // The columns that fit into the bounds beside the shift, at least one.
    let extent = input.extent.width
    let columns = max(1, ((extent + spacing - shift) / pitch.width).rounded(.down))

    var content = Size(width: extent, height: 0)
    var row = 0
    var column = 0
    for section in 0..<input.sectionCount {
      let items = input.items(inSection: section)
      guard !items.isEmpty else { continue }
      // A section starts a new row.
      if column > 0 { (row, column) = (row + 1, 0) }
      let cells = try output.add(.cells(inSection: section, items: 0..<items.count))
      cells.frame.withMutableSpan { frames in
        for index in frames.indices {
          let x = Double(column) * pitch.width + (row % 2 == 1 ? shift : 0)
          let y = Double(row) * pitch.height
          frames[index] = Rect(x: x, y: y, width: cell.width, height: cell.height)
          content.width = max(content.width, x + cell.width)
          content.height = y + cell.height
          column += 1
          if Double(column) >= columns { (row, column) = (row + 1, 0) }
        }
      }
    }
    try output.setContentSize(content)
  }
}

/// Registers the engine of this library.
@c(tessera_register)
public func register(_ host: HostReference, _ registry: RegistryReference) -> Status {
  registry.add(ExampleLayout.self, host: host)
}
