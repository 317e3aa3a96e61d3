import Synchronization

/// Takes down which calls into an engine a session traces.
final class CallLog: Sendable {
  private let lines = Mutex<[String]>([])

  func note(_ line: String) { lines.withLock { $0.append(line) } }

  /// Whether the engine was asked to prepare.
  var hasPrepared: Bool { lines.withLock { $0.contains { $0.contains("prepare(") } } }
}
