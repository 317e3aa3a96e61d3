import CTesseraSystem

/// Delegate functions in a worker.
///
/// C functions that ask the host for each result.
final class DelegateRelay {
  /// For each engine of the chain, those that it declares.
  let functions: [[DelegateFunction]]

  init(chain: [EngineDescription], channel: Channel) throws(HostError) {
    var functions: [[DelegateFunction]] = []
    for (layer, engine) in chain.enumerated() {
      var own: [DelegateFunction] = []
      for (index, declared) in engine.delegateFunctions.enumerated() {
        let name = declared.name
        own.append(
          try DelegateFunction(
            name, CallInterface(try declared.parsedSignature), ClosureMemory()
          ) { (result, arguments) throws(HostError) in
            let value = try Self.ask(channel, layer, index, arguments)
            try result.store(value, of: name)
          })
      }
      functions.append(own)
    }
    self.functions = functions
  }

  private static func ask(
    _ channel: Channel, _ layer: Int, _ index: Int, _ arguments: CallArguments
  ) throws(HostError) -> CallValue {
    var question = ByteWriter(reserving: 32 + 33 * arguments.count)
    question.put(Answer.delegate.rawValue)
    question.put(UInt32(layer))
    question.put(UInt32(index))
    for place in 0..<arguments.count { question.put(arguments.value(at: place)) }
    try channel.put(question)
    channel.pass()
    _ = channel.wait(nanoseconds: .max / 4)
    var reply = try channel.take()
    guard try reply.bool() else { throw try reply.hostError() }
    return try reply.callValue()
  }
}
