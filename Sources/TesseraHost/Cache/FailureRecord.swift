import Glibc
import Synchronization

/// Remembers how often libraries died, by the sums of their bytes: over the runs of a program, and of
/// all hosts that share the folder.
///
/// What cannot be written is remembered by this object alone.
final class FailureRecord: Sendable {
  private let folder: CacheFolder?
  private let unwritten = Mutex<[SHA256Digest: [Death]]>([:])

  /// The most bytes that a library's file grows to, and the most libraries.
  static let sizeLimit = 64 << 10
  static let fileLimit = 1000

  /// A record in a cache's folder, or in memory where there is none.
  init(folder: CacheFolder?) {
    self.folder = folder
    folder?.makeFolder("deaths")
  }

  /// Remembers that a library's worker died, with what is known of why.
  func add(_ digest: SHA256Digest, cause: String, now: Int64 = WallClock.seconds) {
    let death = Death(seconds: now, cause: cause)
    guard append(death, to: Self.name(of: digest)) else {
      // As many as decide anything.
      unwritten.withLock {
        $0[digest] = ($0[digest] ?? []).suffix(FailurePolicy.deathLimit * 4) + [death]
      }
      return
    }
  }

  /// Why a library is refused for the moment, or nil where it is not.
  func isRefused(
    _ digest: SHA256Digest, now: Int64 = WallClock.seconds
  ) -> FailurePolicy.Refusal? {
    FailurePolicy.refusal(deaths(of: digest), now: now)
  }

  /// Forgets all deaths of a library.
  func forget(_ digest: SHA256Digest) {
    _ = unwritten.withLock { $0.removeValue(forKey: digest) }
    folder?.remove(Self.name(of: digest))
  }

  /// The deaths that are remembered, in the order recorded.
  func deaths(of digest: SHA256Digest) -> [Death] {
    let written = folder?.read(Self.name(of: digest), limit: Self.sizeLimit * 2) ?? []
    return Death.records(in: written) + (unwritten.withLock { $0[digest] } ?? [])
  }

  static func name(of digest: SHA256Digest) -> String { "deaths/\(digest)" }

  private func append(_ death: Death, to name: String) -> Bool {
    guard let folder else { return false }
    let file = folder.open(name, O_WRONLY | O_CREAT | O_APPEND)
    guard file >= 0 else { return false }
    defer { close(file) }
    let record = death.record
    let count = record.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    var status = stat()
    let size = fstat(file, &status) == 0 ? Int(status.st_size) : 0
    if size == record.count { folder.prune("deaths", limit: Self.fileLimit) }
    if size > Self.sizeLimit { shorten(name, in: folder, now: death.seconds) }
    return count == record.count
  }

  /// Keeps what may still decide something; a death that another host records in this very moment may
  /// be lost, which only means that one more is needed.
  private func shorten(_ name: String, in folder: CacheFolder, now: Int64) {
    let deaths = folder.read(name, limit: .max).map(Death.records(in:)) ?? []
    let kept = deaths.filter { $0.seconds > now - 2 * FailurePolicy.window && $0.seconds <= now }
    let most = Self.sizeLimit / Death.recordSize / 2
    // A file that cannot be made shorter would grow for ever.
    if !folder.replace(name, with: kept.suffix(most).flatMap(\.record)) { folder.remove(name) }
  }
}
