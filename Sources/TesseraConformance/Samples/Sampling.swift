import TesseraGeometry
import TesseraHost

/// Makes samples within what an engine declares, from seeded random numbers.
public struct Sampling {
  /// The engine that they are for.
  public let engine: Engine
  /// Where chance comes from.
  public var random: SeededNumbers

  /// Samples for an engine.
  public init(for engine: Engine, random: SeededNumbers) {
    self.engine = engine
    self.random = random
  }

  /// A sample as people have them: bounds of a screen, some sections, and for about half of what the
  /// engine declares a value other than the one it starts with.
  public mutating func usual() -> Sample {
    var sample = Sample()
    sample.bounds = random.pick([
      Size(width: 375, height: 667), Size(width: 1024, height: 768),
      Size(width: random.number(in: 200...1200), height: random.number(in: 200...1200)),
    ])
    if random.once(in: 2) {
      sample.offset = Point(x: random.number(in: -50...400), y: random.number(in: -50...400))
    }
    if random.once(in: 2) { sample.contentInsets = insets(upTo: 20) }
    if random.once(in: 2) { sample.safeAreaInsets = insets(upTo: 40) }
    if random.once(in: 2) { sample.layoutMargins = insets(upTo: 40) }
    sample.scale = random.pick([1, 2, 2, 3])
    if random.once(in: 4) { sample.direction = .rightToLeft }
    sample.counts = counts()
    fill(&sample)
    return sample
  }

  /// Item counts of up to five sections, with empty ones among them.
  public mutating func counts() -> [Int] {
    let sections = random.pick([1, 1, 2, 3, 5])
    return (0..<sections).map { _ in
      Int.random(in: 0...random.pick([0, 3, 12, 40]), using: &random)
    }
  }

  /// Gives about half of what the engine declares a value.
  public mutating func fill(_ sample: inout Sample) {
    for parameter in engine.settableParameters where random.once(in: 2) {
      sample.parameters[parameter.name] = value(of: parameter)
    }
    for value in engine.settableValues where random.once(in: 2) {
      switch value.scope {
      case .section: sample.sectionValues[value.name] = column(of: value, sample.counts.count)
      case .item: sample.itemValues[value.name] = column(of: value, sample.itemCount)
      }
    }
    for function in engine.delegateFunctions where random.once(in: 2) {
      if let answer = answer(of: function) { sample.delegate[function.name] = answer }
    }
  }

  /// Gives all of what the engine declares a value, and each section and item its own.
  mutating func fillWhole(_ sample: inout Sample) {
    for parameter in engine.settableParameters {
      sample.parameters[parameter.name] = value(of: parameter)
    }
    giveEach(&sample)
    for function in engine.delegateFunctions {
      if let answer = answer(of: function) { sample.delegate[function.name] = answer }
    }
  }

  /// An expression that answers a delegate function with small numbers, or 0 and 1.
  private mutating func answer(of function: FunctionDescription) -> String? {
    guard let signature = try? function.parsedSignature else { return nil }
    let takesItem =
      signature.arguments.count >= 2
      && signature.arguments.prefix(2).allSatisfy { [.u32, .i32, .u64, .i64].contains($0) }
    let modulus = random.pick([2, 2, 3])
    let step = takesItem ? "(item*\(random.pick([1, 3, 5]))+section)" : "1"
    switch signature.result {
    case .void: return nil
    case .bool: return takesItem ? "\(step)%2" : "true"
    case .point, .size, .rect, .insets:
      return signature.result.components.map { _ in "\(step)%7*8" }.joined(separator: ",")
    default: return "\(step)%\(modulus)"
    }
  }
}
