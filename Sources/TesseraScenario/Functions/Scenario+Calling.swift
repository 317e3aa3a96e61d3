extension Scenario {
  /// The arguments of a published function: values, or expressions over the layout's variables.
  ///
  /// A structure's numbers stand between commas. Throws `.invalidInput` for another count than the
  /// signature's, a text that cannot be read, and a value that does not fit its type.
  public func arguments(
    _ texts: [String], of function: FunctionDescription
  ) throws(HostError) -> [CallValue] {
    let signature = try function.parsedSignature
    let types = signature.arguments
    guard texts.count == types.count else {
      let taken = types.map(\.description).joined(separator: ", ")
      throw HostError(
        .invalidInput,
        "\(function.name) takes \(counted(types.count, "argument"))"
          + (types.isEmpty ? "" : " (\(taken))") + " but was given \(texts.count); give "
          + "\(types.isEmpty ? "none" : "\(types.count)")")
    }
    let environment = ExpressionEnvironment(over(.defaults))
    var values: [CallValue] = []
    for (index, (text, type)) in zip(texts, types).enumerated() {
      let path = "argument \(index + 1) of \(function.name)"
      let answer = try CompiledAnswer(
        JSONNode(value: .string(text), path: path), result: type,
        names: ExpressionNames(subject: path))
      values.append(try answer.value(in: environment))
    }
    return values
  }
}
