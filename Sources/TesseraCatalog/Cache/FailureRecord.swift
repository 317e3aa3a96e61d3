import Glibc

/// Crashes by library digest, shared by all hosts of the folder; in memory if it isn't writable.
package final class FailureRecord: Sendable {
  private let folder: CacheFolder?
  /// Seconds.
  private let refusalTime: Int64
  private let unwritten = Locked<[SHA256Digest: [RecordedDeath]]>([:])

  /// Bytes.
  package static let sizeLimit = 64 << 10
  package static let fileLimit = 1000

  package init(folder: CacheFolder?, refusalTime: Int64 = FailureRecord.window) {
    (self.folder, self.refusalTime) = (folder, refusalTime)
    folder?.makeFolder("deaths")
  }

  package func add(_ digest: SHA256Digest, cause: String, now: Int64 = secondsSince1970) {
    let death = RecordedDeath(seconds: now, cause: cause)
    if append(death, to: Self.name(of: digest)) { return }
    // Earlier deaths can't affect the policy.
    unwritten.withLock { $0[digest] = ($0[digest] ?? []).suffix(Self.deathLimit * 4) + [death] }
  }

  package func refusal(of digest: SHA256Digest, now: Int64 = secondsSince1970) -> Refusal? {
    Self.refusal(deaths(of: digest), now: now, for: refusalTime)
  }

  package func deaths(of digest: SHA256Digest) -> [RecordedDeath] {
    let written = folder?.read(Self.name(of: digest), limit: Self.sizeLimit * 2) ?? []
    return RecordedDeath.records(in: written) + (unwritten.withLock { $0[digest] } ?? [])
  }

  package static func name(of digest: SHA256Digest) -> String { "deaths/\(digest)" }

  private func append(_ death: RecordedDeath, to name: String) -> Bool {
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

  /// A race with another host may lose a death; the library is then refused one death later.
  private func shorten(_ name: String, in folder: CacheFolder, now: Int64) {
    let deaths = folder.read(name, limit: .max).map(RecordedDeath.records(in:)) ?? []
    let kept = deaths.filter { $0.seconds > now - 2 * Self.window && $0.seconds <= now }
    let most = Self.sizeLimit / RecordedDeath.recordSize / 2
    // A file that can't be shortened would grow forever.
    if !folder.replace(name, with: kept.suffix(most).flatMap(\.record)) { folder.remove(name) }
  }
}

extension FailureRecord {
  /// Deaths within the window.
  package static let deathLimit = 3
  /// Seconds.
  package static let window: Int64 = 60

  /// The time left, in seconds.
  package typealias Refusal = (remaining: Int64, error: HostError)

  /// Deaths later than `now` are ignored: the clock was set back.
  package static func refusal(
    _ deaths: [RecordedDeath], now: Int64, for time: Int64 = FailureRecord.window
  ) -> Refusal? {
    let past = deaths.filter { $0.seconds <= now }
    // On a tie, the death recorded later.
    guard let last = past.reversed().max(by: { $0.seconds < $1.seconds }) else { return nil }
    let count = past.filter { $0.seconds > last.seconds - window }.count
    let remaining = time - (now - last.seconds)
    guard count >= deathLimit, remaining > 0 else { return nil }
    return (
      remaining,
      HostError(
        .crashedRepeatedly,
        "it crashed \(count) times within a minute, most recently by \(last.cause)",
        .waitForRefusal(seconds: Int(remaining)))
    )
  }
}

package struct RecordedDeath: Equatable, Sendable {
  package let seconds: Int64
  package let cause: String

  /// Bytes.
  package static let causeLimit = 200

  package init(seconds: Int64, cause: String) {
    self.seconds = seconds
    var line = ""
    for scalar in cause.unicodeScalars {
      let shown = scalar.properties.generalCategory == .control ? " " : scalar
      guard line.utf8.count + String(shown).utf8.count <= Self.causeLimit else { break }
      line.unicodeScalars.append(shown)
    }
    self.cause = line
  }
}

// Records have one size, so one write appends one; a checksum detects a partial record.
extension RecordedDeath {
  /// Bytes.
  package static let recordSize = 256
  private static let magic = Array("TsraDied".utf8)
  private static let sumSize = 8

  package var record: [UInt8] {
    var writer = ByteWriter(reserving: Self.recordSize)
    writer.put(raw: Self.magic)
    writer.put(seconds)
    writer.put(cause)
    let rest = Self.recordSize - Self.sumSize - writer.bytes.count
    writer.put(raw: Array(repeating: 0, count: rest))
    writer.put(raw: SHA256Digest(of: writer.bytes).bytes.prefix(Self.sumSize))
    return writer.bytes
  }

  /// Finds complete records at any offset.
  package static func records(in bytes: [UInt8]) -> [RecordedDeath] {
    var deaths: [RecordedDeath] = []
    var start = 0
    while start + recordSize <= bytes.count {
      if let death = RecordedDeath(record: bytes[start..<start + recordSize]) {
        deaths.append(death)
        start += recordSize
      } else {
        start += 1
      }
    }
    return deaths
  }

  private init?(record: ArraySlice<UInt8>) {
    guard record.starts(with: Self.magic) else { return nil }
    let body = Array(record.dropLast(Self.sumSize))
    guard record.suffix(Self.sumSize).elementsEqual(SHA256Digest(of: body).bytes.prefix(8)) else {
      return nil
    }
    var reader = ByteReader(Array(body.dropFirst(Self.magic.count)))
    // A plausible clock.
    guard let seconds = (try? reader.read(Untrusted<Int64>.self))?.exactly(in: 0..<1 << 40),
      let cause = try? reader.read(String.self)
    else { return nil }
    self.init(seconds: Int64(seconds), cause: cause)
  }
}
