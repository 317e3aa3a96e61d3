import CTessera
import Glibc
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

final class ExaminedLayout {
  let chain: LayoutChain
  private(set) var scene: EngineInput
  private let examined: ExaminedEngines
  private let values: SessionValues
  private let delegates: [[DelegateFunction]]
  private let relay: DelegateRelay?
  private let examiner: CallExaminer?
  private let interposed: [InterposedEngine]?
  private(set) var contentSize = Size.zero
  /// Row limit for the engines' internal queries; nil for the layout's limit.
  var queryLimit: Int?

  init(
    _ scene: EngineInput, _ examined: ExaminedEngines, examiner: CallExaminer? = nil
  ) throws(HostError) {
    (self.scene, self.examined) = (scene, examined)
    self.examiner = examiner
    interposed = examiner.map { InterposedEngine.chain(examined.engines, $0) }
    let values = try SessionValues(chain: examined.engines.map(\.description))
    delegates = examined.relay.functions
    values.adopt(scene, delegates: delegates)
    self.values = values
    relay = scene.hasDelegate ? examined.relay : nil
    chain = try LayoutChain(
      engines: interposed?.map(\.engine) ?? examined.engines, values: values,
      starts: UnsafeBufferPointer(scene.starts.buffer),
      memory: examiner?.rows ?? .modest(capacity: examined.rowCapacity(scene)))
    chain.state.noted = examined.memory.stage
    try chain.create()
  }

  /// Prepares as if the flagged things had changed from the first item on.
  func prepare(changed: UInt32 = TESSERA_CHANGED_ALL) throws(HostError) {
    defer { relay?.callEnded() }
    let change = tessera_change(what: changed, first_section: 0, first_item: 0, last_count: 0)
    contentSize = try chain.prepare(CallContext(viewport: scene.viewport, change: change))
    examiner?.rowsWereTaken(from: chain.prepared)
  }

  /// Prepares with a new input; `change` describes the difference.
  func prepare(_ next: EngineInput) throws(HostError) {
    let change = next.change(since: scene, values.chain)
    take(next)
    defer { relay?.callEnded() }
    contentSize = try chain.prepare(CallContext(viewport: scene.viewport, change: change))
    examiner?.rowsWereTaken(from: chain.prepared)
  }

  /// Doesn't prepare.
  func take(_ scene: EngineInput) {
    self.scene = scene
    chain.state.sectionStarts = UnsafeBufferPointer(scene.starts.buffer)
    values.adopt(scene, delegates: delegates)
  }

  /// Returns the result or the error as text.
  func call(_ name: String, _ arguments: [Value]) -> String {
    defer { relay?.callEnded() }
    let declared = values.chain.lazy.flatMap(\.publishedFunctions).first { $0.name == name }
    do throws(HostError) {
      let question = CallQuestion(function: name, arguments: arguments)
      guard let declared, let result = try ask(question) else { return "nothing" }
      return try result.converted(to: declared.parsedSignature.result, "it returned").description
    } catch { return "the error \"\(error.message)\"" }
  }

  func image() throws(HostError) -> LayoutRows {
    let answer = try answer()
    defer { examiner?.rowsWereTaken(from: answer) }
    return LayoutRows(answer, chain.numbering, contentSize: contentSize)
  }

  /// Queries everything, or a share of a lazy layout's shorter side; doesn't prepare.
  func answer(limit: Int? = nil, across share: Double = 1) throws(HostError) -> RowStore {
    defer { relay?.callEnded() }
    let limit = limit ?? examined.rowCapacity(scene)
    var everything = Rect(
      x: -1, y: -1, width: contentSize.width + 2, height: contentSize.height + 2)
    if contentSize.width < contentSize.height {
      everything.width *= share
    } else {
      everything.height *= share
    }
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

  /// The number of elements in the viewport at a relative offset.
  func countVisible(at share: Double) throws(HostError) -> Int {
    scroll(to: share)
    let rect = Rect(origin: scene.viewport.offset, size: scene.viewport.bounds)
    let answer = try visible(in: rect)
    return (0..<answer.rowCount).count { answer.frames[$0].intersects(rect) }
  }

  /// 0 is the start of the content, 1 its end.
  func scroll(to share: Double) {
    let bounds = scene.viewport.bounds
    scene.viewport.offset = Point(
      x: max(0, contentSize.width - bounds.width) * share,
      y: max(0, contentSize.height - bounds.height) * share)
  }

  /// May include rows outside the rect.
  private func visible(in rect: Rect) throws(HostError) -> RowStore {
    let answer = try chain.answerStore(limit: examined.rowCapacity(scene))
    if chain.traits.isLazy {
      try chain.ask(ElementsQuestion(rect: rect), context, rows: answer)
    } else {
      _ = chain.index.copy(chain.index.rows(in: rect), to: answer)
      examiner?.runWasAdded(to: answer)
    }
    if chain.traits.hasAdjust { try chain.ask(AdjustQuestion(rect: rect), context, rows: answer) }
    return answer
  }

  func lookUpFirstItem() throws(HostError) {
    guard scene.itemCount > 0 else { return }
    let section = scene.starts.buffer.firstIndex { $0 > 0 } ?? 1
    guard chain.traits.isLazy else { return }
    _ = try lookUp(run(TESSERA_CATEGORY_CELL, 0, section - 1, item: 0))
  }

  /// Such as "element added 1 row for cell 3 of section 0".
  func unknownElement() -> String? {
    guard chain.traits.isLazy else { return nil }
    for section in 0..<scene.starts.buffer.count - 1 {
      let count = scene.starts.buffer[section + 1] - scene.starts.buffer[section]
      var runs = [count, count + 1000].map { run(TESSERA_CATEGORY_CELL, 0, section, item: $0) }
      for (number, kind) in chain.numbering.kinds.enumerated() {
        runs.append(run(kind.category.rawValue, UInt32(number), section, item: 1 << 40))
        // The element may exist, but no other may be returned.
        for item in [0, 1] as [UInt64] {
          let asked = run(kind.category.rawValue, UInt32(number), section, item: item)
          guard let found = try? lookUp(asked) else { continue }
          for row in LayoutRows(found, chain.numbering, contentSize: .zero).rows
          where row.identity != identity(of: asked) {
            return "element added \(row.identity) for \(identity(of: asked))"
          }
        }
      }
      for run in runs {
        do throws(HostError) {
          let rows = try lookUp(run).rowCount
          if rows > 0 {
            return "element added \(rows) row\(rows == 1 ? "" : "s") for \(identity(of: run))"
          }
        } catch { return "element failed for \(identity(of: run)): \(error.message)" }
      }
    }
    return nil
  }

  private func lookUp(_ run: tessera_run) throws(HostError) -> RowStore {
    let capacity = min(ElementQuestion.rowLimit, examined.rowCapacity(scene))
    let answer = try chain.answerStore(limit: capacity)
    try chain.ask(ElementQuestion(run: run), context, rows: answer)
    return answer
  }

  private func run(
    _ category: tessera_category, _ kind: UInt32, _ section: Int, item: UInt64
  ) -> tessera_run {
    tessera_run(
      category: category, kind: kind, section: UInt32(section), reserved: 0, first_item: item,
      count: 1)
  }

  private func identity(of run: tessera_run) -> ElementIdentity {
    ElementIdentity(
      category: ElementCategory(rawValue: run.category) ?? .cell,
      kind: run.category == TESSERA_CATEGORY_CELL ? nil : chain.numbering.kinds[Int(run.kind)].name,
      section: Int(run.section), item: Int(run.first_item))
  }

  @discardableResult func update() throws(HostError) -> [String] {
    guard chain.traits.hasUpdates else { return [] }
    var operations: [tessera_update] = []
    for section in 0..<scene.starts.buffer.count - 1
    where scene.starts.buffer[section] < scene.starts.buffer[section + 1] {
      operations.append(
        tessera_update(
          operation: TESSERA_OPERATION_RELOAD_ITEM, from_section: UInt32(section), from_item: 0,
          to_section: UInt32(section), reserved: 0, to_item: 0))
    }
    let shapes = try batch(operations, to: scene).first
    let place = UInt32(clamping: scene.starts.buffer.count - 2)
    guard place > 8 else { return shapes.map { text(of: $0.rows) } }
    let renewal = [
      (TESSERA_OPERATION_DELETE_SECTION, place, UInt32(0)),
      (TESSERA_OPERATION_INSERT_SECTION, UInt32(0), place),
    ].map {
      tessera_update(
        operation: $0.0, from_section: $0.1, from_item: 0, to_section: $0.2, reserved: 0, to_item: 0
      )
    }
    return try (shapes + batch(renewal, to: scene).first).map { text(of: $0.rows) }
  }

  /// Applies a batch; queries the animation twice and in shorter runs.
  func batch(
    _ operations: [tessera_update], to next: EngineInput
  ) throws(HostError) -> (first: [LayoutRows], again: [LayoutRows], inParts: [LayoutRows]) {
    try beginBatch(operations)
    defer { endBatch() }
    take(next)
    try prepare()
    return (try shapes(), try shapes(), try shapes(runLength: 2))
  }

  func beginBatch(_ operations: [tessera_update]) throws(HostError) {
    defer { relay?.callEnded() }
    try chain.ask(BeginUpdateQuestion(operations: operations), context)
  }

  func endBatch() {
    defer { relay?.callEnded() }
    _ = try? chain.ask(EndUpdateQuestion(), context)
  }

  /// Animated elements of the running batch, requested in runs of a length.
  func shapes(runLength: Int = .max) throws(HostError) -> [LayoutRows] {
    defer { relay?.callEnded() }
    var shapes: [LayoutRows] = []
    for appears in [true, false] {
      let rows = try answer()
      let store = try chain.answerStore(limit: examined.rowCapacity(scene), columns: .all)
      for run in rows.runs {
        let end = run.row + run.count
        for first in stride(from: run.row, to: end, by: runLength) {
          let part = first..<first + min(runLength, end - first)
          guard let added = store.append(run, rows: part, of: rows) else { return shapes }
          if let alphas = store.alphas {
            (alphas + added.row).update(repeating: 0, count: part.count)
          }
          examiner?.runWasAdded(to: store)
        }
      }
      try chain.ask(ShapeQuestion(appears: appears), context, rows: store)
      shapes.append(LayoutRows(store, chain.numbering, contentSize: contentSize))
      examiner?.rowsWereTaken(from: store)
    }
    return shapes
  }

  /// Whether a derived engine changes its base's parameters, values or lists.
  var hasOverrides: Bool {
    values.chain.indices.contains { layer in
      let overridden = values.overridden(layer)
      return !overridden.parameters.isEmpty || overridden.hasColumns || overridden.hasLists
    }
  }

  func destroy() { chain.destroy() }

  private var context: CallContext {
    let isMirrored = scene.viewport.direction == .rightToLeft && chain.traits.isMirrored
    return CallContext(
      viewport: scene.viewport, mirrorWidth: isMirrored ? contentSize.width : nil,
      rowLimit: queryLimit ?? examined.rowCapacity(scene))
  }
}

extension ExaminedLayout {
  static let calls:
    [(name: String, hasArguments: Bool, answers: @Sendable (ExaminedLayout) -> [String])] = [
      (
        "adjust", false,
        { $0.chain.traits.hasAdjust && !$0.chain.traits.isLazy ? $0.queries() : [] }
      ),
      ("elements_in_rect", false, { $0.chain.traits.isLazy ? $0.queries() : [] }),
      ("element", false, { $0.lookUps() }),
      ("still_valid", false, { $0.validities() }),
      ("a published function", true, { $0.results() }),
      ("sizing", false, { $0.proposals() }),
      ("snapping", true, { $0.restingOffsets() }),
      ("reordering", true, { $0.targets() }),
      ("updates", false, { layout in (try? layout.update()) ?? ["a failed batch"] }),
    ]

  /// Makes every call, in the table's order or reversed.
  func answers(isReversed: Bool = false, returned: (String) -> Void = { _ in }) -> [String] {
    var answers: [[String]] = Array(repeating: [], count: Self.calls.count)
    let places = isReversed ? Array(Self.calls.indices.reversed()) : Array(Self.calls.indices)
    for place in places {
      let call = Self.calls[place]
      answers[place] = call.answers(self).map { call.hasArguments ? $0 : "\(call.name): \($0)" }
      returned(call.name)
    }
    return answers.flatMap(\.self)
  }

  /// Records the question for the host in case the process ends.
  private func ask<Asked: Question>(_ question: Asked) throws(HostError) -> Asked.Reply {
    examined.memory.note(question.asked)
    defer { examined.memory.note(nil) }
    return try chain.ask(question, context)
  }

  private func answer<Asked: Question>(
    to question: Asked, _ text: (Asked.Reply) -> String
  ) -> String {
    "\(self.text { () throws(HostError) in text(try ask(question)) }) from \(question.asked ?? "")"
  }

  private func text(_ ask: () throws(HostError) -> String) -> String {
    defer { relay?.callEnded() }
    do throws(HostError) { return try ask() } catch { return "the error \"\(error.message)\"" }
  }

  private func text(of store: RowStore, in rect: Rect? = nil) -> String {
    text(
      of: LayoutRows(store, chain.numbering, contentSize: .zero).rows.filter { row in
        rect.map { row.frame.intersects($0) } ?? true
      })
  }

  private func text(of rows: [LayoutRows.Row]) -> String {
    guard let first = rows.first else { return "no element" }
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for row in rows {
      let frame = [row.frame.x, row.frame.y, row.frame.width, row.frame.height].map(\.bitPattern)
      for bits in [UInt64(row.identity.item)] + frame + row.columns {
        hash = (hash ^ bits) &* 0x100_0000_01b3
      }
    }
    return "\(rows.count) elements from \(first.identity) at \(Value.rect(first.frame)) on, "
      + "hash \(String(hash, radix: 16))"
  }

  private func queries() -> [String] {
    let offset = scene.viewport.offset
    defer { scene.viewport.offset = offset }
    return [0, 0.5, 1.01].map { share in
      scroll(to: share)
      let rect = Rect(origin: scene.viewport.offset, size: scene.viewport.bounds)
      return text { () throws(HostError) in
        let found = try visible(in: rect)
        defer { examiner?.rowsWereTaken(from: found) }
        return text(of: found, in: rect)
      }
    }
  }

  private func lookUps() -> [String] {
    guard chain.traits.isLazy else { return [] }
    var answers: [String] = []
    for section in 0..<min(4, scene.starts.buffer.count - 1) {
      let count = scene.starts.buffer[section + 1] - scene.starts.buffer[section]
      for item in Set([0, count / 2, max(count, 1) - 1, count, count + 1000]).sorted() {
        answers.append(
          text { () throws(HostError) in
            let found = try lookUp(run(TESSERA_CATEGORY_CELL, 0, section, item: item))
            defer { examiner?.rowsWereTaken(from: found) }
            return text(of: found)
          })
      }
    }
    return answers
  }

  private func validities() -> [String] {
    let bounds = scene.viewport.bounds
    defer { scene.viewport.bounds = bounds }
    return [0, 1, 40].map { difference in
      scene.viewport.bounds = Size(
        width: bounds.width + difference, height: bounds.height + difference / 2)
      return text { () throws(HostError) in "\(chain.isStillValid(context))" }
    }
  }

  private func results() -> [String] {
    var answers: [String] = []
    for function in values.chain.flatMap(\.publishedFunctions) {
      guard let signature = try? function.parsedSignature else { continue }
      let counts = scene.starts.counts
      let lists =
        signature.validArguments(counts: counts).prefix(6)
        + signature.extremeArguments(counts: counts).prefix(24)
      for arguments in lists {
        answers.append(
          "\(call(function.name, arguments)) from \(callText(function.name, arguments))")
      }
    }
    return answers
  }

  /// The first measured size that depends on where the run starts.
  func sizeOfOtherRun() throws(HostError) -> String? {
    guard let place = values.chain.firstIndex(where: { !$0.measured.isEmpty }) else { return nil }
    for (section, count) in scene.starts.counts.prefix(4).enumerated() where count > 2 {
      for (measured, value) in values.chain[place].measured.enumerated() where value.kind == nil {
        func sizes(from item: Int) throws(HostError) -> [(what: String, size: Size)]? {
          let start = ItemPath(section: section, item: item)
          let reply = try chain.ask(
            SizesQuestion(layer: place, measured: measured, start: start), context)
          let counts = try reply.checkedCounts()
          let length = min(count - item, SizesQuestion.limit)
          guard counts.count >= 2, counts[0] > 0, counts[1] > 0 else { return nil }
          return (0..<length).flatMap { item in
            [
              ("estimate", reply.sizes[counts[0] == 1 ? 0 : item]),
              ("proposal", reply.sizes[counts[0] + (counts[1] == 1 ? 0 : item)]),
            ]
          }
        }
        let first = count / 2
        guard let whole = try sizes(from: 0), let part = try sizes(from: first) else { continue }
        for (place, (one, other)) in zip(whole.dropFirst(2 * first), part).enumerated()
        where one.size != other.size {
          return
            "the \(one.what) \(Value.size(other.size)) for item \(first + place / 2) of section "
            + "\(section) in a run from item \(first) on, and \(Value.size(one.size)) in a run from item 0 on"
        }
      }
    }
    return nil
  }

  func proposals(widerBy width: Double) -> [String] {
    let bounds = scene.viewport.bounds
    defer { scene.viewport.bounds = bounds }
    scene.viewport.bounds.width += width
    return proposals()
  }

  func proposals() -> [String] {
    guard let place = values.chain.firstIndex(where: { !$0.measured.isEmpty }) else { return [] }
    let starts = scene.starts.counts.enumerated().filter { $1 > 0 }.prefix(3).map {
      section, count in ItemPath(section: section, item: section == 0 ? 0 : count / 2)
    }
    return values.chain[place].measured.indices.flatMap { measured in
      starts.map { start in
        text { () throws(HostError) in
          let isKind = values.chain[place].measured[measured].kind != nil
          let first = ItemPath(section: start.section, item: isKind ? 0 : start.item)
          let question = SizesQuestion(layer: place, measured: measured, start: first)
          let reply = try chain.ask(question, context)
          let sizes = reply.sizes.map { "\(Value.size($0))" }
          return "from item \(first.item) of section \(first.section) on \(reply.counts) sizes "
            + sizes.joined(separator: " ")
        }
      }
    }
  }

  private func restingOffsets() -> [String] {
    let places = [
      Point.zero, Point(x: contentSize.width * 0.3, y: contentSize.height * 0.3),
      Point(x: contentSize.width + 1000, y: contentSize.height + 1000), Point(x: -70, y: -70),
    ]
    return places.flatMap { proposed in
      [0.0, 900, -900].map { speed in
        let question = RestQuestion(proposed: proposed, velocity: Point(x: speed, y: speed))
        return answer(to: question) { "\(Value.point($0))" }
      }
    }
  }

  private func targets() -> [String] {
    guard let section = scene.starts.counts.firstIndex(where: { $0 > 0 }) else { return [] }
    let last = ItemPath(section: section, item: scene.starts.counts[section] - 1)
    return [ItemPath(section: section, item: 0), last].flatMap { item in
      [0, 0.4, 1].map { share in
        let point = Point(x: contentSize.width * share, y: contentSize.height * share)
        let question = TargetQuestion(item: item, point: point, nearest: last)
        return answer(to: question) { "item \($0.item) of section \($0.section)" }
      }
    }
  }
}

final class CallTimer: CallExaminer {
  private var depth = 0
  private var seconds = 0.0

  /// Processor seconds since the last call.
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

extension EngineInput {
  var itemCount: Int { starts.total }

  var hasDelegate: Bool { delegates.joined().contains(true) }

  /// The host answers delegate functions on one thread only.
  var withoutDelegate: EngineInput {
    var result = self
    result.delegates = delegates.map { $0.map { _ in false } }
    return result
  }

  func change(since old: EngineInput, _ chain: [EngineDescription]) -> tessera_change {
    var change = tessera_change()
    guard delegates == old.delegates else {
      change.what = TESSERA_CHANGED_ALL
      return change
    }
    if viewport != old.viewport { change.what |= TESSERA_CHANGED_BOUNDS }
    if settings.map(\.bytes) != old.settings.map(\.bytes) {
      change.what |= TESSERA_CHANGED_PARAMETERS
    }
    for (layer, engine) in chain.enumerated() {
      for (index, list) in engine.lists.enumerated() {
        let (mine, theirs) = (lists[layer][index], old.lists[layer][index])
        if mine.map({ !$0.isEqual(to: theirs, list) }) ?? (theirs != nil) {
          change.what |= TESSERA_CHANGED_LISTS
        }
      }
    }
    let (first, last) = Self.changedItems(from: old.data, to: data, chain)
    let sections = starts.counts.count
    guard first.section < sections || sections != old.starts.counts.count else { return change }
    change.what |= TESSERA_CHANGED_COUNTS | TESSERA_CHANGED_VALUES
    (change.first_section, change.first_item) = (UInt32(first.section), UInt64(first.item))
    change.last_count = UInt64(last)
    return change
  }
}

final class ExaminedEngines: @unchecked Sendable {
  let engines: [LoadedEngine]
  let relay: DelegateRelay
  var rowFactor = 1
  /// Records each call, to report where the process ended.
  let memory: SharedMemory

  init(_ engines: [LoadedEngine], _ memory: SharedMemory, _ channel: Channel) throws(HostError) {
    self.engines = engines
    self.memory = memory
    relay = try DelegateRelay(chain: engines.map(\.description), channel: channel)
  }

  func prepared(
    _ scene: EngineInput, _ examiner: CallExaminer? = nil
  ) throws(HostError) -> ExaminedLayout {
    let layout = try ExaminedLayout(scene, self, examiner: examiner)
    try layout.prepare()
    return layout
  }

  func watch(_ scene: EngineInput) -> CallExaminer { CallExaminer(capacity: rowCapacity(scene)) }

  func rowCapacity(_ input: EngineInput) -> Int {
    // A lazy layout may have more items than fit into the address space.
    rowFactor * max(4096, min(2 * input.itemCount, 1 << 24) + 16 * input.starts.buffer.count)
  }
}

extension [tessera_value] {
  fileprivate var bytes: [UInt8] { withUnsafeBytes { [UInt8]($0) } }
}
