import TesseraCatalog
import TesseraRuntime
import TesseraWorker

/// A call of a published function.
package typealias PublishedCall = (name: String, arguments: [Value])

extension ExaminationServer {
  /// The first answer that differs while other layouts exist.
  func publishedFunctions(_ scenes: [EngineInput]) throws(HostError) -> String? {
    var known = Set<String>()
    let functions = examined.engines.flatMap(\.description.publishedFunctions)
      .filter { known.insert($0.name).inserted }
    var calls: [[(call: PublishedCall, alone: String)]] = []
    for scene in scenes {
      let layout = try examined.prepared(scene)
      calls.append(
        try functions.calls(counts: scene.starts.counts).map {
          ($0, layout.call($0.name, $0.arguments))
        })
      layout.destroy()
    }
    let layouts = try scenes.map { scene throws(HostError) in try examined.prepared(scene) }
    for place in 0..<(calls.map(\.count).max() ?? 0) {
      for (layout, calls) in zip(layouts, calls) where place < calls.count {
        let (call, alone) = calls[place]
        let found = layout.call(call.name, call.arguments)
        guard found == alone else {
          let text = callText(call.name, call.arguments)
          return "\(found) from \(text) beside another layout, and \(alone) without"
        }
      }
    }
    return nil
  }
}

extension [FunctionDescription] {
  /// Calls of each function, with arguments at limits if `extreme`.
  package func calls(counts: [Int], extreme: Bool = false) throws(HostError) -> [PublishedCall] {
    var calls: [PublishedCall] = []
    for function in self {
      let signature = try function.parsedSignature
      var lists = signature.validArguments(counts: counts)
      if extreme { lists += signature.extremeArguments(counts: counts) }
      calls += lists.map { (function.name, $0) }
    }
    return calls
  }
}

extension Signature {
  /// Arguments that refer to existing items, as far as types reveal.
  func validArguments(counts: [Int]) -> [[Value]] {
    let total = counts.reduce(0, +)
    let integers: [[Int]]
    switch arguments.count(where: \.isWhole) {
    case 0: integers = Array(repeating: [], count: 7)
    case 1:
      // An index among all items, or a section.
      integers = Set([0, 1, 2, counts.count - 1, total / 2, total - 1]).filter { $0 >= 0 }.sorted()
        .map { [$0] }
    default:
      let places = counts.indices.filter { counts[$0] > 0 }.flatMap { section in
        Set([0, 1, counts[section] / 2, counts[section] - 1]).filter { $0 < counts[section] }
          .sorted().map { [section, $0] }
      }
      integers = places.count > 24 ? Array(places.prefix(16) + places.suffix(8)) : places
    }
    return Self.unique(integers.enumerated().compactMap { list(integers: $1, $0) })
  }

  /// One or all arguments at the limits of their types, or just outside the data.
  func extremeArguments(counts: [Int]) -> [[Value]] {
    let total = counts.reduce(0, +)
    let outside = [
      counts.count - 1, counts.count, counts.count + 1, counts.max() ?? 0, (counts.max() ?? 0) + 1,
      total - 1, total, total + 1, -1, 1 << 31, 1 << 32, 1 << 53,
    ]
    let plain = list(integers: [0], 0) ?? []
    let lasting = list(integers: [max(0, counts.count - 1), max(0, (counts.last ?? 0) - 1)], 1)
    var lists: [[Value]] = []
    for base in [plain, lasting ?? plain] where base.count == arguments.count {
      for (place, type) in arguments.enumerated() {
        for value in Self.limits(of: type) + outside.compactMap({ Self.number(Double($0), type) }) {
          var changed = base
          changed[place] = value
          lists.append(changed)
        }
      }
    }
    for pick in 0..<6 {
      let all = arguments.compactMap { type -> Value? in
        let limits = Self.limits(of: type)
        return limits.isEmpty ? nil : limits[pick % limits.count]
      }
      if all.count == arguments.count { lists.append(all) }
    }
    return Self.unique(lists)
  }

  /// These integers first, then usual lengths.
  private func list(integers: [Int], _ turn: Int) -> [Value]? {
    let lengths = [0, 10.5, 333.25, 100, -20, 1000, 50]
    var left = integers[...]
    var result: [Value] = []
    for (place, type) in arguments.enumerated() {
      let value =
        type.isWhole
        ? Self.number(Double(left.popFirst() ?? 0), type)
        : Self.number(
          type == .bool ? Double(turn & 1) : lengths[(turn + place) % lengths.count], type)
      guard let value else { return nil }
      result.append(value)
    }
    return result
  }

  private static func limits(of type: ValueType) -> [Value] {
    if type.isWhole {
      let numbers: [Value] =
        type.component == .unsigned
        ? [.unsigned(0), .unsigned(type.unsignedMaximum), .unsigned(type.unsignedMaximum - 1)]
        : [
          .integer(0), .integer(type.signedRange.lowerBound), .integer(type.signedRange.upperBound),
        ]
      return numbers.compactMap { $0.converted(to: type) }
    }
    if type == .bool { return [.bool(false), .bool(true)] }
    let most = type == .f32 ? Double(Float.greatestFiniteMagnitude) : Double.greatestFiniteMagnitude
    return [0, -0.0, most, -most, 1e12, -1, .leastNonzeroMagnitude, 1e30].compactMap {
      number($0, type)
    }
  }

  private static func number(_ number: Double, _ type: ValueType) -> Value? {
    type.isVector || !type.isWhole
      ? Value(type: type, finite: Array(repeating: number, count: type.width))
      : Int64(exactly: number).flatMap { Value.integer($0).converted(to: type) }
  }

  private static func unique(_ lists: [[Value]]) -> [[Value]] {
    var known = Set<[Value]>()
    return lists.filter { known.insert($0).inserted }
  }
}
