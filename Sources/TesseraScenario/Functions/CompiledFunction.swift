struct CompiledFunction: Sendable {
  let name: String
  let signature: Signature
  let answer: CompiledValue

  init(_ description: FunctionDescription, _ node: JSONNode) throws(HostError) {
    name = description.name
    signature = try description.parsedSignature
    guard signature.result != .void else {
      throw HostError(
        .invalidValue, "\(node.source) answers a \(signature), which gives nothing; leave it out")
    }
    answer = try CompiledValue(
      answer: node, type: signature.result, names: signature.names(of: name))
  }

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

extension CompiledValue {
  private static let measureNames = ExpressionNames(
    scope: .item, arguments: ["proposedWidth", "proposedHeight"])

  init(measure node: JSONNode) throws(HostError) {
    try self.init(answer: node, type: .size, names: Self.measureNames)
    if case .constant(let value) = form, value.numbers.contains(where: { $0 < 0 }) {
      throw HostError(.invalidValue, "\(node.source) is \(value); expected 0 or more")
    }
  }

  func measure(
    _ environment: ExpressionEnvironment, itemCounts: [Int]
  ) -> (_ section: Int, _ item: Int, _ proposed: Size) throws(HostError) -> Size {
    let answerer = Answerer(
      self, environment: environment, itemCounts: itemCounts,
      argumentCount: Self.measureNames.arguments.count)
    return { (section, item, proposed) throws(HostError) in
      try answerer.size(section: section, item: item, proposed: proposed)
    }
  }
}

extension Scenario {
  /// Parses arguments of a published function, or throws `.invalidInput`.
  ///
  /// They are values or expressions over the layout's variables; commas separate numbers.
  public func arguments(
    _ texts: [String], of function: FunctionDescription
  ) throws(HostError) -> [Value] {
    let signature = try function.parsedSignature
    let types = signature.arguments
    guard texts.count == types.count else {
      let taken = types.map(\.description).joined(separator: ", ")
      throw HostError(
        .wrongCount,
        "\(function.name) takes \(counted(types.count, "argument"))"
          + (types.isEmpty ? "" : " (\(taken))") + " but was given \(texts.count); give "
          + "\(types.isEmpty ? "none" : "\(types.count)")")
    }
    let environment = ExpressionEnvironment(viewport, sections: sections.count)
    var values: [Value] = []
    for (index, (text, type)) in zip(texts, types).enumerated() {
      let path = "argument \(index + 1) of \(function.name)"
      let answer = try CompiledValue(
        answer: JSONNode(text: text, source: path), type: type,
        names: ExpressionNames(subject: path))
      values.append(try answer.answer(in: environment))
    }
    return values
  }
}

extension Signature {
  var isPlaced: Bool { arguments.count >= 2 && arguments[0].isWhole && arguments[1].isWhole }

  /// a, b, c… or, for a structure, cX, cY.
  var argumentNames: [String] {
    zip("abcdefghijklmnop", arguments).flatMap { letter, type in
      !type.isVector
        ? ["\(letter)"]
        : type.components.map { "\(letter)\($0.prefix(1).uppercased())\($0.dropFirst())" }
    }
  }

  func names(of function: String) -> ExpressionNames {
    ExpressionNames(
      scope: isPlaced ? .item : .layout, arguments: argumentNames,
      subject: "\(function), a \(self)")
  }
}
