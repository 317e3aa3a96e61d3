/// The answer of one delegate function, compiled for its signature.
struct CompiledFunction: Sendable {
  let name: String
  let signature: Signature
  let answer: CompiledAnswer

  /// Throws `.invalidInput` that names where the answer was written.
  init(_ description: FunctionDescription, _ node: JSONNode) throws(HostError) {
    name = description.name
    signature = try description.parsedSignature
    guard signature.result != .void else {
      throw HostError(
        .invalidInput, "\(node.path) answers a \(signature), which gives nothing; leave it out")
    }
    answer = try CompiledAnswer(node, result: signature.result, names: signature.names(of: name))
  }

  /// A C function that gives the answer.
  func delegate(
    _ environment: ExpressionEnvironment, itemCounts: [Int]
  ) throws(HostError) -> DelegateFunction {
    let isPlaced = signature.isPlaced
    let answerer = Answerer(
      answer, environment: environment, itemCounts: itemCounts,
      argumentCount: signature.argumentNames.count)
    return try DelegateFunction(name, signature) { arguments throws(HostError) in
      try answerer.answer(arguments, isPlaced: isPlaced)
    }
  }
}
