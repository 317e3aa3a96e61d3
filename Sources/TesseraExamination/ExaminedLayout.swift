import CTessera
import Glibc
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

/// A layout of an examined chain, which is asked as a host asks it.
final class ExaminedLayout {
  let chain: LayoutChain
  private(set) var scene: EngineInput
  private let examined: ExaminedEngines
  private let values: SessionValues
  private let delegates: [[DelegateFunction]]
  private let relay: DelegateRelay?
  private let watch: CallWatch
  private(set) var contentSize = Size.zero
  /// Row limit for the engines' internal queries; nil for the layout's limit.
  var queryLimit: Int?

  init(
    _ scene: EngineInput, _ examined: ExaminedEngines, _ watch: CallWatch? = nil
  ) throws(HostError) {
    (self.scene, self.examined) = (scene, examined)
    let watch = watch ?? examined.watch(scene)
    self.watch = watch
    let values = try SessionValues(chain: examined.engines.map(\.description))
    delegates = examined.relay.functions
    values.adopt(scene, delegates: delegates)
    self.values = values
    relay = scene.hasDelegate ? examined.relay : nil
    chain = try LayoutChain(
      engines: examined.engines, values: values,
      starts: UnsafeBufferPointer(scene.starts.buffer), memory: watch, examiner: watch)
    chain.state.noted = examined.memory.stage
    try chain.create()
  }

  func destroy() { chain.destroy() }

  /// Prepares as if the flagged things had changed from the first item on.
  func prepare(changed: UInt32 = TESSERA_CHANGED_ALL) throws(HostError) {
    try prepare(
      tessera_change(what: changed, first_section: 0, first_item: 0, last_count: 0))
  }

  /// Prepares with a new input, told what differs.
  func prepare(_ next: EngineInput) throws(HostError) {
    let change = next.change(since: scene, values.chain)
    take(next)
    try prepare(change)
  }

  private func prepare(_ change: tessera_change) throws(HostError) {
    defer { relay?.callEnded() }
    contentSize = try chain.prepare(CallContext(viewport: scene.viewport, change: change))
    watch.rowsWereTaken(from: chain.prepared)
  }

  /// Doesn't prepare.
  func take(_ scene: EngineInput) {
    self.scene = scene
    chain.state.sectionStarts = UnsafeBufferPointer(scene.starts.buffer)
    values.adopt(scene, delegates: delegates)
  }

  /// Notes the question for the host in case the process ends.
  @discardableResult
  private func ask<Asked: Question>(
    _ question: Asked, rows: RowStore? = nil
  ) throws(HostError) -> Asked.Reply {
    examined.memory.note(question.asked)
    defer {
      examined.memory.note(nil)
      relay?.callEnded()
    }
    return try chain.ask(question, context, rows: rows)
  }

  private var context: CallContext {
    let isMirrored = scene.viewport.direction == .rightToLeft && chain.traits.isMirrored
    return CallContext(
      viewport: scene.viewport, mirrorWidth: isMirrored ? contentSize.width : nil,
      rowLimit: queryLimit ?? examined.rowCapacity(scene))
  }

  /// The rows after all queries; with the answers to all calls if wanted.
  func image(withAnswers: Bool = false) throws(HostError) -> LayoutRows {
    let answer = try answer()
    var rows = LayoutRows(answer, chain.numbering, contentSize: contentSize)
    watch.rowsWereTaken(from: answer)
    if withAnswers { rows.answers = answers() }
    return rows
  }

  /// Queries everything, or a share of a lazy layout's shorter side; doesn't prepare.
  func answer(limit: Int? = nil, across share: Double = 1) throws(HostError) -> RowStore {
    var everything = Rect(
      x: -1, y: -1, width: contentSize.width + 2, height: contentSize.height + 2)
    if contentSize.width < contentSize.height {
      everything.width *= share
    } else {
      everything.height *= share
    }
    guard chain.traits.isLazy || chain.traits.hasAdjust else { return chain.prepared }
    let answer = try chain.answerStore(limit: limit ?? examined.rowCapacity(scene))
    if chain.traits.isLazy {
      try ask(ElementsQuestion(rect: everything), rows: answer)
      return answer
    }
    for run in chain.prepared.runs {
      guard answer.append(run, rows: run.row..<run.row + run.count, of: chain.prepared) != nil
      else { throw HostError(.invalidAnswer, "the same layout has more rows than before") }
      watch.runWasAdded(to: answer)
    }
    try ask(AdjustQuestion(rect: everything), rows: answer)
    return answer
  }

  /// The rows for the viewport at a relative offset; may include rows outside.
  private func visible(at share: Double) throws(HostError) -> (rows: RowStore, in: Rect) {
    scroll(to: share)
    let rect = Rect(origin: scene.viewport.offset, size: scene.viewport.bounds)
    let answer = try chain.answerStore(limit: examined.rowCapacity(scene))
    if chain.traits.isLazy {
      try ask(ElementsQuestion(rect: rect), rows: answer)
    } else {
      _ = try chain.index.find(rect, isListed: false)
      _ = chain.index.copyPieces(to: answer)
      watch.runWasAdded(to: answer)
    }
    if chain.traits.hasAdjust { try ask(AdjustQuestion(rect: rect), rows: answer) }
    return (answer, rect)
  }

  func countVisible(at share: Double) throws(HostError) -> Int {
    let (answer, rect) = try visible(at: share)
    return (0..<answer.rowCount).count { answer.frames[$0].intersects(rect) }
  }

  /// 0 is the start of the content, 1 its end.
  func scroll(to share: Double) {
    let bounds = scene.viewport.bounds
    scene.viewport.offset = Point(
      x: max(0, contentSize.width - bounds.width) * share,
      y: max(0, contentSize.height - bounds.height) * share)
  }

  func lookUpFirstItem() throws(HostError) {
    guard scene.itemCount > 0, chain.traits.isLazy else { return }
    let section = scene.starts.buffer.firstIndex { $0 > 0 } ?? 1
    _ = try lookUp(run(TESSERA_CATEGORY_CELL, 0, section - 1, item: 0))
  }

  /// Such as "element added 1 row for cell 3 of section 0".
  func unknownElement() -> String? {
    guard chain.traits.isLazy else { return nil }
    for (section, count) in scene.starts.counts.enumerated() {
      var runs = [count, count + 1000].map { run(TESSERA_CATEGORY_CELL, 0, section, item: $0) }
      for (number, kind) in chain.numbering.kinds.enumerated() {
        runs.append(run(kind.category.rawValue, number, section, item: 1 << 40))
        // The element may exist, but no other may be returned.
        for item in [0, 1] {
          let asked = run(kind.category.rawValue, number, section, item: item)
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
          guard rows > 0 else { continue }
          return "element added \(rows) row\(rows == 1 ? "" : "s") for \(identity(of: run))"
        } catch { return "element failed for \(identity(of: run)): \(error.message)" }
      }
    }
    return nil
  }

  private func lookUp(_ run: tessera_run) throws(HostError) -> RowStore {
    let capacity = min(ElementQuestion.rowLimit, examined.rowCapacity(scene))
    let answer = try chain.answerStore(limit: capacity)
    try ask(ElementQuestion(run: run), rows: answer)
    return answer
  }

  private func run(
    _ category: tessera_category, _ kind: Int, _ section: Int, item: Int
  ) -> tessera_run {
    tessera_run(
      category: category, kind: UInt32(kind), section: UInt32(section), reserved: 0,
      first_item: UInt64(item), count: 1)
  }

  private func identity(of run: tessera_run) -> ElementIdentity {
    ElementIdentity(
      category: ElementCategory(rawValue: run.category) ?? .cell,
      kind: run.category == TESSERA_CATEGORY_CELL ? nil : chain.numbering.kinds[Int(run.kind)].name,
      section: Int(run.section), item: Int(run.first_item))
  }

  @discardableResult func update() throws(HostError) -> [String] {
    guard chain.traits.hasUpdates else { return [] }
    let counts = scene.starts.counts
    let reloads = counts.indices.filter { counts[$0] > 0 }.map { section in
      tessera_update(TESSERA_OPERATION_RELOAD_ITEM, from: (section, 0), to: (section, 0))
    }
    var shapes = try batch(reloads, to: scene).first
    let place = counts.count - 1
    if place > 8 {
      shapes += try batch(
        [
          tessera_update(TESSERA_OPERATION_DELETE_SECTION, from: (place, 0)),
          tessera_update(TESSERA_OPERATION_INSERT_SECTION, to: (place, 0)),
        ], to: scene
      ).first
    }
    return shapes.map { text(of: $0.rows) }
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
    try ask(BeginUpdateQuestion(operations: operations))
  }

  func endBatch() { _ = try? ask(EndUpdateQuestion()) }

  /// Animated elements of the running batch, requested in runs of a length.
  func shapes(runLength: Int = .max) throws(HostError) -> [LayoutRows] {
    var shapes: [LayoutRows] = []
    for appears in [true, false] {
      let rows = try answer()
      let store = try chain.answerStore(limit: examined.rowCapacity(scene), columns: .all)
      for run in rows.runs {
        let end = run.row + run.count
        for first in stride(from: run.row, to: end, by: runLength) {
          let part = first..<first + min(runLength, end - first)
          guard let added = store.append(run, rows: part, of: rows) else { return shapes }
          store.alphas.map { ($0 + added.row).update(repeating: 0, count: part.count) }
          watch.runWasAdded(to: store)
        }
      }
      try ask(AppearanceQuestion(appears: appears), rows: store)
      shapes.append(LayoutRows(store, chain.numbering, contentSize: contentSize))
      watch.rowsWereTaken(from: store)
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
      answers[place] = self.answers(toCall: place)
      returned(Self.calls[place].name)
    }
    return answers.flatMap(\.self)
  }

  func answers(toCall place: Int) -> [String] {
    let call = Self.calls[place]
    return call.answers(self).map { call.hasArguments ? $0 : "\(call.name): \($0)" }
  }

  private func answer<Asked: Question>(
    to question: Asked, _ text: (Asked.Reply) -> String
  ) -> String {
    "\(self.text { () throws(HostError) in text(try ask(question)) }) from \(question.asked ?? "")"
  }

  private func text(_ ask: () throws(HostError) -> String) -> String {
    do throws(HostError) { return try ask() } catch { return "the error \"\(error.message)\"" }
  }

  /// The text of rows, which are taken then.
  private func text(ofTaken store: RowStore, in rect: Rect? = nil) -> String {
    defer { watch.rowsWereTaken(from: store) }
    let rows = LayoutRows(store, chain.numbering, contentSize: .zero).rows
    return text(of: rows.filter { row in rect.map { row.frame.intersects($0) } ?? true })
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
      text { () throws(HostError) in
        let (rows, rect) = try visible(at: share)
        return text(ofTaken: rows, in: rect)
      }
    }
  }

  private func lookUps() -> [String] {
    guard chain.traits.isLazy else { return [] }
    return scene.starts.counts.prefix(4).enumerated().flatMap { section, count in
      Set([0, count / 2, max(count, 1) - 1, count, count + 1000]).sorted().map { item in
        text { () throws(HostError) in
          text(ofTaken: try lookUp(run(TESSERA_CATEGORY_CELL, 0, section, item: item)))
        }
      }
    }
  }

  private func validities() -> [String] {
    let bounds = scene.viewport.bounds
    defer {
      scene.viewport.bounds = bounds
      relay?.callEnded()
    }
    return [0, 1, 40].map { difference in
      scene.viewport.bounds = Size(
        width: bounds.width + difference, height: bounds.height + difference / 2)
      return "\(chain.isStillValid(context))"
    }
  }

  private func results() -> [String] {
    let counts = scene.starts.counts
    return values.chain.flatMap(\.publishedFunctions).flatMap { function -> [String] in
      guard let signature = try? function.parsedSignature else { return [] }
      let lists =
        signature.validArguments(counts: counts).prefix(6)
        + signature.extremeArguments(counts: counts).prefix(24)
      return lists.map { "\(call(function.name, $0)) from \(callText(function.name, $0))" }
    }
  }

  /// Returns the result or the error as text.
  func call(_ name: String, _ arguments: [Value]) -> String {
    let declared = values.chain.lazy.flatMap(\.publishedFunctions).first { $0.name == name }
    return text { () throws(HostError) in
      let question = CallQuestion(function: name, arguments: arguments)
      guard let declared, let result = try ask(question) else { return "nothing" }
      return try result.converted(to: declared.parsedSignature.result, "it returned").description
    }
  }

  /// The engine that measures, and its measured values.
  private var measured: (layer: Int, values: [MeasuredDescription])? {
    values.chain.firstIndex { !$0.measured.isEmpty }.map { ($0, values.chain[$0].measured) }
  }

  /// The first measured size that depends on where the run starts.
  func sizeOfOtherRun() throws(HostError) -> String? {
    guard let (layer, values) = measured else { return nil }
    for (section, count) in scene.starts.counts.prefix(4).enumerated() where count > 2 {
      for (measured, value) in values.enumerated() where value.kind == nil {
        func sizes(from item: Int) throws(HostError) -> [(what: String, size: Size)]? {
          let start = ItemPath(section: section, item: item)
          let reply = try ask(SizesQuestion(layer: layer, measured: measured, start: start))
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

  func proposals(widerBy width: Double = 0) -> [String] {
    let bounds = scene.viewport.bounds
    defer { scene.viewport.bounds = bounds }
    scene.viewport.bounds.width += width
    guard let (layer, values) = measured else { return [] }
    let starts = scene.starts.counts.enumerated().filter { $1 > 0 }.prefix(3)
    return values.indices.flatMap { measured in
      starts.map { section, count in
        text { () throws(HostError) in
          let isFirst = section == 0 || values[measured].kind != nil
          let first = ItemPath(section: section, item: isFirst ? 0 : count / 2)
          let reply = try ask(SizesQuestion(layer: layer, measured: measured, start: first))
          let sizes = reply.sizes.map { "\(Value.size($0))" }
          return "from item \(first.item) of section \(section) on \(reply.counts) sizes "
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

extension tessera_update {
  init(
    _ operation: tessera_operation, from: (section: Int, item: Int) = (0, 0),
    to: (section: Int, item: Int) = (0, 0)
  ) {
    self.init(
      operation: operation, from_section: UInt32(clamping: from.section),
      from_item: UInt64(from.item), to_section: UInt32(clamping: to.section), reserved: 0,
      to_item: UInt64(to.item))
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

extension [tessera_value] {
  fileprivate var bytes: [UInt8] { withUnsafeBytes { [UInt8]($0) } }
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
    _ scene: EngineInput, _ watch: CallWatch? = nil
  ) throws(HostError) -> ExaminedLayout {
    let layout = try ExaminedLayout(scene, self, watch)
    try layout.prepare()
    return layout
  }

  func watch(_ scene: EngineInput) -> CallWatch { CallWatch(capacity: rowCapacity(scene)) }

  func rowCapacity(_ input: EngineInput) -> Int {
    // A lazy layout may have more items than fit into the address space.
    rowFactor * max(4096, min(2 * input.itemCount, 1 << 24) + 16 * input.starts.buffer.count)
  }
}
