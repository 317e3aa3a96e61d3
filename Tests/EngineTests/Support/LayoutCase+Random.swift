import TesseraGeometry
import TesseraHost

extension LayoutCase {
  /// A case as people have them: bounds of a screen, items that fit it, insets and spacings that are
  /// not negative.
  ///
  /// Parameters that the engine refuses together are drawn again.
  static func random(
    for engine: Engine, using random: inout some RandomNumberGenerator
  ) -> LayoutCase {
    while true {
      let result = any(for: engine, using: &random)
      do { _ = try result.session(of: engine).contentSize() } catch let error as HostError {
        if error.kind == .refused { continue }
      } catch {}
      return result
    }
  }

  private static func any(
    for engine: Engine, using random: inout some RandomNumberGenerator
  ) -> LayoutCase {
    var result = LayoutCase()
    result.bounds = Size(
      width: random.number(in: 300...1200), height: random.number(in: 300...1200))
    result.offset = Point(x: random.number(in: -50...400), y: random.number(in: -50...400))
    result.contentInsets = random.edges(upTo: 20)
    result.safeAreaInsets = random.edges(upTo: 40)
    result.layoutMargins = random.edges(upTo: 40)
    result.scale = random.pick([1, 2, 3])
    result.counts = (0..<Int.random(in: 0...5, using: &random)).map { _ in
      Int.random(in: 0...random.pick([0, 3, 40]), using: &random)
    }
    for parameter in engine.settableParameters where Bool.random(using: &random) {
      result.parameters[parameter.name] = random.value(of: parameter)
    }
    for value in engine.settableValues where Bool.random(using: &random) {
      let fallback = engine.fallback(of: value)
      let count =
        value.scope == .section ? result.counts.count : result.counts.reduce(0, +)
      let column = random.column(of: value, fallback, count: count)
      if value.scope == .section {
        result.sectionValues[value.name] = column
      } else {
        result.itemValues[value.name] = column
      }
    }
    return result
  }
}

extension RandomNumberGenerator {
  /// A value that a parameter allows, near its least one where it has one.
  mutating func value(of parameter: ParameterDescription) -> Value {
    let any = value(of: parameter.type, choices: parameter.choices)
    guard !parameter.minimum.isEmpty else { return any }
    let numbers = any.numbers.enumerated().map { index, number in
      min(max(number, parameter.minimum[index]), parameter.maximum[index])
    }
    return Value(type: parameter.type, numbers: numbers) ?? parameter.initial
  }

  /// A value of a type that makes sense as a length: of less than three points, two parts and the
  /// point between them have no room.
  mutating func value(of type: ValueType, choices: [String]) -> Value {
    if type == .bool { return .bool(Bool.random(using: &self)) }
    if type == .choice { return .choice(pick(choices)) }
    if type == .integer { return .integer(Int64.random(in: 0...6, using: &self)) }
    let hasExtent = type.components.contains("width")
    let numbers = type.components.map { component in
      ["width", "height"].contains(component)
        ? number(in: 1...120) : hasExtent ? 0 : number(in: 0...30)
    }
    return Value(type: type, numbers: numbers) ?? .number(number(in: 3...30))
  }

  /// A value that a parameter would allow, if it is the fallback.
  mutating func value(
    of description: ValueDescription, _ fallback: ParameterDescription?
  ) -> Value {
    fallback.map { value(of: $0) } ?? value(of: description.type, choices: description.choices)
  }

  /// One value for all, or one for each.
  fileprivate mutating func column(
    of description: ValueDescription, _ fallback: ParameterDescription?, count: Int
  ) -> ValueColumn {
    guard Bool.random(using: &self) else { return .constant(value(of: description, fallback)) }
    let values = (0..<count).map { _ in value(of: description, fallback) }
    return ValueColumn(values, type: description.type)
  }
}
