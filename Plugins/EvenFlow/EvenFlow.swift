import TesseraSDK

/// Items spread evenly over each line, a binder behind each section.
final class EvenFlow: PreparingLayout, UpdatingLayout {
  static let identity = EngineIdentity(
    id: "org.tessera.even-flow", name: "Even Flow", version: "0.1.0",
    author: "The Tessera authors", license: "MIT",
    summary: "Items spread evenly over each line, with a binder behind each section.")
  static let base: BaseEngine? = BaseEngine("org.tessera.flow", from: "0.1.0")
  static let traits: Traits = [.mirrors, .incremental]
  static let laws: Laws = .appends
  static let columns: BuiltInColumns = .zIndex

  enum ScrollDirection: String, Choice { case vertical }

  @InheritedChoice(isOwned: true) var scrollDirection: ScrollDirection? = .vertical
  @Inherited var sectionInset = Insets(top: 30, left: 80, bottom: 30, right: 20)
  @Inherited var minimumLineSpacing = 20.0
  @Inherited var minimumInteritemSpacing = 20.0
  @Inherited var itemSize = Size(width: 200, height: 200)
  @Inherited var headerReferenceSize = Size(width: 60, height: 70)

  let header = Kind(.supplementary, role: .header)
  let binder = Kind(.decoration)

  /// Sections with inserted items, during a batch.
  var growingSections: Set<Int> = []

  /// By section, from the last prepare.
  private var trails: [EvenTrail] = []

  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {
    scrollDirection = .vertical
    let earlier = trails
    trails = []
    try input.super.prepare(into: output)
    let insets = try input.super.sectionValues("sectionInset", as: Insets.self)
    let leavesRows = try areLinesApart(input)
    let (width, height) = (output.contentSize.width, output.contentSize.height)
    var made = (0..<input.sectionCount).map { _ in EvenTrail() }
    for index in 0..<output.runCount {
      let (run, rows) = try output.get(index)
      // Valid where the base leaves its rows, if nothing else changed.
      if leavesRows { output.leave(rows, first: rows.kept) }
      if run.isKind(header), rows.count > 0 {
        made[run.section].headerLength = rows.frame[0].height
      } else if run.category == .cell {
        let line = EvenLine(contentWidth: width, inset: insets[run.section], scale: input.scale)
        let known = run.section < earlier.count ? earlier[run.section] : EvenTrail()
        rows.frame.withMutableSpan { frames in
          made[run.section].takeNotes(of: known, count: rows.kept, frames)
          line.spread(&frames, from: rows.kept, noting: &made[run.section])
        }
      }
    }
    // Rounded cells may extend further down than the base's.
    let lowest = made.reduce(height) { max($0, $1.all.lowest) }
    if lowest > height { try output.setContentSize(Size(width: width, height: lowest)) }
    for section in made.indices {
      guard let length = made[section].headerLength,
        let frame = made[section].all.binder(headerLength: length, width: width)
      else { continue }
      guard (frame.y + frame.maxY).isFinite else {
        throw .invalidValue(
          "the header of section \(section) is \(describe(frame.height)) high with its tallest line, further "
            + "than numbers reach; give a smaller headerReferenceSize")
      }
      let rows = try output.add(.elements(binder, inSection: section))
      rows.frame[0] = frame
      rows.zIndex[0] = -1
    }
    trails = made
  }

  /// Whether the base's line centres always differ by more than rounding: then both layouts break
  /// the same lines, and left rows end with a line.
  private func areLinesApart(_ input: Input) throws(LayoutFailure) -> Bool {
    let spacings = try input.super.sectionValues("minimumLineSpacing", as: Double.self)
    let least = 3 / input.scale
    if let spacing = spacings.constant { return spacing > least }
    return (0..<spacings.count).allSatisfy { spacings[$0] > least }
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

struct EvenLine {
  let contentWidth: Double
  let inset: Insets
  let scale: Double

  /// On whole points.
  ///
  /// - Parameters:
  ///   - first: The first cell to spread; a line begins there.
  ///   - trail: Receives what later prepares need to know of the cells.
  func spread(
    _ frames: inout MutableSpan<Rect>, from first: Int, noting trail: inout EvenTrail
  ) {
    let width = contentWidth - inset.left - inset.right
    let pixel = 1 / scale
    var (first, cells) = (first, trail.all)
    while first < frames.count {
      let stop = min(frames.count, first + EvenTrail.cellsBetweenNotes)
      while first < stop {
        let end = lineEnd(from: first, frames, pixel: pixel)
        let half = width / Double(2 * (end - first))
        let (start, share) = (inset.left + half, 2 * half)
        var place = 0.0
        for cell in first..<end {
          let frame = integral(frames[cell], middle: start + share * place)
          frames[cell] = frame
          cells.take(frame)
          place += 1
        }
        first = end
      }
      trail.note(cells, count: first)
    }
  }

  /// The end of a line: rounding moves its centres by at most one pixel.
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

struct EvenCells {
  private(set) var lowest = 0.0
  /// The first of the tallest.
  private var tallest: Rect?
  private var tallestHeight = -1.0

  @inline(__always)
  mutating func take(_ cell: Rect) {
    lowest = lowest < cell.maxY ? cell.maxY : lowest
    if cell.height > tallestHeight { (tallest, tallestHeight) = (cell, cell.height) }
  }

  func binder(headerLength: Double, width: Double) -> Rect? {
    guard let tallest else { return nil }
    let height = tallest.height + headerLength
    return Rect(x: 0, y: tallest.midY - height / 2, width: width, height: height)
  }
}

/// Summaries for several counts of first cells: a later prepare need not read all.
struct EvenTrail {
  static let cellsBetweenNotes = 4096

  /// Nil without a header.
  var headerLength: Double?
  /// By count; the last is of all cells.
  private var notes: [(count: Int, cells: EvenCells)] = []

  var all: EvenCells { notes.last?.cells ?? EvenCells() }

  mutating func note(_ cells: EvenCells, count: Int) { notes.append((count, cells)) }

  /// Reuses an earlier trail's notes on unchanged first cells.
  mutating func takeNotes(
    of earlier: EvenTrail, count: Int, _ frames: borrowing MutableSpan<Rect>
  ) {
    guard count > 0 else { return }
    notes = Array(earlier.notes.prefix { $0.count <= count })
    let known = notes.last?.count ?? 0
    guard known < count else { return }
    var cells = all
    for cell in known..<count { cells.take(frames[cell]) }
    note(cells, count: count)
  }
}
