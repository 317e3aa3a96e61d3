import CTesseraSystem

/// Delegate functions in a worker.
///
/// C functions that ask the host for each result, or for many where an engine asks item by item.
final class DelegateRelay {
  private let relayed: [[RelayedFunction]]

  init(chain: [EngineDescription], channel: Channel) throws(HostError) {
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
  var functions: [[DelegateFunction]] { relayed.map { $0.map(\.function) } }

  /// Forgets what was asked ahead: another call may get other answers.
  func callEnded() { for function in relayed.joined() { function.known = nil } }
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
