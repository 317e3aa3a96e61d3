import Synchronization
import TestSupport
import Testing

@testable import TesseraHost

@Suite struct IsolationTests {
  private static let seeds: ClosedRange<UInt64> = 1...4

  private static func host(_ isolation: Isolation) -> Host {
    var configuration = HostConfiguration(isolation: isolation)
    configuration.worker = BuiltProducts.folder.appendingPathComponent("tessera-worker").path
    return Host(
      searchPath: SearchPath(folders: [BuiltProducts.folder.path]), configuration: configuration)
  }

  private static let hosts: [Isolation: Host] = [
    .sandbox: host(.sandbox), .process: host(.process),
  ]

  @Test(arguments: ShippedEngines.ids, seeds)
  func answersAreTheSameToTheLastBit(_ id: String, _ seed: UInt64) throws {
    let expected = try Answers(ShippedEngines.host.engine(id), seed: seed)
    for (isolation, host) in Self.hosts {
      let found = try Answers(host.engine(id), seed: seed)
      for (found, expected) in zip(found.lines, expected.lines) where found != expected {
        Issue.record(
          "\(id), seed \(seed), \(isolation): \(found.prefix(500)), not \(expected.prefix(500))")
        break
      }
      #expect(found.lines.count == expected.lines.count)
    }
  }
}

private struct Answers {
  private(set) var lines: [String] = []

  init(_ engine: Engine, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let session = try Session(engine)
    session.bounds = random.extent(in: 300...900)
    session.offset = Point(x: random.number(in: -50...400), y: random.number(in: -50...400))
    (session.contentInsets, session.safeAreaInsets) = (
      random.edges(upTo: 20), random.edges(upTo: 40)
    )
    session.scale = random.pick([1, 2, 3])
    session.direction = random.pick([.leftToRight, .leftToRight, .rightToLeft])
    try session.setSections([12, 0, 5, 20])
    Self.setValues(session, &random)
    try setDelegates(session)
    note("values") { try Self.text(Snapshot(session)) }
    note("query") { try Self.text(session.elements(in: session.visibleRect)) }
    try change(session, &random)
  }

  private mutating func note(_ what: String, _ answer: () throws -> String) {
    lines.append("\(what): \(Result { try answer() })")
  }

  private static func text(_ answer: some Any) -> String { "\(answer)" }

  private static func text(_ elements: Elements) -> String { "\(Array(elements))" }

  private static func setValues(_ session: Session, _ random: inout SeededGenerator) {
    for value in session.engine.chain.flatMap(\.values) {
      let isOfItem = value.scope == .item
      let count = isOfItem ? session.itemCounts.reduce(0, +) : session.itemCounts.count
      let sizes = (0..<count).map { _ in random.extent(in: 5...120) }
      let column = value.type == .size ? ValueColumn.sizes(sizes) : .numbers(sizes.map(\.width))
      if isOfItem {
        try? session.setItemValues(value.name, column)
      } else {
        try? session.setSectionValues(value.name, column)
      }
    }
  }

  private mutating func setDelegates(_ session: Session) throws {
    for declared in session.engine.chain.flatMap(\.delegateFunctions) {
      let signature = try declared.parsedSignature
      let function = try DelegateFunction(declared.name, signature) {
        (arguments) throws(HostError) -> Value in
        let sum = (0..<arguments.count).reduce(0.0) {
          $0 + (Double("\(arguments.value(at: $1))") ?? 0)
        }
        return .number(sum.truncatingRemainder(dividingBy: 2))
      }
      try session.setDelegate(declared.name, function)
    }
  }

  private mutating func change(_ session: Session, _ random: inout SeededGenerator) throws {
    for item in 0..<3 {
      note("update") {
        let before = session.itemCounts
        var after = before
        after[1] += 1
        after[3] -= 1
        let batch = try UpdateBatch(
          [
            .delete(ItemPath(section: 0, item: item)), .insert(ItemPath(section: 0, item: 7)),
            .move(ItemPath(section: 3, item: 9), to: ItemPath(section: 1, item: 0)),
          ], before: before, after: after)
        let animation = try session.update(batch) { Self.setValues($0, &random) }
        return Self.text(animation.tracks) + Self.text(animation.offsetAfter)
      }
      note("offset") { Self.text(session.offset) }
    }
    let point = Point(x: random.number(in: 0...500), y: random.number(in: 0...900))
    note("rest") {
      Self.text(try session.restingOffset(for: point, velocity: Point(x: 100, y: -30)))
    }
    note("held") {
      try session.beginReordering(ItemPath(section: 3, item: 1))
      let target = try session.drag(to: point)
      let held = try session.heldElement()
      return Self.text(target) + Self.text(held as Any)
        + Self.text(try session.endReordering().operations)
    }
    for function in session.engine.chain.flatMap(\.publishedFunctions) {
      let signature = try function.parsedSignature
      let arguments = signature.arguments.map { type in
        let count = max(1, type.components.count)
        return Value(type: type, finite: Array(repeating: 3, count: count)) ?? .void
      }
      note(function.name) { Self.text(try session.call(function.name, arguments)) }
    }
    note("warnings") { Self.text(session.warnings) }
  }
}
