import TesseraGeometry
import TesseraHost
import TesseraScenario

struct SampleSet: Sendable {
  /// Equal seeds produce equal samples.
  let samples: @Sendable (inout Sampling, CaseLevel) -> [LayoutInput]

  static let plain = SampleSet { _, _ in [LayoutInput()] }

  static let usual = SampleSet { sampling, level in
    [[20], [], [0], [1], [3, 0, 5]].map { LayoutInput(counts: $0) } + sampling.unusual()
      + (0..<level.sampleCount).map { _ in sampling.usual() }
  }

  static func fixed(_ samples: [LayoutInput]) -> SampleSet { SampleSet { _, _ in samples } }

  static func counts(_ counts: [Int]...) -> SampleSet {
    fixed(counts.map { LayoutInput(counts: $0) })
  }

  func changed(
    _ change: @escaping @Sendable (inout LayoutInput, inout Sampling) -> Void
  ) -> SampleSet {
    SampleSet { sampling, level in
      samples(&sampling, level).map { sample in sample.with { change(&$0, &sampling) } }
    }
  }

  static func + (first: SampleSet, second: SampleSet) -> SampleSet {
    SampleSet { first.samples(&$0, $1) + second.samples(&$0, $1) }
  }

  static let limits = SampleSet { sampling, _ in sampling.atLimits() }
  static let odd = SampleSet { sampling, _ in sampling.oddLists() }
  static let huge = SampleSet { sampling, _ in sampling.hugeValues() }
  static let scrolled = SampleSet { sampling, _ in sampling.scrolledParts() }
}

struct Sampling {
  let engine: Engine
  var random: SeededNumbers
  let cell: Size
  let lists: [String: [RecordList]]

  init(
    for engine: Engine, random: SeededNumbers, cell: Size = Size(width: 100, height: 100),
    lists: [String: [RecordList]] = [:]
  ) {
    self.engine = engine
    self.random = random
    self.lists = lists
    self.cell = Size(width: min(max(cell.width, 1), 200), height: min(max(cell.height, 1), 200))
  }

  /// Screen-sized, a few sections, random values for about half of the declarations.
  mutating func usual() -> LayoutInput {
    var sample = LayoutInput()
    sample.bounds = random.pick([
      Size(width: 375, height: 667), Size(width: 1024, height: 768),
      Size(width: random.number(in: 200...1200), height: random.number(in: 200...1200)), .zero,
    ])
    if random.once(in: 2) {
      sample.offset = Point(x: random.number(in: -50...400), y: random.number(in: -50...400))
    }
    for path in LayoutField.insets {
      let isOfContent = path == \Viewport.contentInsets
      if random.once(in: 2) { sample.viewport[keyPath: path] = insets(upTo: isOfContent ? 20 : 40) }
      if isOfContent, sample.bounds == .zero {
        sample.bounds = narrow(inside: sample.contentInsets)
      }
    }
    sample.scale = random.pick([1, 2, 2, 3] + Self.oddScales)
    if random.once(in: 4) { sample.direction = .rightToLeft }
    sample.counts = counts()
    fill(&sample)
    return sample
  }

  /// Display scales that divide a point unevenly.
  static let oddScales = [1.25, 1.5, 2.625]

  /// Less than one and a half cells in width, height or both.
  mutating func narrow(inside insets: Insets) -> Size {
    let width = insets.left + insets.right + random.number(in: 1...1 + 1.5 * cell.width)
    let height = insets.top + insets.bottom + random.number(in: 1...1 + 1.5 * cell.height)
    return random.pick([
      Size(width: width, height: 667), Size(width: 375, height: height),
      Size(width: width, height: height),
    ])
  }

  mutating func unusual() -> [LayoutInput] {
    var narrow = LayoutInput(counts: [3, 0, 5])
    narrow.bounds.width = (1.25 * cell.width * 16).rounded() / 16
    narrow.scale = 1.5
    var varied = LayoutInput(counts: [9, 0, 1, 7])
    varied.scale = 2.625
    fillValues(&varied)
    var mirrored = LayoutInput(counts: [8, 3])
    mirrored.direction = .rightToLeft
    mirrored.scale = 1.25
    mirrored.contentInsets = Insets(top: 3, left: 17, bottom: 11, right: 6)
    return [narrow, varied, mirrored] + withLists([[8, 0, 4], [3]])
  }

  mutating func withLists(_ counts: [[Int]]) -> [LayoutInput] {
    guard !engine.settableLists.isEmpty else { return [] }
    return counts.map { counts in
      LayoutInput(counts: counts).with { sample in
        for list in engine.settableLists { sample.lists[list.name] = acceptedRecords(of: list) }
      }
    }
  }

  mutating func counts() -> [Int] {
    let sections = random.pick([1, 1, 2, 3, 5])
    return (0..<sections).map { _ in
      Int.random(in: 0...random.pick([0, 3, 12, 40]), using: &random)
    }
  }

  mutating func fill(_ sample: inout LayoutInput) {
    fillParameters(&sample) { $0.once(in: 2) }
    for list in engine.settableLists where random.once(in: 2) {
      sample.lists[list.name] = acceptedRecords(of: list)
    }
    for value in engine.settableValues where random.once(in: 2) {
      sample[value] =
        value.scope == .section
        ? column(of: value, sample.counts.count) : itemColumn(of: value, sample.counts)
    }
    fillDelegate(&sample) { $0.once(in: 2) }
  }

  mutating func fillParameters(
    _ sample: inout LayoutInput, where isChosen: (inout SeededNumbers) -> Bool = { _ in true }
  ) {
    for parameter in engine.settableParameters where isChosen(&random) {
      sample.parameters[parameter.name] = value(of: parameter)
    }
  }

  private mutating func fillDelegate(
    _ sample: inout LayoutInput, where isChosen: (inout SeededNumbers) -> Bool = { _ in true }
  ) {
    for function in engine.delegateFunctions where isChosen(&random) {
      guard let text = expression(for: function) else { continue }
      sample.delegate[function.name] = JSONNode(text: text, source: "delegate.\(function.name)")
    }
  }

  mutating func fillAll(_ sample: inout LayoutInput) {
    fillParameters(&sample)
    for list in engine.settableLists { sample.lists[list.name] = acceptedRecords(of: list) }
    fillValues(&sample)
    fillDelegate(&sample)
  }

  mutating func full() -> LayoutInput {
    var sample = usual()
    if sample.itemCount == 0 { sample.counts = [4, 0, 9] }
    fillAll(&sample)
    return sample
  }

  private mutating func expression(for function: FunctionDescription) -> String? {
    guard let signature = try? function.parsedSignature else { return nil }
    let takesItem = signature.takesTwoIndexes
    let modulus = random.pick([2, 2, 3])
    let step = takesItem ? "(item*\(random.pick([1, 3, 5]))+section)" : "1"
    let result = signature.result
    if result == .void { return nil }
    if result == .bool { return takesItem ? "\(step)%2" : "true" }
    guard result.isVector else { return "\(step)%\(modulus)" }
    // Different sides of insets reveal mirroring.
    return result.components.indices.map { "\(step)%7*8\(result == .insets ? "+\($0)" : "")" }
      .joined(separator: ",")
  }
}

extension Sampling {
  mutating func value(of parameter: ParameterDescription) -> Value {
    let any = value(of: parameter.type, choices: parameter.choices, unit: parameter.unit)
    return parameter.clamped(any)
  }

  /// Lengths smaller than a screen, angles smaller than a turn.
  mutating func value(of type: ValueType, choices: [String], unit: String?) -> Value {
    if type == .bool { return .bool(random.once(in: 2)) }
    if type == .choice { return choices.isEmpty ? .choice("") : .choice(random.pick(choices)) }
    if type.isWhole { return .integer(Int64.random(in: 0...6, using: &random)) }
    guard type.isVector else {
      return .number(random.number(in: unit == "rad" ? -4...4 : unit == nil ? 0.25...4 : 3...60))
    }
    let hasExtent = type.components.contains("width")
    return .vector(
      type,
      Value.Components(count: type.width) { index in
        let isLength = ["width", "height"].contains(type.components[index])
        if isLength { return random.number(in: 1...150) }
        return hasExtent ? 0 : random.number(in: 0...30)
      })
  }

  /// A constant or separate values, within the limits of the fallback.
  mutating func column(of description: ValueDescription, _ count: Int) -> ValueColumn {
    guard count > 0, random.once(in: 2) else { return .constant(value(of: description)) }
    return ValueColumn((0..<count).map { _ in value(of: description) }, type: description.type)
  }

  /// Like any column, or references to earlier items of the section.
  private mutating func itemColumn(of description: ValueDescription, _ counts: [Int]) -> ValueColumn
  {
    guard namesItems(description) else { return column(of: description, counts.reduce(0, +)) }
    let places = counts.flatMap { count in
      (0..<count).map { item in
        Value.integer(Int64(random.once(in: 3) ? -1 : Int.random(in: -1..<item, using: &random)))
      }
    }
    return places.isEmpty ? .constant(.integer(-1)) : ValueColumn(places, type: description.type)
  }

  /// An integer with a negative fallback, which means none.
  func namesItems(_ description: ValueDescription) -> Bool {
    guard description.scope == .item, description.type.isWhole else { return false }
    return (fallback(of: description)?.maximum.first ?? 0) < 0
  }

  private func fallback(of description: ValueDescription) -> ParameterDescription? {
    engine.chain.flatMap(\.parameters).first { $0.name == description.fallback }
  }

  mutating func value(of description: ValueDescription) -> Value {
    let fallback = fallback(of: description)
    // Without a parameter, a number may or may not be a length.
    if fallback == nil, description.type == .number, random.once(in: 3) {
      return .number(random.number(in: 3...60))
    }
    let any = value(of: description.type, choices: description.choices, unit: fallback?.unit)
    return fallback.map { $0.type == any.type ? $0.clamped(any) : any } ?? any
  }

  /// Differs from `old` if the type has two values.
  mutating func value(of description: ValueDescription, otherThan old: Value?) -> Value {
    var found = value(of: description)
    for _ in 0..<8 where found == old { found = value(of: description) }
    return found
  }

  mutating func fillValues(_ sample: inout LayoutInput) {
    for description in engine.settableValues {
      if namesItems(description) {
        sample.itemValues[description.name] = itemColumn(of: description, sample.counts)
        continue
      }
      sample.set(description) { _ in value(of: description) }
    }
  }

  func atLimits() -> [LayoutInput] {
    engine.settableParameters.flatMap { parameter in
      let zero = parameter.type.isOrdered ? parameter.type.filled(with: 0) : nil
      return [
        parameter.lowerLimit, parameter.upperLimit, parameter.initial, zero.map(parameter.clamped),
      ].compactMap(\.self).map { value in
        LayoutInput(counts: [7, 0, 5]).with { $0.parameters[parameter.name] = value }
      }
    }
  }

  func hugeValues() -> [LayoutInput] {
    engine.settableValues.compactMap { description in
      guard !description.type.isWhole, description.type != .choice,
        let huge = description.type.filled(with: 1.7e308)
      else { return nil }
      return LayoutInput(counts: [3, 0, 2]).with { sample in
        sample[description] = .constant(huge)
        // Engines often treat flagged items differently.
        for other in engine.settableValues where other.type == .bool {
          sample[other] = .constant(.bool(true))
        }
      }
    }
  }

  /// At 0, 1e12, 1, -5 or a type's limit; 0 also with each parameter's choices.
  mutating func extremeValues(_ level: CaseLevel) -> [LayoutInput] {
    var samples = [LayoutInput()]
    for description in engine.settableValues where description.type != .choice {
      var others = description.type == .integer ? [Value.integer(.max), .integer(.min)] : []
      for place in 0..<description.type.width where description.type.isVector {
        for number in [0.0, -5] {
          var numbers = value(of: description).numbers
          numbers[place] = number
          Value(type: description.type, numbers: numbers).map { others.append($0) }
        }
      }
      samples += others.map { value in
        LayoutInput(counts: [6, 0, 3]).with { $0[description] = .constant(value) }
      }
      var numbers: [Double] = [0, 1e12, 1, -5]
      if description.type.isWhole {
        numbers += level == .quick ? [256, 0x1p31, 0x1p32 + 60] : Self.endsOfIntegers
      } else {
        numbers +=
          [.leastNonzeroMagnitude] + (level == .quick ? [] : [-1e4, 1e-150, 1e-17, 0x1p53, 1e150])
      }
      for number in numbers {
        guard let extreme = description.type.filled(with: number) else { continue }
        let plain = LayoutInput(counts: [6, 0, 3])
        let last = plain.count(of: description) - 1
        let mixed = plain.with { sample in
          sample.set(description) { $0 % 2 == 0 ? extreme : value(of: description) }
        }
        let alone = plain.with { sample in
          sample.set(description) { $0 == last ? extreme : value(of: description) }
        }
        for sample in [plain.with { $0[description] = .constant(extreme) }, mixed, alone] {
          samples.append(sample)
          guard number == 0, sample[description]?.count == nil else { continue }
          for parameter in engine.settableParameters {
            samples += parameter.otherChoices.map { choice in
              sample.with {
                $0.bounds.width = 8
                $0.parameters[parameter.name] = choice
              }
            }
          }
        }
      }
    }
    return samples
  }

  mutating func emptyAtTheEnd() -> [LayoutInput] {
    let lengths = engine.settableValues.filter {
      [.number, .size].contains($0.type) && !$0.isInAdjust
    }
    return lengths.flatMap { description in
      [1, 2].map { step in
        var sample = LayoutInput(counts: [4, 0, 3, 2])
        sample.bounds.height = 100
        let last = sample.count(of: description) - 1
        let zero = description.type.filled(with: 0) ?? .number(0)
        sample.set(description) { place in
          (step == 1 ? place == last : place % 2 == last % 2) ? zero : value(of: description)
        }
        return sample
      }
    }
  }

  /// Values read only by adjust scroll parts with more items than fit.
  mutating func scrolledParts() -> [LayoutInput] {
    let offsets = engine.settableValues.filter { $0.isInAdjust && $0.type == .number }
    guard !offsets.isEmpty else { return [] }
    return [false, true].map { isMirrored in
      var sample = LayoutInput(counts: [17, 4, 15])
      if isMirrored { sample.direction = .rightToLeft }
      fillValues(&sample)
      for offset in offsets {
        sample.set(offset) { _ in .number(random.number(in: 4...random.pick([16, 60, 400]))) }
      }
      return sample
    }
  }

  func withoutLengths() -> LayoutInput {
    LayoutInput(counts: [0, 0]).with { sample in
      for parameter in engine.settableParameters where parameter.type.isOrdered {
        sample.parameters[parameter.name] = parameter.type.filled(with: 0).map(parameter.clamped)
      }
    }
  }

  /// Lengths that binary can't represent, to force rounding.
  func withInexactLengths(_ counts: [Int], areSpacesEmpty: Bool) -> LayoutInput {
    var sample = LayoutInput(counts: counts)
    for parameter in engine.settableParameters
    where parameter.type == .number && parameter.unit == "pt" {
      let isEmpty = areSpacesEmpty && (parameter.minimum.first ?? 0) <= 0
      let number = isEmpty ? 0 : parameter.initial.numbers[0] * 1.1 + 1.0 / 3
      sample.parameters[parameter.name] = parameter.clamped(.number(number))
    }
    return sample
  }

  /// Limits of 8, 16, 31, 32 and 53 bits, and an integer that is small when truncated to 32 bits.
  static let endsOfIntegers: [Double] = {
    let ends: [Double] = [0x1p8, 0x1p16, 0x1p31, 0x1p32]
    return ends.flatMap { [$0 - 1, $0, $0 + 1] } + [0x1p32 + 60, 0x1p53, -0x1p31]
  }()

  mutating func insets(upTo limit: Double) -> Insets {
    Insets(
      top: random.number(in: 0...limit), left: random.number(in: 0...limit),
      bottom: random.number(in: 0...limit), right: random.number(in: 0...limit))
  }
}

extension FunctionDescription {
  var returnsInsets: Bool { (try? parsedSignature)?.result == .insets }
}

extension ParameterDescription {
  func clamped(_ value: Value) -> Value {
    guard !minimum.isEmpty else { return value }
    let numbers = value.numbers.enumerated().map { index, number in
      min(max(number, minimum[index]), maximum[index])
    }
    return Value(type: type, numbers: numbers) ?? initial
  }

  /// Initial components where a limit is missing; nil without limits.
  private func limit(_ limits: [Double], _ isMaximum: Bool) -> Value? {
    if type == .bool { return .bool(isMaximum) }
    if type == .choice { return (isMaximum ? choices.last : choices.first).map(Value.choice) }
    guard limits.contains(where: \.isFinite) else { return nil }
    let numbers = zip(initial.numbers, limits).map { $1.isFinite ? $1 : $0 }
    return Value(type: type, numbers: numbers)
  }

  var otherChoices: [Value] {
    let all: [Value] =
      type == .bool
      ? [.bool(false), .bool(true)] : type == .choice ? choices.map(Value.choice) : []
    return all.filter { $0 != initial }
  }

  var lowerLimit: Value? { limit(minimum, false) }
  var upperLimit: Value? { limit(maximum, true) }
}

extension ValueType {
  /// Sets every component; nil if the type can't hold the number.
  func filled(with number: Double) -> Value? {
    Value(type: self, numbers: Array(repeating: number, count: width))
  }
}

extension LayoutInput {
  subscript(description: ValueDescription) -> ValueColumn? {
    get {
      description.scope == .section ? sectionValues[description.name] : itemValues[description.name]
    }
    set {
      switch description.scope {
      case .section: sectionValues[description.name] = newValue
      case .item: itemValues[description.name] = newValue
      }
    }
  }
}

extension Engine {
  private func unique<Declaration>(
    _ declarations: (EngineDescription) -> [Declaration], without known: Set<String> = [],
    _ name: (Declaration) -> String
  ) -> [Declaration] {
    var known = known
    return chain.flatMap(declarations).filter { known.insert(name($0)).inserted }
  }

  /// Without parameters that a derived engine owns; the most derived engine wins.
  var settableParameters: [ParameterDescription] {
    unique(\.parameters, without: ownedParameters, \.name)
  }

  /// Parameters that a derived engine sets itself, and values that fall back on them.
  var ownedParameters: Set<String> {
    Set(chain.flatMap { $0.defaults.filter(\.isOwned).map(\.name) })
  }

  var settableValues: [ValueDescription] { unique(\.values) { "\($0.scope) \($0.name)" } }

  var delegateFunctions: [FunctionDescription] { unique(\.delegateFunctions, \.name) }

  var publishedFunctions: [FunctionDescription] { unique(\.publishedFunctions, \.name) }

  var settableLists: [ListDescription] { unique(\.lists, \.name) }

  var kinds: [KindDescription] { unique(\.kinds) { "\($0.category) \($0.name)" } }

  var builtInColumns: BuiltInColumns {
    chain.reduce(into: []) { $0.formUnion($1.columns.union($1.adjustedColumns)) }
  }

  func has(_ ability: EngineAbilities) -> Bool { chain.contains { $0.abilities.contains(ability) } }

  func hasNegativeLength(in sample: LayoutInput) -> Bool {
    chain.flatMap(\.parameters).contains { parameter in
      let given = chain.lazy.flatMap(\.defaults).first { $0.name == parameter.name }?.value
      let value = sample.parameters[parameter.name] ?? given ?? parameter.initial
      return parameter.unit == "pt" && value.numbers.contains { $0 < 0 }
    }
  }
}

/// Reproducible random numbers: splitmix64.
struct SeededNumbers: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// Each case of a run has a separate sequence.
  init(seed: UInt64, name: String) {
    // FNV-1a, since Swift's hashes are seeded per process.
    state = name.utf8.reduce(seed ^ 0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// Rounded to 1/16: exact as a double, and short as text.
  mutating func number(in range: ClosedRange<Double>) -> Double {
    // Both the bounds and the range's length must be finite.
    let range = range.clamped(
      to: -Double.greatestFiniteMagnitude / 2...Double.greatestFiniteMagnitude / 2)
    let number = Double.random(in: range, using: &self)
    return min(max((number * 16).rounded() / 16, range.lowerBound), range.upperBound)
  }

  mutating func pick<Item>(_ items: [Item]) -> Item {
    items[Int.random(in: items.indices, using: &self)]
  }

  mutating func point(around content: Size, within distance: Double) -> Point {
    let x = number(in: -distance...content.width + distance)
    return Point(x: x, y: number(in: -distance...content.height + distance))
  }

  mutating func once(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
