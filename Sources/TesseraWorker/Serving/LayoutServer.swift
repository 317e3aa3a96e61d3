import CTessera
import CTesseraSystem
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime

package final class LayoutServer {
  private let chain: LayoutChain
  private let rows: SharedRows
  private let values: SessionValues
  private let relay: DelegateRelay
  private let memory: SharedMemory
  private let input: SharedMemory
  private let channel: Channel
  private var lines: [String] = []
  private var parts: SharedParts

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
    parts = SharedParts(rows.partBytes)
    (self.memory, self.input, self.channel) = (memory, input, channel)
    chain.state.noted = memory.stage
    chain.partFinished = { [unowned self] in keepPart($0, $1) }
    try chain.create()
  }

  private nonisolated(unsafe) static let noItems: UnsafeBufferPointer<UInt64> = {
    let starts = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: 1)
    starts.initialize(repeating: 0)
    return UnsafeBufferPointer(starts)
  }()

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
        try answer(&question, to: &reply)
        Outcome(trace: lines, warnings: chain.warnings).write(to: &message)
        message.put(raw: reply.bytes)
      } catch {
        Outcome(trace: lines, warnings: chain.warnings, failure: error).write(to: &message)
      }
      // Output without a newline belongs to this call.
      tessera_print_all()
      // An error fits the box even if the message doesn't.
      do { try channel.put(message) } catch {
        message = ByteWriter()
        Outcome(failure: error).write(to: &message)
        try? channel.put(message)
      }
    }
  }

  private func answer(_ message: inout ByteReader, to reply: inout ByteWriter) throws(HostError) {
    let head = try QuestionHead.read(from: &message)
    chain.trace = head.traces ? keepLine : nil
    chain.progress = head.reportsProgress ? askProgress : nil
    if head.hasData {
      supply(try message.engineInput(values.chain, in: input.base))
      chain.valuesChanged()
    }
    let context = try message.read(CallContext.self)
    var rows: RowStore?
    if head.isOfAnswer {
      let answer = try chain.answerStore(limit: head.capacity, columns: head.columns)
      answer.adopt(
        try SharedRun.read(
          Untrusted(head.runCount), from: memory.base + SharedMap.runs, capacity: answer.capacity,
          kinds: chain.numbering.kinds, itemCounts: nil))
      rows = answer
    }
    if head.isLong {
      let (offset, count) = (try message.read(Int.self), try message.read(Int.self))
      message = ByteReader(
        copying: UnsafeRawBufferPointer(start: input.base + offset, count: count))
    }
    let type = questionTypes[Int(head.type)]
    try answer(type, &message, rows ?? chain.prepared, context, to: &reply)
  }

  private func answer<Asked: Question>(
    _ type: Asked.Type, _ message: inout ByteReader, _ rows: RowStore, _ context: CallContext,
    to writer: inout ByteWriter
  ) throws(HostError) {
    let question = try Asked.read(from: &message)
    let reply = try question.answer(by: chain, rows, context)
    writer.put(reply)
    guard Asked.writesRows, !question.keepsRows(reply) else { return }
    SharedRun.write(rows.runs, to: memory.base + SharedMap.runs)
    writer.put(rows.runs.count)
  }

  /// False if out of space for the outcome.
  private func keepPart(_ done: Int, _ result: Result<PreparedPart, HostError>) -> Bool {
    relay.callEnded()
    if done == 0 { parts = SharedParts(rows.partBytes) }
    switch result {
    case .success(let part):
      let areAnswers = part.store !== chain.prepared
      if parts.write(part.contentSize, part.store.runs, areAnswers: areAnswers) {
        part.store.keepRows()
      } else {
        // If the whole space is free, the part has too many runs.
        guard done == 0, parts.write(.noRoom(chain.traits.id, capacity: part.store.capacity))
        else { return false }
      }
    case .failure(let error):
      guard parts.write(error) else { return false }
    }
    // If the engine crashes later, the host uses the finished parts.
    (memory.base + SharedMap.finishedParts).storeBytes(of: UInt32(done + 1), as: UInt32.self)
    return true
  }

  private func supply(_ data: EngineInput) {
    chain.state.sectionStarts = UnsafeBufferPointer(data.starts.buffer)
    values.adopt(data, delegates: relay.functions)
  }

  // Engines call back only on the serving thread, hence no synchronization despite `@Sendable`.

  private var keepLine: @Sendable (String) -> Void {
    nonisolated(unsafe) let server = self
    return { server.lines.append($0) }
  }

  private var askProgress: @Sendable (Double) -> Bool {
    nonisolated(unsafe) let channel = channel
    return { fraction in
      var message = ByteWriter(reserving: 16)
      message.put(AnswerKind.progress.rawValue)
      message.put(fraction)
      guard (try? channel.put(message)) != nil else { return false }
      channel.pass()
      channel.awaitTurn()
      guard var reader = try? channel.take() else { return false }
      return (try? reader.read(Bool.self)) ?? false
    }
  }
}

/// Prefetches many results if an engine asks item by item.
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

  package var functions: [[DelegateFunction]] { relayed.map { $0.map(\.function) } }

  /// Prefetched results are valid for one call only.
  package func callEnded() { for function in relayed.joined() { function.known = nil } }
}

private final class RelayedFunction {
  private(set) var function: DelegateFunction!
  var known: (section: UInt32, first: UInt32, values: [Value])?
  private let layer: Int
  private let index: Int
  private let channel: Channel
  private let isOfItem: Bool

  init(
    _ name: String, _ signature: Signature, layer: Int, index: Int, channel: Channel
  ) throws(HostError) {
    (self.layer, self.index, self.channel) = (layer, index, channel)
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
    if let known, known.section == section, item >= known.first,
      Int(item - known.first) < known.values.count
    {
      return known.values[Int(item - known.first)]
    }
    // The next item in order: the engine probably asks for more.
    var ahead = 0
    if let known, known.section == section, Int(known.first) + known.values.count == Int(item) {
      ahead = min(known.values.count * 2, DelegateQuestion.mostAhead)
    }
    let values = try ask([.unsigned(UInt64(section)), .unsigned(UInt64(item))], ahead: ahead)
    known = (section, item, values)
    return values[0]
  }

  /// Returns the result, then what the host prefetched.
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
    let values = try reader.read(Result<[Value], HostError>.self).get()
    guard !values.isEmpty else { throw ByteReader.broken("holds no result") }
    return values
  }
}
