import Synchronization

/// Takes down which calls into an engine a session traces.
final class CallLog: Sendable {
  private let lines = Mutex<[String]>([])

  func note(_ line: String) { lines.withLock { $0.append(line) } }

  /// Forgets what was taken down.
  func clear() { lines.withLock { $0 = [] } }

  /// Whether the engine was asked to prepare.
  var hasPrepared: Bool { lines.withLock { $0.contains { $0.contains("prepare(") } } }

  /// How often a function of the engine was called.
  func count(of call: String) -> Int {
    lines.withLock { $0.count { $0.hasPrefix("\(call)(") } }
  }

  /// How long the engine took for its calls of some functions, in microseconds.
  func microseconds(of calls: String...) -> Double {
    lines.withLock { lines in
      lines.lazy.filter { line in calls.contains { line.hasPrefix("\($0)(") } }
        .compactMap { $0.split(separator: " ").dropLast().last.flatMap { Double($0) } }
        .reduce(0, +)
    }
  }
}
