import TesseraSDK

/// Rows that scroll sideways, every other one shifted by half an item.
final class Stagger: ReusableLayout {
  static let identity = EngineIdentity(
    id: "org.tessera.stagger", name: "Stagger", version: "0.1.0", author: "The Tessera authors",
    license: "MIT", summary: "Rows that scroll sideways, every other one shifted by half an item.")
  static let traits: Traits = [.mirrors, .incremental]
  static let laws: Laws = [.flows, .appends, .scales]

  /// For bounds higher than the rows.
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
    // Frames depend only on an item's number and the rows.
    let isSame = rows == earlier
    for section in 0..<input.sectionCount {
      let items = input.items(inSection: section)
      guard !items.isEmpty else { continue }
      let cells = try output.add(.cells(inSection: section, items: 0..<items.count))
      try cells.frame.withMutableSpan { (frames) throws(LayoutFailure) in
        let kept = isSame ? min(cells.kept, frames.count) : 0
        output.leave(cells, first: kept)
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

  /// Equal rows produce equal layouts.
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

struct StaggeredRows: Equatable {
  let count: Int
  let itemSize: Size
  /// The distance of origins in each direction.
  let pitch: Size
  /// Nil if the block lies at the top.
  let centredIn: Double?

  func contentSize(itemCount: Int) -> Size {
    Size(width: width(itemCount: itemCount), height: max(height, centredIn ?? 0))
  }

  /// Places items one after the other.
  ///
  /// - Parameters:
  ///   - kept: Items at the start whose frames are already right.
  ///   - firstItem: By position among all.
  ///   - progress: Called at intervals with the number of placed items.
  func fill(
    _ frames: inout MutableSpan<Rect>, from kept: Int, firstItem: Int,
    progress: (Int) throws(LayoutFailure) -> Void
  ) throws(LayoutFailure) {
    let top = max(0, ((centredIn ?? 0) - height) / 2)
    let (firstColumn, firstRow) = (firstItem + kept).quotientAndRemainder(dividingBy: count)
    var (row, column) = (firstRow, Double(firstColumn))
    var start = kept
    while start < frames.count {
      let end = min(frames.count, start + 65536)
      for index in start..<end {
        let shift = row & 1 == 0 ? 0 : itemSize.width / 2
        frames[index] = Rect(
          x: column * pitch.width + shift, y: top + Double(row) * pitch.height,
          width: itemSize.width, height: itemSize.height)
        row += 1
        if row == count {
          row = 0
          column += 1
        }
      }
      start = end
      try progress(end)
    }
  }

  private var height: Double { Double(count) * itemSize.height + Double(count - 1) * spacing }

  private var spacing: Double { pitch.height - itemSize.height }

  /// The rightmost item is shifted unless it is alone in the first row.
  private func width(itemCount: Int) -> Double {
    guard itemCount > 0 else { return 0 }
    let (lastColumn, lastRow) = (itemCount - 1).quotientAndRemainder(dividingBy: count)
    func right(_ column: Int, isShifted: Bool) -> Double {
      Double(column) * pitch.width + itemSize.width + (isShifted ? itemSize.width / 2 : 0)
    }
    guard lastRow == 0, count > 1, lastColumn > 0 else {
      return right(lastColumn, isShifted: lastRow > 0)
    }
    return max(right(lastColumn, isShifted: false), right(lastColumn - 1, isShifted: true))
  }
}
