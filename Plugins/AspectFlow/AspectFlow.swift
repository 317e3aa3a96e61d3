import TesseraSDK

/// Pictures in square cells, shown whole or filling them: a layout with its own attributes.
final class AspectFlow: PreparingLayout {
  static let identity = EngineIdentity(
    id: "org.tessera.aspect-flow", name: "Aspect Flow", version: "0.1.0",
    author: "The Tessera authors", license: "MIT",
    summary: "Pictures in lines of equal cells, each shown whole or filling its cell.")
  static let base: BaseEngine? = BaseEngine("org.tessera.flow", from: "0.1.0")
  static let traits: Traits = [.mirrors, .incremental]
  static let laws: Laws = [.appends, .scales]

  enum Mode: String, Choice { case aspectFit, aspectFill }

  @Parameter("How pictures fill their cells.") var layoutMode = Mode.aspectFit
  @Parameter("Width of a picture for each point of its height, for items without their own.")
  var aspectRatio = 1.0
  @ItemValue(
    "Width of the item's picture for each point of its height.",
    overriding: \AspectFlow.$aspectRatio) var aspectRatios
  @DelegateFunction("How the picture of an item fills its cell: 0 aspectFit, 1 aspectFill.")
  var layoutModeForItem: ((UInt32, UInt32) -> UInt8)?

  let mode = Attribute(
    "How the picture fills the cell.", named: "layoutMode", initial: Mode.aspectFit,
    interpolation: .step)
  let contentRect = Attribute("Where the picture lies in the cell.", initial: Rect.zero)

  @Inherited var itemSize = Size(width: 140, height: 140)
  @Inherited var sectionInset = Insets(top: 13, left: 13, bottom: 13, right: 13)
  @Inherited var minimumLineSpacing = 13.0
  @Inherited var minimumInteritemSpacing = 13.0

  /// A delegate's answers may change at any time.
  private var hasAsked = false

  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {
    try input.super.prepare(into: output)
    let change = input.change
    let isComparable =
      !hasAsked && layoutModeForItem == nil && !change.what.contains(.parameters)
    hasAsked = layoutModeForItem != nil
    for index in 0..<output.runCount {
      let (run, rows) = try output.get(index)
      // The frames stay as the base sets them.
      output.leave(rows, first: rows.kept)
      guard run.category == .cell else { continue }
      let unchanged = isComparable ? change.unchangedItems(inSection: run.section) : 0
      let first = min(rows.kept, max(0, unchanged - run.items.lowerBound))
      try placePictures(in: rows, of: run, from: first, input)
    }
  }

  /// Rows before `first` are unchanged.
  private func placePictures(
    in rows: Rows, of run: Run, from first: Int, _ input: Input
  ) throws(LayoutFailure) {
    let start = input.items(inSection: run.section).lowerBound + run.items.lowerBound
    let items = start..<start + rows.count
    let ratios = aspectRatios[items]
    // Faster than reading them from the base's frames.
    let sizes: Column<Size> = try input.super.itemValues("size")[items]
    try rows[mode].withMutableSpan { (modes) throws(LayoutFailure) in
      try chooseModes(&modes, of: run, from: first)
      let fit = Mode.aspectFit.stored
      try rows[contentRect].withMutableSpan { (contents) throws(LayoutFailure) in
        for row in first..<contents.count {
          let (cell, ratio) = (sizes[row], ratios[row])
          // Two comparisons, fewer than with `isFinite`.
          guard ratio > 0, ratio <= .greatestFiniteMagnitude else {
            throw refusal(
              of: ratio, ofItem: run.items.lowerBound + row, inSection: run.section)
          }
          contents[row] =
            modes[row] == fit
            ? fitted(ratio: ratio, in: cell) : Rect(origin: .zero, size: cell)
        }
      }
    }
  }

  private func fitted(ratio: Double, in cell: Size) -> Rect {
    let width = min(cell.width, cell.height * ratio)
    let height = min(cell.height, cell.width / ratio)
    return Rect(
      x: (cell.width - width) / 2, y: (cell.height - height) / 2, width: width, height: height)
  }

  private func chooseModes(
    _ modes: inout MutableSpan<Int32>, of run: Run, from first: Int
  ) throws(LayoutFailure) {
    let stored = layoutMode.stored
    guard let layoutModeForItem else {
      for row in first..<modes.count { modes[row] = stored }
      return
    }
    for row in first..<modes.count {
      let item = run.items.lowerBound + row
      let answer = layoutModeForItem(
        UInt32(truncatingIfNeeded: run.section), UInt32(truncatingIfNeeded: item))
      modes[row] = try mode(answer, ofItem: item, inSection: run.section).stored
    }
  }

  private func refusal(
    of ratio: Double, ofItem item: Int, inSection section: Int
  ) -> LayoutFailure {
    .invalidValue(
      "aspectRatio of item \(item) in section \(section) is \(describe(ratio)); it must be finite "
        + "and above 0")
  }

  private func mode(
    _ answer: UInt8, ofItem item: Int, inSection section: Int
  ) throws(LayoutFailure) -> Mode {
    switch answer {
    case 0: return .aspectFit
    case 1: return .aspectFill
    default:
      throw .invalidValue(
        "layoutModeForItem of item \(item) in section \(section) is \(answer); it must be 0 for "
          + "aspectFit or 1 for aspectFill")
    }
  }
}

/// Registers the engine of this library.
@c(tessera_register)
public func register(_ host: HostReference, _ registry: RegistryReference) -> Status {
  registry.add(AspectFlow.self, host: host)
}
