import TesseraSDK

/// Items spread evenly over each line, a binder behind each section.
final class EvenFlow: PreparingLayout, UpdatingLayout {
  static let identity = EngineIdentity(
    id: "org.tessera.even-flow", name: "Even Flow", version: "0.1.0",
    author: "The Tessera authors", license: "MIT",
    summary: "Items spread evenly over each line, with a binder behind each section.")
  static let base: BaseEngine? = BaseEngine("org.tessera.flow", from: "0.1.0")
  static let traits: Traits = [.mirrors, .appends]
  static let columns: BuiltInColumns = .zIndex

  /// The scroll direction of the base.
  enum ScrollDirection: String, Choice { case vertical }

  @InheritedChoice(isOwned: true) var scrollDirection: ScrollDirection? = .vertical
  @Inherited var sectionInset = Insets(top: 30, left: 80, bottom: 30, right: 20)
  @Inherited var minimumLineSpacing = 20.0
  @Inherited var minimumInteritemSpacing = 20.0
  @Inherited var itemSize = Size(width: 200, height: 200)
  @Inherited var headerReferenceSize = Size(width: 60, height: 70)

  let header = Kind(.supplementary)
  let binder = Kind(.decoration)

  /// The sections of the new data that items are inserted into, while a batch is applied.
  var growingSections: Set<Int> = []

  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {
    scrollDirection = .vertical
    try input.super.prepare(into: output)
    let insets = try input.super.sectionValues("sectionInset", as: Insets.self)
    let (width, height) = (output.contentSize.width, output.contentSize.height)
    var lowest = height
    var binders: [Binder] = Array(repeating: Binder(), count: input.sectionCount)
    for index in 0..<output.runCount {
      let (run, rows) = try output.get(index)
      if run.isKind(header), rows.count > 0 {
        binders[run.section].headerLength = rows.frame[0].height
      } else if run.category == .cell {
        let line = EvenLine(contentWidth: width, inset: insets[run.section], scale: input.scale)
        rows.frame.withMutableSpan { frames in
          lowest = max(lowest, line.spread(&frames, measuring: &binders[run.section]))
        }
      }
    }
    // Cells on whole points may extend further down than those of the base.
    if lowest > height { try output.setContentSize(Size(width: width, height: lowest)) }
    for section in binders.indices {
      guard let frame = binders[section].frame(width: width) else { continue }
      let rows = try output.add(.elements(binder, inSection: section))
      rows.frame[0] = frame
      rows.zIndex[0] = -1
    }
  }
}

/// Registers the engine of this library.
@c(tessera_register)
public func register(_ host: HostReference, _ registry: RegistryReference) -> Status {
  registry.add(EvenFlow.self, host: host)
}

extension EvenFlow {
  func begin(_ updates: [Update], _ input: Input) throws(LayoutFailure) {
    for update in updates {
      switch update {
      case .insertItem(let place): growingSections.insert(place.section)
      case .insertSection(let section): growingSections.insert(section)
      default: continue
      }
    }
  }

  /// Moves binders in from the left and cells from the right in sections with inserted items.
  func initialAttributes(_ input: Input, into output: Output) throws(LayoutFailure) {
    let width = output.contentSize.width
    for index in 0..<output.runCount {
      let (run, rows) = try output.get(index)
      guard growingSections.contains(run.section) else { continue }
      let isBinder = run.isKind(binder)
      guard isBinder || run.category == .cell else { continue }
      for row in 0..<rows.count {
        var start = Transform.identity
        start.m41 = isBinder ? -rows.frame[row].width : width
        rows.transform[row] = start
        rows.alpha[row] = isBinder ? 0 : 1
      }
    }
  }

  func end() { growingSections = [] }
}

/// The lines of a section, over which cells are spread.
struct EvenLine {
  let contentWidth: Double
  let inset: Insets
  let scale: Double

  /// Spreads the cells of every line over it, each in the middle of its share, on whole points.
  ///
  /// - Parameter binder: Takes the cells into account.
  /// - Returns: Their lowest edge.
  func spread(_ frames: inout MutableSpan<Rect>, measuring binder: inout Binder) -> Double {
    let width = contentWidth - inset.left - inset.right
    let pixel = 1 / scale
    var (lowest, tallest) = (0.0, binder)
    var first = 0
    while first < frames.count {
      let end = lineEnd(from: first, frames, pixel: pixel)
      let half = width / Double(2 * (end - first))
      let (start, share) = (inset.left + half, 2 * half)
      var place = 0.0
      for cell in first..<end {
        let frame = integral(frames[cell], middle: start + share * place)
        frames[cell] = frame
        lowest = lowest < frame.maxY ? frame.maxY : lowest
        tallest.measure(frame)
        place += 1
      }
      first = end
    }
    binder = tallest
    return lowest
  }

  /// The end of the line that starts with a cell: its centres differ by at most one pixel, because
  /// of rounding.
  @inline(__always)
  private func lineEnd(
    from first: Int, _ frames: borrowing MutableSpan<Rect>, pixel: Double
  ) -> Int {
    var (least, most) = (frames[first].midY, frames[first].midY)
    var end = first + 1
    while end < frames.count {
      let middle = frames[end].midY
      least = min(least, middle)
      most = most < middle ? middle : most
      guard most - least <= pixel else { break }
      end += 1
    }
    return end
  }

  @inline(__always)
  private func integral(_ frame: Rect, middle: Double) -> Rect {
    let x = middle - frame.width / 2
    let (left, top) = (x.quickFloor, frame.y.quickFloor)
    return Rect(
      x: left, y: top, width: (x + frame.width).quickCeiling - left,
      height: frame.maxY.quickCeiling - top)
  }
}

/// Collects what determines the binder behind a section.
struct Binder {
  /// Length of the section's header, if it has one.
  var headerLength: Double?
  /// The first of the section's tallest cells.
  private var tallest: Rect?
  private var tallestHeight = -1.0

  /// Takes a cell of the section into account.
  @inline(__always)
  mutating func measure(_ cell: Rect) {
    if cell.height > tallestHeight { (tallest, tallestHeight) = (cell, cell.height) }
  }

  /// The frame of the binder; nil if the section has no header or no cell.
  func frame(width: Double) -> Rect? {
    guard let headerLength, let tallest else { return nil }
    let height = tallest.height + headerLength
    return Rect(x: 0, y: tallest.midY - height / 2, width: width, height: height)
  }
}
