import TesseraGeometry
import TesseraHost

extension Sampling {
  /// A value within a parameter's limits, as likely near its initial one as anywhere sensible.
  public mutating func value(of parameter: ParameterDescription) -> Value {
    let any = value(of: parameter.type, choices: parameter.choices, unit: parameter.unit)
    return parameter.clamped(any)
  }

  /// A value of a type of sensible magnitude: lengths of parts of a screen, angles of a turn.
  public mutating func value(of type: ValueType, choices: [String], unit: String?) -> Value {
    switch type {
    case .bool: return .bool(random.once(in: 2))
    case .integer: return .integer(Int64.random(in: 0...6, using: &random))
    case .number:
      return .number(random.number(in: unit == "rad" ? -4...4 : unit == nil ? 0.25...4 : 3...60))
    case .choice: return choices.isEmpty ? .choice("") : .choice(random.pick(choices))
    case .point:
      return .point(Point(x: random.number(in: 0...30), y: random.number(in: 0...30)))
    case .size:
      return .size(Size(width: random.number(in: 1...150), height: random.number(in: 1...150)))
    case .rect:
      return .rect(
        Rect(x: 0, y: 0, width: random.number(in: 1...150), height: random.number(in: 1...150)))
    case .insets: return .insets(insets(upTo: 30))
    }
  }

  /// One value for all, or one for each.
  ///
  /// A number that falls back on a parameter keeps to that parameter's limits.
  public mutating func column(of description: ValueDescription, _ count: Int) -> SampleColumn {
    guard count > 0, random.once(in: 2) else { return .constant(value(of: description)) }
    return .each((0..<count).map { _ in value(of: description) })
  }

  /// A value for one section or item.
  private mutating func value(of description: ValueDescription) -> Value {
    let fallback = engine.chain.flatMap(\.parameters).first { $0.name == description.fallback }
    let any = value(of: description.type, choices: description.choices, unit: fallback?.unit)
    return fallback.map { $0.type == any.type ? $0.clamped(any) : any } ?? any
  }

  /// Gives every section and item a value of its own for all that the engine takes.
  mutating func giveEach(_ sample: inout Sample) {
    for description in engine.settableValues {
      let count = description.scope == .section ? sample.counts.count : sample.itemCount
      let column: SampleColumn? =
        count == 0 ? nil : .each((0..<count).map { _ in value(of: description) })
      switch description.scope {
      case .section: sample.sectionValues[description.name] = column
      case .item: sample.itemValues[description.name] = column
      }
    }
  }

  /// Samples with one parameter each at a limit, or as it starts.
  func atLimits() -> [Sample] {
    engine.settableParameters.flatMap { parameter in
      [parameter.limit(.minimum), parameter.limit(.maximum), parameter.initial].compactMap {
        $0.map { value in
          var sample = Sample(counts: [7, 0, 5])
          sample.parameters[parameter.name] = value
          return sample
        }
      }
    }
  }

  /// For each value that the engine takes samples of 0, a million million points and less than 0, for all and
  /// for every other one.
  mutating func extremeValues() -> [Sample] {
    var samples = [Sample()]
    for description in engine.settableValues where description.type != .choice {
      for number in [0, 1e12, 1, -5] {
        guard let extreme = description.type.filled(with: number) else { continue }
        let plain = Sample(counts: [6, 0, 3])
        let count = description.scope == .section ? plain.counts.count : plain.itemCount
        let mixed = (0..<count).map { $0 % 2 == 0 ? extreme : value(of: description) }
        for column in [.constant(extreme), .each(mixed)] as [SampleColumn] {
          var sample = plain
          switch description.scope {
          case .section: sample.sectionValues[description.name] = column
          case .item: sample.itemValues[description.name] = column
          }
          samples.append(sample)
        }
      }
    }
    return samples
  }

  /// Insets of no edge below 0 or above a limit.
  public mutating func insets(upTo limit: Double) -> Insets {
    Insets(
      top: random.number(in: 0...limit), left: random.number(in: 0...limit),
      bottom: random.number(in: 0...limit), right: random.number(in: 0...limit))
  }
}

extension ParameterDescription {
  /// The value with every component moved to within the limits.
  public func clamped(_ value: Value) -> Value {
    guard !minimum.isEmpty else { return value }
    let numbers = value.numbers.enumerated().map { index, number in
      min(max(number, minimum[index]), maximum[index])
    }
    return Value(type: type, numbers: numbers) ?? initial
  }

  /// The value at the declared limits on one side, components without a limit as they start; nil
  /// where no component has one.
  ///
  /// A bool has false and true, an enum its first and last choice.
  public func limit(_ side: Limit) -> Value? {
    switch type {
    case .bool: return .bool(side == .maximum)
    case .choice: return (side == .minimum ? choices.first : choices.last).map { .choice($0) }
    default:
      let limits = side == .minimum ? minimum : maximum
      guard limits.contains(where: \.isFinite) else { return nil }
      let numbers = zip(initial.numbers, limits).map { $1.isFinite ? $1 : $0 }
      return Value(type: type, numbers: numbers)
    }
  }

  /// One end of what a parameter allows.
  public enum Limit: Sendable {
    case minimum, maximum
  }
}

extension ValueType {
  /// The value of the type whose every component is a number; nil where the type cannot hold it.
  fileprivate func filled(with number: Double) -> Value? {
    [1, 2, 4].lazy.compactMap { count in
      Value(type: self, numbers: Array(repeating: number, count: count))
    }.first
  }
}
