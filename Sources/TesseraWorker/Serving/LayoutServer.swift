import CTessera
import CTesseraSystem
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime

/// Answers what a host asks of a chain of engines that run here.
package final class LayoutServer: WorkerServer {
  private var chain: LayoutChain
  private let records: [EngineRecord]
  private let rows: SharedRows
  private let values: SessionValues
  private let relay: DelegateRelay
  private let memory: SharedMemory
  private let input: SharedMemory
  private let channel: Channel
  private var lines: [String] = []

  package init(
    records: [EngineRecord], limits: WorkerLimits, memory: SharedMemory, input: SharedMemory,
    channel: Channel
  ) throws(HostError) {
    let descriptions = records.map(\.description)
    values = try SessionValues(chain: descriptions)
    relay = try DelegateRelay(chain: descriptions, channel: channel)
    let map = SharedMap(
      numbering: try Numbering(chain: descriptions), rowMemory: limits.rowMemory)
    rows = SharedRows(memory: memory, map: map)
    chain = try LayoutChain(records: records, values: values, starts: Self.noItems, memory: rows)
    self.records = records
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
      var answer = ByteWriter(reserving: 128)
      do throws(HostError) {
        var question = try channel.take()
        defer { relay.callEnded() }
        let result = try self.answer(&question)
        answer.put(Answer.done.rawValue)
        answer.put(lines)
        answer.put(chain.warnings)
        answer.put(raw: result.bytes)
      } catch {
        answer = ByteWriter()
        answer.put(Answer.failed.rawValue)
        answer.put(lines)
        answer.put(chain.warnings)
        answer.put(error)
      }
      // A message that the box cannot hold is told like any other error; that one it can hold.
      do { try channel.put(answer) } catch {
        var short = ByteWriter()
        short.put(Answer.failed.rawValue)
        short.put([String]())
        short.put([String]())
        short.put(error)
        try? channel.put(short)
      }
    }
  }

  private func answer(_ question: inout ByteReader) throws(HostError) -> ByteWriter {
    guard let request = Request(rawValue: try question.uint8()) else {
      throw ByteReader.broken("is a question of no kind that there is")
    }
    let flags = try question.uint8()
    chain.trace = flags & RequestFlags.trace != 0 ? keepLine : nil
    chain.progress = flags & RequestFlags.progress != 0 ? askProgress : nil
    if flags & RequestFlags.data != 0 {
      supply(try question.suppliedData(values.chain, in: input.base))
    }
    let given = try question.given()
    var result = ByteWriter()
    switch request {
    case .prepare:
      result.put(try chain.prepare(given))
      writeRuns(of: chain.prepared, &result)
    case .stillValid: result.put(try chain.isStillValid(given))
    case .elements:
      let rect = try question.rect()
      let limit = try question.int()
      writeRuns(of: try chain.elements(in: rect, given, limit: limit), &result)
    case .element:
      let run = tessera_run(
        category: try question.int32(), kind: try question.uint32(),
        section: try question.uint32(), reserved: 0, first_item: try question.uint64(), count: 1)
      writeRuns(of: try chain.element(run, given), &result)
    case .adjust:
      let rect = try question.rect()
      let store = try chain.answerStore(limit: try question.int())
      try readRuns(into: store, try question.int())
      try chain.adjust(store, for: rect, given)
      writeRuns(of: store, &result)
    case .call:
      let name = try question.string()
      var arguments: [CallValue] = []
      for _ in 0..<(try question.count(ofAtLeast: 33)) {
        arguments.append(try question.callValue())
      }
      let value = try chain.call(name, arguments, given)
      result.put(value != nil)
      result.put(value ?? .void)
    case .restingOffset:
      let proposed = try question.point()
      let velocity = try question.point()
      result.put(try chain.restingOffset(for: proposed, velocity: velocity, given))
    case .reorderingTarget:
      let item = try question.path()
      let point = try question.point()
      let target = try chain.reorderingTarget(
        for: item, at: point, nearest: try question.path(), given)
      result.put(target.section)
      result.put(target.item)
    case .beginUpdate:
      let offset = try question.int()
      let count = try question.int()
      let operations = UnsafeBufferPointer(
        start: (input.base + offset).assumingMemoryBound(to: tessera_update.self), count: count)
      try chain.beginUpdate(Array(operations), given)
    case .endUpdate: chain.endUpdate()
    case .shape:
      let ends = UpdateEnds(rawValue: try question.uint8()) ?? .initial
      let store = try chain.shapeStore(limit: try question.int())
      try readRuns(into: store, try question.int())
      try chain.shape(store, as: ends, given)
      writeRuns(of: store, &result)
    case .sizing:
      let rule = try chain.sizing(given)
      result.put(rule != nil)
      result.put(rule?.place.layer ?? 0)
      result.put(rule?.place.index ?? 0)
      result.put(rule?.estimate ?? .zero)
    case .proposals:
      let first = try question.int()
      let sizes = try chain.proposals(given, sections: first..<(try question.int()))
      for size in sizes { result.put(size) }
    case .destroy:
      chain.destroy()
    case .renew:
      chain.destroy()
      chain = try LayoutChain(records: records, values: values, starts: Self.noItems, memory: rows)
      try chain.create()
    }
    return result
  }

  private func supply(_ data: SuppliedData) {
    chain.state.sectionStarts = data.starts
    values.adopt(data, delegates: relay.functions)
  }

  // The engine's calls arrive on the one thread that serves, whatever the types say.

  private var keepLine: @Sendable (String) -> Void {
    nonisolated(unsafe) let server = self
    return { server.lines.append($0) }
  }

  /// Asks the host whether to go on.
  private var askProgress: @Sendable (Double) -> Bool {
    nonisolated(unsafe) let channel = channel
    return { fraction in
      var question = ByteWriter(reserving: 16)
      question.put(Answer.progress.rawValue)
      question.put(fraction)
      guard (try? channel.put(question)) != nil else { return false }
      channel.pass()
      channel.awaitTurn()
      guard var reply = try? channel.take() else { return false }
      return (try? reply.bool()) ?? false
    }
  }

  private func writeRuns(of store: RowStore, _ result: inout ByteWriter) {
    SharedRun.write(store.runs, to: memory.base + SharedMap.runs)
    result.put(store.runs.count)
  }

  private func readRuns(into store: RowStore, _ count: Int) throws(HostError) {
    store.adopt(
      try SharedRun.read(
        count, from: memory.base + SharedMap.runs, capacity: store.capacity,
        kinds: chain.numbering.kinds, itemCounts: nil))
  }
}

/// Bits beside a request.
package enum RequestFlags {
  package static let progress: UInt8 = 1
  package static let trace: UInt8 = 2
  /// What the layout is given follows.
  package static let data: UInt8 = 4
}

/// Delegate functions in a worker.
///
/// C functions that ask the host for each result, or for many where an engine asks item by item.
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

  /// For each engine of the chain, those that it declares.
  package var functions: [[DelegateFunction]] { relayed.map { $0.map(\.function) } }

  /// Forgets what was asked ahead: another call may get other answers.
  package func callEnded() { for function in relayed.joined() { function.known = nil } }
}

/// One delegate function in a worker.
private final class RelayedFunction {
  /// Answers for items of a section that follow each other.
  struct Known {
    let section: UInt32
    let first: UInt32
    let values: [CallValue]

    func value(_ section: UInt32, _ item: UInt32) -> CallValue? {
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
  /// Whether it is one of a section and an item, which engines ask in their order.
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

  private func answer(_ arguments: CallArguments) throws(HostError) -> CallValue {
    guard isOfItem else {
      return try ask((0..<arguments.count).map(arguments.value(at:)), ahead: 0)[0]
    }
    let section = UInt32.load(from: arguments.addresses[0])
    let item = UInt32.load(from: arguments.addresses[1])
    if let value = known?.value(section, item) { return value }
    // The next item after those that are known: more will follow.
    var ahead = 0
    if let known, known.section == section, Int(known.first) + known.values.count == Int(item) {
      ahead = min(known.values.count * 2, WorkerLayout.mostAskedAhead)
    }
    let values = try ask(
      [.unsigned(UInt64(section)), .unsigned(UInt64(item))], ahead: ahead)
    known = Known(section: section, first: item, values: values)
    return values[0]
  }

  /// Asks the host for a result, and for those of so many items after it.
  ///
  /// - Returns: The result, and as many of the others as the host gave.
  private func ask(_ arguments: [CallValue], ahead: Int) throws(HostError) -> [CallValue] {
    var question = ByteWriter(reserving: 32 + 33 * arguments.count)
    question.put(Answer.delegate.rawValue)
    question.put(UInt32(layer))
    question.put(UInt32(index))
    question.put(UInt32(ahead))
    for argument in arguments { question.put(argument) }
    try channel.put(question)
    channel.pass()
    channel.awaitTurn()
    var reply = try channel.take()
    guard try reply.bool() else { throw try reply.hostError() }
    var values = [try reply.callValue()]
    while reply.remaining > 0 { values.append(try reply.callValue()) }
    return values
  }
}
