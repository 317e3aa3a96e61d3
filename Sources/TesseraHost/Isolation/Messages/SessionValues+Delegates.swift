extension SessionValues {
  /// Answers a worker's question for the result of a delegate function.
  ///
  /// - Parameter answersAhead: What is told beside, where the worker asks for so many results that
  ///   follow.
  /// - Throws: `.brokenContract` for a question that makes no sense.
  func delegateReply(
    _ question: inout ByteReader,
    ahead answersAhead: ([CallValue], Int, DelegateFunction) -> [CallValue] = { _, _, _ in [] }
  ) throws(HostError) -> ByteWriter {
    var reply = ByteWriter(reserving: 48)
    let layer = Int(try question.uint32())
    let place = Int(try question.uint32())
    let ahead = min(Int(try question.uint32()), WorkerLayout.mostAskedAhead)
    guard layer < delegates.count, place < delegates[layer].count,
      let function = delegates[layer][place]
    else { throw ByteReader.broken("asks for a delegate function that it was not given") }
    var arguments: [CallValue] = []
    for _ in function.signature.arguments { arguments.append(try question.callValue()) }
    do throws(HostError) {
      let value = try function.answer(arguments)
      reply.put(true)
      reply.put(value)
      for value in answersAhead(arguments, ahead, function) { reply.put(value) }
    } catch {
      reply.put(false)
      reply.put(error)
    }
    return reply
  }
}
