import CTessera
import Glibc
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

/// One layout of an examination: a chain of instances of the engines, with values of its own.
final class ExaminedLayout {
  let chain: LayoutChain
  private(set) var scene: ExaminedScene
  private let values: SessionValues
  private let delegates: [[DelegateFunction]]
  private let relay: DelegateRelay?
  private let examiner: CallExaminer?
  private let interposition: Interposition?
  private(set) var contentSize = Size.zero

  /// Creates the instances.
  ///
  /// - Parameter examiner: Stands between the layout and its engines.
  /// - Throws: An error if an engine refuses.
  init(
    _ scene: ExaminedScene, _ examined: ExaminedEngines, examiner: CallExaminer? = nil
  ) throws(HostError) {
    self.scene = scene
    self.examiner = examiner
    interposition = examiner.map { Interposition(examined.engines, $0) }
    let values = try SessionValues(chain: examined.engines.map(\.description))
    delegates = examined.relay.functions
    values.adopt(scene.data, delegates: delegates)
    self.values = values
    relay = scene.hasDelegate ? examined.relay : nil
    chain = try LayoutChain(
      engines: interposition?.engines ?? examined.engines, values: values,
      starts: scene.data.starts,
      memory: examiner?.rows ?? .modest(capacity: scene.rowCapacity))
    chain.state.noted = examined.memory.stage
    try chain.create()
  }

  /// Prepares the layout, by default as if everything might have changed.
  ///
  /// Of counts and values, everything from the first item on has changed.
  func prepare(changed: UInt32 = TESSERA_CHANGED_ALL) throws(HostError) {
    defer { relay?.callEnded() }
    let change = tessera_change(what: changed, first_section: 0, first_item: 0)
    contentSize = try chain.prepare(CallContext(viewport: scene.viewport, change: change))
    examiner?.rowsWereTaken(from: chain.prepared)
  }

  /// Prepares the layout with another input, whose `change` says how it differs from the last one.
  func prepare(_ next: ExaminedScene) throws(HostError) {
    let change = scene.change(to: next, values.chain)
    take(next)
    defer { relay?.callEnded() }
    contentSize = try chain.prepare(CallContext(viewport: scene.viewport, change: change))
    examiner?.rowsWereTaken(from: chain.prepared)
  }

  /// Gives the layout other input; this does not prepare it.
  func take(_ scene: ExaminedScene) {
    self.scene = scene
    chain.state.sectionStarts = scene.data.starts
    values.adopt(scene.data, delegates: delegates)
  }

  /// Calls a published function: the result, or why there is none.
  func call(_ name: String, _ arguments: [Value]) -> String {
    defer { relay?.callEnded() }
    let declared = values.chain.lazy.flatMap(\.publishedFunctions).first { $0.name == name }
    do throws(HostError) {
      let question = CallQuestion(function: name, arguments: arguments)
      guard let declared, let result = try chain.ask(question, context) else { return "nothing" }
      return try result.converted(to: declared.parsedSignature.result, "it returned").description
    } catch {
      return "the error \"\(error.message)\""
    }
  }

  /// The content size and all elements of the layout.
  func image() throws(HostError) -> LayoutRows {
    let answer = try answer()
    defer { examiner?.rowsWereTaken(from: answer) }
    return LayoutRows(answer, chain.numbering, contentSize: contentSize)
  }

  /// The result of a query for everything; this does not prepare the layout.
  ///
  /// - Parameter limit: The maximum number of rows in the result.
  func answer(limit: Int? = nil) throws(HostError) -> RowStore {
    defer { relay?.callEnded() }
    let limit = limit ?? scene.rowCapacity
    let everything = Rect(
      x: -1, y: -1, width: contentSize.width + 2, height: contentSize.height + 2)
    guard chain.traits.isLazy || chain.traits.hasAdjust else { return chain.prepared }
    let answer = try chain.answerStore(limit: limit)
    if chain.traits.isLazy {
      try chain.ask(ElementsQuestion(rect: everything), context, rows: answer)
      return answer
    }
    for run in chain.prepared.runs {
      guard answer.append(run, rows: run.row..<run.row + run.count, of: chain.prepared) != nil
      else { throw HostError(.invalidAnswer, "the same layout has more rows than before") }
      examiner?.runWasAdded(to: answer)
    }
    try chain.ask(AdjustQuestion(rect: everything), context, rows: answer)
    return answer
  }

  /// Queries the viewport at a place of the content; returns the number of elements found.
  func countVisible(at share: Double) throws(HostError) -> Int {
    let bounds = scene.viewport.bounds
    scene.viewport.offset = Point(
      x: max(0, contentSize.width - bounds.width) * share,
      y: max(0, contentSize.height - bounds.height) * share)
    let rect = Rect(origin: scene.viewport.offset, size: bounds)
    let answer = try chain.answerStore(limit: scene.rowCapacity)
    if chain.traits.isLazy {
      try chain.ask(ElementsQuestion(rect: rect), context, rows: answer)
    } else {
      _ = chain.index.copy(chain.index.rows(in: rect), to: answer)
    }
    if chain.traits.hasAdjust {
      try chain.ask(AdjustQuestion(rect: rect), context, rows: answer)
    }
    return (0..<answer.rowCount).count { answer.frames[$0].intersects(rect) }
  }

  /// Looks up the first item, if the engine is lazy.
  func lookUpFirstItem() throws(HostError) {
    guard scene.itemCount > 0 else { return }
    let section = scene.data.starts.firstIndex { $0 > 0 } ?? 1
    try lookUp(section: section - 1, item: 0)
  }

  /// Looks up the first and the last item of each section, and those after it, which do not exist.
  func lookUpEnds() {
    for section in 0..<data.starts.count - 1 {
      let count = data.starts[section + 1] - data.starts[section]
      for item in Set([0, max(count, 1) - 1, count, count + 1000]) {
        try? lookUp(section: section, item: item)
      }
    }
  }

  /// What a lazy engine does when asked for an element that does not exist, if it is not to add
  /// nothing: "element added 1 row for cell 3 of section 0".
  func unknownElement() -> String? {
    guard chain.traits.isLazy else { return nil }
    for section in 0..<data.starts.count - 1 {
      let count = data.starts[section + 1] - data.starts[section]
      var runs = [count, count + 1000].map { run(TESSERA_CELL, 0, section, item: $0) }
      for (number, kind) in chain.numbering.kinds.enumerated() {
        runs.append(run(kind.category.rawValue, UInt32(number), section, item: 1 << 40))
      }
      for run in runs {
        let identity = ElementIdentity(
          category: ElementCategory(rawValue: run.category) ?? .cell,
          kind: run.category == TESSERA_CELL ? nil : chain.numbering.kinds[Int(run.kind)].name,
          section: section, item: Int(run.first_item))
        do throws(HostError) {
          let rows = try lookUp(run).rowCount
          if rows > 0 { return "element added \(rows) row\(rows == 1 ? "" : "s") for \(identity)" }
        } catch {
          return "element failed for \(identity): \(error.message)"
        }
      }
    }
    return nil
  }

  private func lookUp(section: Int, item: UInt64) throws(HostError) {
    guard chain.traits.isLazy else { return }
    _ = try lookUp(run(TESSERA_CELL, 0, section, item: item))
  }

  private func lookUp(_ run: tessera_run) throws(HostError) -> RowStore {
    let answer = try chain.answerStore(limit: ElementQuestion.rowLimit)
    try chain.ask(ElementQuestion(run: run), context, rows: answer)
    return answer
  }

  /// The run of one element.
  private func run(
    _ category: tessera_category, _ kind: UInt32, _ section: Int, item: UInt64
  ) -> tessera_run {
    tessera_run(
      category: category, kind: kind, section: UInt32(section), reserved: 0, first_item: item,
      count: 1)
  }

  /// Begins a batch update that reloads the first item of each section, shapes all elements as
  /// those that appear and as those that disappear, and ends the update.
  func update() throws(HostError) {
    guard chain.traits.hasUpdates else { return }
    var operations: [tessera_update] = []
    for section in 0..<data.starts.count - 1 where data.starts[section] < data.starts[section + 1] {
      operations.append(
        tessera_update(
          operation: TESSERA_RELOAD_ITEM, from_section: UInt32(section), from_item: 0,
          to_section: UInt32(section), reserved: 0, to_item: 0))
    }
    defer { relay?.callEnded() }
    try chain.ask(BeginUpdateQuestion(operations: operations), context)
    defer { _ = try? chain.ask(EndUpdateQuestion(), context) }
    try prepare()
    for ends in [UpdateEnds.initial, .final] {
      let rows = try answer()
      let store = try chain.answerStore(limit: scene.rowCapacity, columns: .all)
      for run in rows.runs {
        guard store.append(run, rows: run.row..<run.row + run.count, of: rows) != nil else {
          return
        }
      }
      try chain.ask(ShapeQuestion(ends: ends), context, rows: store)
      examiner?.rowsWereTaken(from: store)
    }
  }

  /// Calls every published function with numbers that may name items, existing ones and others; any
  /// result is allowed.
  func callFunctions() {
    for function in values.chain.flatMap(\.publishedFunctions) {
      guard let signature = try? function.parsedSignature else { continue }
      for number in [0, 1, Double(scene.itemCount), 100_000] {
        let arguments = signature.arguments.compactMap { type in
          Value(type: type, numbers: Array(repeating: number, count: type.width))
        }
        guard arguments.count == signature.arguments.count else { continue }
        _ = call(function.name, arguments)
      }
    }
  }

  private var data: SuppliedValues { scene.data }

  /// Asks for the resting offset of a scroll to the start.
  func findRestingOffset() throws(HostError) {
    try chain.ask(RestQuestion(proposed: .zero, velocity: .zero), context)
  }

  /// Destroys the instances.
  func destroy() {
    chain.destroy()
  }

  private var context: CallContext {
    let isMirrored =
      scene.viewport.direction == .rightToLeft && chain.traits.isMirrored
    return CallContext(
      viewport: scene.viewport, mirrorWidth: isMirrored ? contentSize.width : nil,
      rowLimit: scene.rowCapacity)
  }
}

/// Measures the processor time of the calls into the engines.
final class CallTimer: CallExaminer {
  private var depth = 0
  private var seconds = 0.0

  init(capacity: Int) { super.init(.modest(capacity: capacity)) }

  /// The processor seconds since the last call of this function.
  func take() -> Double {
    defer { seconds = 0 }
    return seconds
  }

  override func call<Result>(
    _ engine: EngineDescription, _ input: UnsafePointer<tessera_input>,
    _ body: (UnsafePointer<tessera_input>) -> Result
  ) -> Result {
    let start = depth == 0 ? ProcessFacts.processorSeconds : 0
    depth += 1
    defer {
      depth -= 1
      if depth == 0 { seconds += ProcessFacts.processorSeconds - start }
    }
    return body(input)
  }
}

/// The input of one layout of an examination, as received from the host.
struct ExaminedScene {
  let data: SuppliedValues
  var viewport: Viewport
  /// How many times as many rows the engine needs as most engines.
  var rowFactor = 1

  /// The number of items in each section.
  var counts: [Int] { zip(data.starts, data.starts.dropFirst()).map { Int($1 - $0) } }

  /// The number of items.
  var itemCount: Int { Int(data.starts.last ?? 0) }

  /// Whether the program supplies any delegate function.
  var hasDelegate: Bool { data.delegates.joined().contains(true) }

  /// The same input without delegate functions, which the host answers on one thread only.
  var withoutDelegate: ExaminedScene {
    let data = SuppliedValues(
      starts: data.starts, settings: data.settings, columns: data.columns,
      lists: data.lists, delegates: data.delegates.map { $0.map { _ in false } },
      sizing: data.sizing)
    return ExaminedScene(data: data, viewport: viewport, rowFactor: rowFactor)
  }

  /// How another input of the same engines differs from this one.
  func change(to next: ExaminedScene, _ chain: [EngineDescription]) -> tessera_change {
    var change = tessera_change()
    guard data.delegates == next.data.delegates else {
      change.what = TESSERA_CHANGED_ALL
      return change
    }
    if viewport != next.viewport { change.what |= TESSERA_CHANGED_BOUNDS }
    if data.settings.map(\.bytes) != next.data.settings.map(\.bytes) {
      change.what |= TESSERA_CHANGED_PARAMETERS
    }
    for (layer, engine) in chain.enumerated() {
      for (index, list) in engine.lists.enumerated() {
        let (mine, theirs) = (data.lists[layer][index], next.data.lists[layer][index])
        if mine.map({ !$0.isEqual(to: theirs, list) }) ?? (theirs != nil) {
          change.what |= TESSERA_CHANGED_LISTS
        }
      }
    }
    guard let place = firstDifference(from: next, chain) else { return change }
    change.what |= TESSERA_CHANGED_COUNTS | TESSERA_CHANGED_VALUES
    change.first_section = UInt32(place.section)
    change.first_item = UInt64(place.item)
    return change
  }

  /// The first item before which neither counts nor values differ; nil if none differ.
  private func firstDifference(
    from next: ExaminedScene, _ chain: [EngineDescription]
  ) -> ItemPath? {
    let (mine, theirs) = (data.starts, next.data.starts)
    var place = zip(mine, theirs).enumerated().first { $1.0 != $1.1 }.map { number, pair in
      ItemPath(
        section: number - 1,
        item: Int(min(pair.0, pair.1) - mine[number - 1]))
    }
    if place == nil, mine.count != theirs.count {
      place = ItemPath(section: min(mine.count, theirs.count) - 1, item: 0)
    }
    let (sections, items) = (min(mine.count, theirs.count) - 1, min(itemCount, next.itemCount))
    for (layer, engine) in chain.enumerated() {
      for (index, value) in engine.values.enumerated() {
        let (old, new) = (data.columns[layer][index], next.data.columns[layer][index])
        guard old != nil || new != nil else { continue }
        guard let old, let new else { return ItemPath(section: 0, item: 0) }
        let count = value.scope == .item ? items : sections
        guard let first = old.column.firstDifference(from: new.column, count, value.type.stride)
        else { continue }
        let section = value.scope == .item ? mine.lastIndex { $0 <= first } ?? 0 : first
        let found = ItemPath(
          section: section, item: value.scope == .item ? first - Int(mine[section]) : 0)
        place = place.map { min($0, found) } ?? found
      }
    }
    return place
  }

  /// Enough rows for the items, and for as many headers and separators.
  var rowCapacity: Int { rowFactor * max(4096, 2 * itemCount + 16 * data.starts.count) }
}

/// The engines under examination, with the relay for their delegate functions.
final class ExaminedEngines: @unchecked Sendable {
  let engines: [LoadedEngine]
  let relay: DelegateRelay
  /// The memory in which each call is noted, for the host to report where the process ended.
  let memory: SharedMemory

  init(
    _ engines: [LoadedEngine], _ memory: SharedMemory, _ channel: Channel
  ) throws(HostError) {
    self.engines = engines
    self.memory = memory
    relay = try DelegateRelay(chain: engines.map(\.description), channel: channel)
  }
}

extension [tessera_value] {
  fileprivate var bytes: [UInt8] { withUnsafeBytes { [UInt8]($0) } }
}

extension tessera_column {
  /// The index of the first of so many values of a size that differs from another column's; nil if
  /// none does.
  fileprivate func firstDifference(
    from other: tessera_column, _ count: Int, _ size: Int
  ) -> Int? {
    guard let data, let theirs = other.data else { return count > 0 ? 0 : nil }
    return (0..<count).first { index in
      memcmp(data + index * Int(stride), theirs + index * Int(other.stride), size) != 0
    }
  }
}
