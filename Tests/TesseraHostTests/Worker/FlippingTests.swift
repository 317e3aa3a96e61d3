import Foundation
import TestSupport
import Testing

@testable import TesseraHost

/// Racy writes to shared memory: each query returns a valid result or an error in time, without
/// leaks.
///
/// Tests/Fixtures/workers/flipping.c flips the bytes.
@Suite(.serialized) struct FlippingTests {
  struct Kind: Sendable, CustomTestStringConvertible {
    let engine: String
    var isMeasured = false
    var hasUpdates = false
    var testDescription: String { engine + (isMeasured ? ", measured" : "") }
  }

  /// Eager with values; lazy; adjusting chain; measured; with decorations.
  static let kinds = [
    Kind(engine: "flow", hasUpdates: true), Kind(engine: "grid"), Kind(engine: "cover-flow"),
    Kind(engine: "table", isMeasured: true), Kind(engine: "table"),
  ]

  @Test(arguments: kinds) func everyResultIsValidOrAnError(_ kind: Kind) throws {
    let folder = try TemporaryFolder()
    let reader = try FlippedReader(kind, worker: try Self.flippingWorker(folder))
    let reads = Soak.count("READS", 250, second: 1500) / Self.kinds.count
    let before = OwnProcess.residentBytes
    // A flip seldom hits the few bytes of a message, so continue until one does.
    let limit = ContinuousClock.now + .seconds(20)
    while reader.reads < reads || (reader.errors == 0 && .now < limit) {
      try reader.round()
    }
    let growth = OwnProcess.residentBytes - before
    #expect(reader.unsound == [], "\(kind)")
    #expect(reader.answers > reads / 10)
    #expect(reader.errors > 0)
    #expect(reader.slowest < FlippedReader.seconds * 8)
    #expect(growth < 512 << 20, "grew by \(growth) bytes")
    Soak.report(
      "reads of flipped memory, \(kind)",
      "\(reader.reads) reads: \(reader.answers) answered, \(reader.errors) refused, "
        + "0 unsound; the slowest \(Int(reader.slowest * 1000)) ms")
  }

  private static func flippingWorker(_ folder: TemporaryFolder) throws -> String {
    let path = folder.path("flipping")
    let worker = BuiltProducts.folder.appendingPathComponent("tessera-worker").path
    let source = BuiltProducts.repository
      .appendingPathComponent("Tests/Fixtures/workers/flipping.c").path
    try CCompiler("gcc").compile(
      source, to: path,
      flags: ["-std=c11", "-DSEED=\(Soak.count("SEED", 11))", "-DWORKER=\"\(worker)\""]
        + CCompiler.strictness)
    return path
  }
}

/// Queries a session while its worker's memory is flipped.
final class FlippedReader {
  static let seconds = 0.5

  private(set) var reads = 0
  private(set) var answers = 0
  private(set) var errors = 0
  private(set) var slowest = 0.0
  private(set) var unsound: [String] = []
  private let kind: FlippingTests.Kind
  private let engine: Engine
  private var session: Session?
  private var random = SeededGenerator(seed: 5)

  init(_ kind: FlippingTests.Kind, worker: String) throws {
    self.kind = kind
    engine = try Soak.host { configuration in
      configuration.worker = worker
      configuration.limits.secondsPerCall = Self.seconds
    }.undisturbedEngine("org.tessera.\(kind.engine)")
  }

  func round() throws {
    guard let session = try living() else { return }
    let rect = Rect(
      x: .random(in: -50...400, using: &random), y: .random(in: -50...3000, using: &random),
      width: .random(in: 1...500, using: &random), height: .random(in: 1...900, using: &random))
    session.offset = Point(x: 0, y: max(0, rect.y))
    if reads % 5 == 0 { session.bounds.width = 300 + Double(reads % 7) * 10 }
    for _ in 0..<8 { ask { try Array($0.elements(in: rect)) } }
    ask { try Array($0.elements()) }
    let item = Int.random(in: 0..<40, using: &random)
    ask { try $0.element(.cell(section: 0, item: item)).map { [$0] } ?? [] }
    ask { session in
      let size = try session.contentSize()
      let isSound = size.width >= 0 && size.height >= 0 && size.isFinite
      if !isSound { self.unsound.append("content size \(size)") }
      return []
    }
    ask { session in
      let rest = try session.restingOffset(for: Point(x: 10, y: 40))
      if !rest.isFinite { self.unsound.append("resting at \(rest)") }
      return []
    }
    guard kind.hasUpdates, reads % 3 == 0 else { return }
    ask { session in
      let counts = session.itemCounts
      let batch = try UpdateBatch(
        [.insert(ItemPath(section: 0, item: 0)), .delete(ItemPath(section: 1, item: 3))],
        before: counts, after: [counts[0] + 1, counts[1] - 1])
      defer { if counts[1] < 10 { try? session.setSections([40, 60]) } }
      return try session.update(batch) { _ in }.tracks.filter { $0.after != nil }.map(\.to)
    }
  }

  private func living() throws -> Session? {
    if let session { return session }
    do {
      let session = try Session(engine)
      try session.setSections([40, 60])
      if kind.isMeasured {
        try? session.setParameter("estimatedRowHeight", to: .number(30))
        session.measure = { _, item, _ in Size(width: 100, height: Double(20 + item % 30)) }
      }
      self.session = session
      return session
    } catch {
      count(error)
      return nil
    }
  }

  private func count(_ error: HostError) {
    reads += 1
    errors += 1
    if error.message.isEmpty || error.message.contains("\n") {
      unsound.append("the error \(error)")
    }
    // A corrupted offset or bounds would be refused forever.
    if error.kind == .invalidInput { unsound.append("blamed the program: \(error)") }
  }

  private func ask(_ question: (Session) throws -> [Element]) {
    guard let session else { return }
    let start = ContinuousClock.now
    do {
      check(try question(session), session)
      reads += 1
      answers += 1
    } catch let error as HostError {
      count(error)
    } catch {
      unsound.append("\(error)")
    }
    let took = ContinuousClock.now - start
    slowest = max(
      slowest, Double(took.components.seconds) + Double(took.components.attoseconds) / 1e18)
  }

  private func check(_ elements: [Element], _ session: Session) {
    let counts = session.itemCounts
    var seen: Set<ElementIdentity> = []
    for element in elements {
      let frame = element.frame
      let identity = element.identity
      let isSound =
        frame.isFinite && frame.width >= 0 && frame.height >= 0
        && (0...1).contains(element.alpha) && identity.item >= 0
        && counts.indices.contains(identity.section)
        && (identity.category != .cell || identity.item < counts[identity.section])
        && seen.insert(identity).inserted
      if !isSound, unsound.count < 10 { unsound.append("\(element)") }
    }
  }
}

extension TesseraHost.Host {
  fileprivate func undisturbedEngine(_ id: String) throws -> Engine {
    let listed = try Soak.host().engine(id)
    return Engine(
      description: listed.description, library: listed.library, abi: listed.abi,
      members: listed.members, libraries: listed.libraries, host: self)
  }
}
