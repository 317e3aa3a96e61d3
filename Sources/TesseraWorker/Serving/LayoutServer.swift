import CTessera
import CTesseraSystem
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime

/// Answers a host's questions with a chain of engines in this process.
package final class LayoutServer: WorkerServer {
  private var chain: LayoutChain
  private let engines: [LoadedEngine]
  private let rows: SharedRows
  private let values: SessionValues
  private let relay: DelegateRelay
  private let memory: SharedMemory
  private let input: SharedMemory
  private let channel: Channel
  private var lines: [String] = []
  /// The rows of the parts of a batch; created by the first one.
  private var partStore: RowStore?

  package init(
    engines: [LoadedEngine], memory: SharedMemory, input: SharedMemory,
    channel: Channel
  ) throws(HostError) {
    let descriptions = engines.map(\.description)
    values = try SessionValues(chain: descriptions)
    relay = try DelegateRelay(chain: descriptions, channel: channel)
    let map = SharedMap(
      numbering: try ChainNumbers(chain: descriptions), byteCount: memory.byteCount)
    rows = SharedRows(memory: memory, map: map)
    chain = try LayoutChain(engines: engines, values: values, starts: Self.noItems, memory: rows)
    self.engines = engines
    self.memory = memory
    self.input = input
    self.channel = channel
    try chain.create()
  }

  private nonisolated(unsafe) static let noItems: UnsafeBufferPointer<UInt64> = {
    let starts = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: 1)
    starts.initialize(repeating: 0)
    return UnsafeBufferPointer(starts)
  }()

  /// Answers until the host ends this process.
  package func run() -> Never {
    while true {
      channel.pass()
      channel.awaitTurn()
      lines.removeAll()
      var message = ByteWriter(reserving: 128)
      do throws(HostError) {
        var question = try channel.take()
        defer { relay.callEnded() }
        var reply = ByteWriter(reserving: 64)
        try answer(&question).write(to: &reply)
        Outcome(trace: lines, warnings: chain.warnings).write(to: &message)
        message.put(raw: reply.bytes)
      } catch {
        Outcome(trace: lines, warnings: chain.warnings, failure: error).write(to: &message)
      }
      // What an engine printed without a newline is part of this call.
      tessera_print_all()
      // Report a message that does not fit the box as an error, which does.
      do { try channel.put(message) } catch {
        message = ByteWriter()
        Outcome(failure: error).write(to: &message)
        try? channel.put(message)
      }
    }
  }

  private func answer(_ reader: inout ByteReader) throws(HostError) -> any Message {
    let head = try QuestionHead.read(from: &reader)
    chain.trace = head.traces ? keepLine : nil
    chain.progress = head.reportsProgress ? askProgress : nil
    if head.hasData {
      supply(try reader.engineInput(values.chain, in: input.base))
      chain.valuesChanged()
    }
    let context = try reader.read(CallContext.self)
    switch head.kind {
    case .prepare:
      if try PrepareQuestion.read(from: &reader).unlessValid {
        WorkerStage.stillValid.note(in: memory)
        guard try !chain.isStillValid(context) else {
          return PreparedReply(isKept: true, contentSize: .zero, runCount: Untrusted(0))
        }
      }
      WorkerStage.prepare.note(in: memory)
      let size = try chain.prepare(context)
      return PreparedReply(
        isKept: false, contentSize: size, runCount: share(chain.prepared).runCount)
    case .batch: return try prepareEach(try BatchQuestion.read(from: &reader), context)
    case .elements:
      let question = try RectQuestion.read(from: &reader)
      return share(try chain.elements(in: question.rect, context, limit: question.capacity))
    case .element:
      return share(try chain.element(try ElementQuestion.read(from: &reader).run, context))
    case .adjust:
      let question = try AdjustQuestion.read(from: &reader)
      let store = try chain.answerStore(limit: question.rows.capacity)
      try adopt(question.rows, into: store)
      try chain.adjust(store, for: question.rect, context)
      return share(store)
    case .call:
      let question = try CallQuestion.read(from: &reader)
      return CallReply(
        value: try chain.call(question.name, question.arguments, context).map(Untrusted.init))
    case .restingOffset:
      let question = try RestQuestion.read(from: &reader)
      return PointReply(
        point: try chain.restingOffset(
          for: question.proposed, velocity: question.velocity, context))
    case .reorderingTarget:
      let question = try TargetQuestion.read(from: &reader)
      let target = try chain.reorderingTarget(
        for: question.item, at: question.point, nearest: question.nearest, context)
      return TargetReply(section: target.section, item: target.item)
    case .beginUpdate:
      let question = try BeginUpdateQuestion.read(from: &reader)
      let operations = UnsafeBufferPointer(
        start: (input.base + question.offset).assumingMemoryBound(to: tessera_update.self),
        count: question.count)
      try chain.beginUpdate(Array(operations), context)
    case .endUpdate: chain.endUpdate()
    case .shape:
      let question = try ShapeQuestion.read(from: &reader)
      let store = try chain.shapeStore(limit: question.rows.capacity)
      try adopt(question.rows, into: store)
      try chain.shape(store, as: question.ends, context)
      return share(store)
    case .sizing: return SizingReply(rule: try chain.sizing(context).map(SizingReply.Rule.init))
    case .proposals:
      let sections = try ProposalsQuestion.read(from: &reader).sections
      return SizesReply(sizes: try chain.proposals(context, sections: sections))
    case .destroy: chain.destroy()
    case .renew:
      WorkerStage.destruction.note(in: memory)
      chain.destroy()
      WorkerStage.creation.note(in: memory)
      chain = try LayoutChain(engines: engines, values: values, starts: Self.noItems, memory: rows)
      try chain.create()
    }
    return EmptyMessage()
  }

  /// Prepares the parts of a batch, and keeps a copy of the rows of each.
  private func prepareEach(
    _ question: BatchQuestion, _ context: CallContext
  ) throws(HostError) -> BatchReply {
    WorkerStage.prepare.note(in: memory)
    if partStore == nil { partStore = try rows.partStore(chain.numbering) }
    let copies = partStore!
    copies.clear()
    var parts = SharedParts(rows.partBytes)
    var done = 0
    chain.prepareEach(question.parts, from: question.firstSection, context) { result in
      relay.callEnded()
      guard keep(result, in: copies, &parts, isFirst: done == 0) else { return false }
      done += 1
      // If the engine ends this process, the host uses the parts that are finished.
      (memory.base + SharedMap.finishedParts).storeBytes(of: UInt32(done), as: UInt32.self)
      return true
    }
    return BatchReply(done: Untrusted(done))
  }

  /// Copies the prepared rows of a part, and writes its outcome; returns false if there is no room.
  ///
  /// - Parameter isFirst: Whether all the room there can be is free, so that the part is too large.
  private func keep(
    _ result: Result<Size, HostError>, in copies: RowStore, _ parts: inout SharedParts,
    isFirst: Bool
  ) -> Bool {
    let size: Size
    switch result {
    case .success(let found): size = found
    case .failure(let error): return parts.write(error)
    }
    let (runs, rows) = (copies.runs.count, copies.rowCount)
    var fits = true
    for run in chain.prepared.runs where fits {
      fits = copies.append(run, rows: run.row..<run.row + run.count, of: chain.prepared) != nil
    }
    if fits, parts.write(size, copies.runs[runs...]) { return true }
    copies.truncate(runs: runs, rows: rows)
    return isFirst && parts.write(.noRoom(chain.traits.id, capacity: copies.capacity))
  }

  private func supply(_ data: EngineInput) {
    chain.state.sectionStarts = UnsafeBufferPointer(data.starts.buffer)
    values.adopt(data, delegates: relay.functions)
  }

  // Engines call back only on the serving thread, so these closures need no synchronization even
  // though their types are `@Sendable`.

  private var keepLine: @Sendable (String) -> Void {
    nonisolated(unsafe) let server = self
    return { server.lines.append($0) }
  }

  /// Asks the host whether to continue.
  private var askProgress: @Sendable (Double) -> Bool {
    nonisolated(unsafe) let channel = channel
    return { fraction in
      var message = ByteWriter(reserving: 16)
      message.put(AnswerKind.progress.rawValue)
      ProgressQuestion(fraction: fraction).write(to: &message)
      guard (try? channel.put(message)) != nil else { return false }
      channel.pass()
      channel.awaitTurn()
      guard var reader = try? channel.take() else { return false }
      return (try? FlagReply.read(from: &reader).value) ?? false
    }
  }

  /// Writes the runs of a store to shared memory.
  private func share(_ store: RowStore) -> RowsReply {
    SharedRun.write(store.runs, to: memory.base + SharedMap.runs)
    return RowsReply(runCount: Untrusted(store.runs.count))
  }

  /// Reads the runs that the host wrote to shared memory into a store.
  private func adopt(_ rows: StoreRows, into store: RowStore) throws(HostError) {
    store.adopt(
      try SharedRun.read(
        Untrusted(rows.runCount), from: memory.base + SharedMap.runs, capacity: store.capacity,
        kinds: chain.numbering.kinds, itemCounts: nil))
  }
}

/// The delegate functions of a worker's engines.
///
/// Each is a C function that asks the host for its result. If an engine asks item by item, it fetches
/// many results at once.
package final class DelegateRelay {
  private let relayed: [[RelayedFunction]]

  package init(chain: [EngineDescription], channel: Channel) throws(HostError) {
    var relayed: [[RelayedFunction]] = []
    for (layer, engine) in chain.enumerated() {
      var own: [RelayedFunction] = []
      for (index, declared) in engine.delegateFunctions.enumerated() {
        own.append(
          try RelayedFunction(
            declared.name, try declared.parsedSignature, layer: layer, index: index,
            channel: channel))
      }
      relayed.append(own)
    }
    self.relayed = relayed
  }

  /// For each engine of the chain, the delegate functions that it declares.
  package var functions: [[DelegateFunction]] { relayed.map { $0.map(\.function) } }

  /// Discards the results fetched ahead: the next call may get different ones.
  package func callEnded() { for function in relayed.joined() { function.known = nil } }
}

/// One delegate function in a worker.
private final class RelayedFunction {
  /// The results for consecutive items of a section.
  struct Known {
    let section: UInt32
    let first: UInt32
    let values: [Value]

    func value(_ section: UInt32, _ item: UInt32) -> Value? {
      guard section == self.section, item >= first, Int(item - first) < values.count else {
        return nil
      }
      return values[Int(item - first)]
    }
  }

  private(set) var function: DelegateFunction!
  var known: Known?
  private let layer: Int
  private let index: Int
  private let channel: Channel
  /// Whether its arguments are a section and an item, so that engines usually ask in order.
  private let isOfItem: Bool

  init(
    _ name: String, _ signature: Signature, layer: Int, index: Int, channel: Channel
  ) throws(HostError) {
    self.layer = layer
    self.index = index
    self.channel = channel
    isOfItem = signature.arguments == [.u32, .u32]
    function = try DelegateFunction(name, CallInterface(signature), ClosureMemory()) {
      [unowned self] (result, arguments) throws(HostError) in
      try result.store(try self.answer(arguments), of: name)
    }
  }

  private func answer(_ arguments: CallArguments) throws(HostError) -> Value {
    guard isOfItem else {
      return try ask((0..<arguments.count).map(arguments.value(at:)), ahead: 0)[0]
    }
    let section = UInt32.load(from: arguments.addresses[0])
    let item = UInt32.load(from: arguments.addresses[1])
    if let value = known?.value(section, item) { return value }
    // The item directly after the known ones: the engine probably asks for more.
    var ahead = 0
    if let known, known.section == section, Int(known.first) + known.values.count == Int(item) {
      ahead = min(known.values.count * 2, DelegateQuestion.mostAhead)
    }
    let values = try ask(
      [.unsigned(UInt64(section)), .unsigned(UInt64(item))], ahead: ahead)
    known = Known(section: section, first: item, values: values)
    return values[0]
  }

  /// Asks the host for a result, and for the results of the next `ahead` items.
  ///
  /// - Returns: The result, then as many of the others as the host provided.
  private func ask(_ arguments: [Value], ahead: Int) throws(HostError) -> [Value] {
    var message = ByteWriter(reserving: 32 + 33 * arguments.count)
    message.put(AnswerKind.delegate.rawValue)
    DelegateQuestion(
      layer: Untrusted(UInt32(clamping: layer)), function: Untrusted(UInt32(clamping: index)),
      ahead: Untrusted(UInt32(clamping: ahead)), arguments: Untrusted(arguments)
    ).write(to: &message)
    try channel.put(message)
    channel.pass()
    channel.awaitTurn()
    var reader = try channel.take()
    let reply = try DelegateReply.read(from: &reader)
    if let failure = reply.failure { throw failure }
    guard !reply.values.isEmpty else { throw ByteReader.broken("holds no result") }
    return reply.values
  }
}
