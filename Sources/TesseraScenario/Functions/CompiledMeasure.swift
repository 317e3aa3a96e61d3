/// The size of an item by what it is offered, compiled.
struct CompiledMeasure: Sendable {
  private static let names = ExpressionNames(
    scope: .item, arguments: ["proposedWidth", "proposedHeight"])

  private let answer: CompiledAnswer

  /// Throws `.invalidInput` that names where the size was written.
  init(_ setting: Setting) throws(HostError) {
    answer = try CompiledAnswer(setting.node, result: .size, names: Self.names)
    if case .constant(let value) = answer.form, value.numbers.contains(where: { $0 < 0 }) {
      throw HostError(.invalidInput, "\(setting.source) is \(value); expected 0 or more")
    }
  }

  /// A closure for `Session.measure`.
  func closure(
    _ environment: ExpressionEnvironment, itemCounts: [Int]
  ) -> (_ section: Int, _ item: Int, _ proposed: Size) throws(HostError) -> Size {
    let answerer = Answerer(
      answer, environment: environment, itemCounts: itemCounts,
      argumentCount: Self.names.arguments.count)
    return { (section, item, proposed) throws(HostError) in
      try answerer.size(section: section, item: item, proposed: proposed)
    }
  }
}
