/// Answers an engine's calls with a formula; allocates once, not thread-safe.
private final class Answers {
  private let formula: Formula
  private let itemCounts: [Int]
  /// The number of items before each section.
  private var starts: [Int] = []
  private let needsCounts: Bool
  private var evaluators: [ExpressionEvaluator]
  private var environment: ExpressionEnvironment
  private var arguments: [Double]

  init(
    _ formula: Formula, _ environment: ExpressionEnvironment, itemCounts: [Int], argumentCount: Int
  ) {
    (self.formula, self.environment, self.itemCounts) = (formula, environment, itemCounts)
    arguments = Array(repeating: 0, count: argumentCount)
    evaluators = formula.evaluators(blockLength: 1)
    needsCounts = formula.expressions.contains {
      $0.program.uses(.items) || $0.program.uses(.index)
    }
    var start = 0
    for count in needsCounts ? itemCounts : [] {
      starts.append(start)
      start += count
    }
  }

  /// - Parameter isPlaced: Whether the first arguments are a section and an item.
  func answer(_ call: CallArguments, isPlaced: Bool) throws(HostError) -> Value {
    if let constant = formula.constant { return constant }
    var place = 0
    for index in 0..<call.count {
      if let number = call.number(at: index) {
        arguments[place] = number
        place += 1
      } else {
        guard case .vector(let type, let components) = call.value(at: index) else { continue }
        for component in 0..<type.width { arguments[place + component] = components[component] }
        place += type.width
      }
    }
    if isPlaced { try setPlace(section: arguments[0], item: arguments[1]) }
    return try formula.value(of: &evaluators, in: environment, arguments: arguments)
  }

  func size(section: Int, item: Int, proposed: Size) throws(HostError) -> Size {
    arguments[0] = proposed.width
    arguments[1] = proposed.height
    try setPlace(section: Double(section), item: Double(item))
    if let constant = formula.constant { return Size(constant) ?? .zero }
    let value = try formula.value(of: &evaluators, in: environment, arguments: arguments)
    let size = Size(value) ?? .zero
    guard size.width >= 0, size.height >= 0 else {
      throw HostError(
        .invalidValue,
        "\(formula.subject(in: environment)) \(Value.size(size)); expected 0 or more")
    }
    return size
  }

  private func setPlace(section: Double, item: Double) throws(HostError) {
    environment.section = section
    environment.item = item
    guard needsCounts else { return }
    guard let number = Int(exactly: section), itemCounts.indices.contains(number) else {
      throw HostError(
        .invalidExpression,
        "\(formula.source) uses the counts of section \(section.shortText), of which there are "
          + "\(itemCounts.count); use a and b for numbers that are no section and item")
    }
    environment.items = Double(itemCounts[number])
    environment.index = Double(starts[number]) + item
  }
}

extension FunctionDescription {
  /// Compiles what a delegate function answers.
  func formula(_ node: JSONNode) throws(HostError) -> Formula {
    let signature = try parsedSignature
    guard signature.result != .void else {
      throw HostError(
        .invalidValue, "\(node.source) answers a \(signature), which gives nothing; leave it out")
    }
    return try Formula(answer: node, type: signature.result, names: signature.names(of: name))
  }

  func delegate(
    _ node: JSONNode, _ environment: ExpressionEnvironment, itemCounts: [Int]
  ) throws(HostError) -> DelegateFunction {
    let signature = try parsedSignature
    let answers = Answers(
      try formula(node), environment, itemCounts: itemCounts,
      argumentCount: signature.argumentNames.count)
    return try DelegateFunction(name, signature) { arguments throws(HostError) in
      try answers.answer(arguments, isPlaced: signature.isPlaced)
    }
  }
}

extension Formula {
  private static let measureNames = ExpressionNames(
    scope: .item, arguments: ["proposedWidth", "proposedHeight"])

  init(measure node: JSONNode) throws(HostError) {
    try self.init(answer: node, type: .size, names: Self.measureNames)
    if let constant, constant.numbers.contains(where: { $0 < 0 }) {
      throw HostError(.invalidValue, "\(node.source) is \(constant); expected 0 or more")
    }
  }

  func measure(
    _ environment: ExpressionEnvironment, itemCounts: [Int]
  ) -> (_ section: Int, _ item: Int, _ proposed: Size) throws(HostError) -> Size {
    Answers(self, environment, itemCounts: itemCounts, argumentCount: 2).size
  }
}

extension Scenario {
  /// Parses arguments of a published function, or throws `.invalidInput`.
  ///
  /// They are values or expressions over the layout's variables; commas separate numbers.
  public func arguments(
    _ texts: [String], of function: FunctionDescription
  ) throws(HostError) -> [Value] {
    let types = try function.parsedSignature.arguments
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
      let formula = try Formula(
        answer: JSONNode(text: text, source: path), type: type,
        names: ExpressionNames(subject: path))
      values.append(try formula.value(in: environment))
    }
    return values
  }
}

extension Signature {
  fileprivate var isPlaced: Bool {
    arguments.count >= 2 && arguments[0].isWhole && arguments[1].isWhole
  }

  /// a, b, c… or, for a structure, cX, cY.
  fileprivate var argumentNames: [String] {
    zip("abcdefghijklmnop", arguments).flatMap { letter, type in
      !type.isVector
        ? ["\(letter)"]
        : type.components.map { "\(letter)\($0.prefix(1).uppercased())\($0.dropFirst())" }
    }
  }

  fileprivate func names(of function: String) -> ExpressionNames {
    ExpressionNames(
      scope: isPlaced ? .item : .layout, arguments: argumentNames,
      subject: "\(function), a \(self)")
  }
}
