import Foundation
import TestSupport
import Testing

@testable import TesseraCatalog
@testable import TesseraHost

@Suite struct FailureRecordTests {
  private let folder: TemporaryFolder
  private let digest = SHA256Digest(of: [1])

  init() throws { folder = try TemporaryFolder() }

  private func record() throws -> FailureRecord {
    FailureRecord(folder: try CacheFolder(path: folder.path("cache")))
  }

  private var path: String { folder.path("cache/deaths/\(digest)") }

  @Test func crashesAreRememberedAcrossHosts() throws {
    for now: Int64 in [10, 20, 30] {
      #expect(try record().refusal(of: digest, now: now) == nil)
      try record().add(digest, cause: "signal \(now)", now: now)
    }
    let refusal = try #require(try record().refusal(of: digest, now: 40))
    #expect(refusal.remaining == 50)
    #expect(
      refusal.error.fact.hasPrefix("it crashed 3 times") && refusal.error.fact.hasSuffix("30"))
    for (time, remaining): (Int64, Int64?) in [(1, nil), (10, nil), (11, 1), (7200, 7190)] {
      let other = FailureRecord(
        folder: try CacheFolder(path: folder.path("cache")), refusalTime: time)
      #expect(other.refusal(of: digest, now: 40)?.remaining == remaining)
    }
    #expect(try record().refusal(of: SHA256Digest(of: [2]), now: 40) == nil)
    #expect(try record().refusal(of: digest, now: 90) == nil)
    #expect(
      try record().deaths(of: digest)
        == [10, 20, 30].map { RecordedDeath(seconds: $0, cause: "signal \($0)") })
    #expect(try folder.bytes("cache/deaths/\(digest)").count == 3 * 256)
  }

  @Test(arguments: [Int64.min, -1, Int64.max]) func timesOfNoClockAreNoDeaths(now: Int64) throws {
    for _ in 0..<3 { try record().add(digest, cause: "signal", now: now) }
    #expect(try record().refusal(of: digest, now: .max) == nil)
    #expect(try record().deaths(of: digest).isEmpty)
  }

  @Test func withoutAFolderTheProcessRemembers() {
    let record = FailureRecord(folder: nil)
    for now: Int64 in [10, 20, 30] { record.add(digest, cause: "c", now: now) }
    #expect(record.refusal(of: digest, now: 40)?.remaining == 50)
    #expect(FailureRecord(folder: nil).refusal(of: digest, now: 40) == nil)
    for now: Int64 in 31...200 { record.add(digest, cause: "c", now: now) }
    #expect(record.deaths(of: digest).count < 20)
    #expect(record.refusal(of: digest, now: 200)?.remaining == 60)
  }

  @Test func failedWriteIsRememberedByTheProcess() throws {
    let record = try record()
    record.add(digest, cause: "written", now: 10)
    try FileManager.default.removeItem(atPath: folder.path("cache/deaths"))
    try folder.write("cache/deaths", "in the way")
    for now: Int64 in [20, 21, 22] { record.add(digest, cause: "c", now: now) }
    #expect(record.refusal(of: digest, now: 22)?.error.fact.contains("crashed 3 times") == true)
  }

  /// Out of space can leave a partial record; later ones are still read.
  @Test func partialRecordsAreSkipped() throws {
    let record = try record()
    record.add(digest, cause: "first", now: 10)
    let file = open(path, O_WRONLY | O_APPEND)
    let piece = RecordedDeath(seconds: 11, cause: "piece").record.prefix(100)
    #expect(piece.withUnsafeBytes { write(file, $0.baseAddress, $0.count) } == 100)
    close(file)
    record.add(digest, cause: "second", now: 12)
    #expect(record.deaths(of: digest).map(\.cause) == ["first", "second"])
    // No flipped bit forges a crash.
    let whole = RecordedDeath(seconds: 5, cause: "cause").record
    for bit in 0..<(whole.count * 8) {
      var spoilt = whole
      spoilt[bit / 8] ^= 1 << (bit % 8)
      #expect(RecordedDeath.records(in: spoilt).isEmpty)
    }
    #expect(RecordedDeath.records(in: whole + whole.dropLast()).count == 1)
  }

  @Test func growingFileLosesItsOldEntries() throws {
    let record = try record()
    let old = (0..<250).map { RecordedDeath(seconds: Int64($0), cause: "old") }
    let recent = (0..<6).map { RecordedDeath(seconds: 10_000 + Int64($0), cause: "recent \($0)") }
    try folder.write("cache/deaths/\(digest)", (old + recent).flatMap(\.record))
    #expect(try folder.bytes("cache/deaths/\(digest)").count == 64 << 10)
    record.add(digest, cause: "last", now: 10_010)
    let last = RecordedDeath(seconds: 10_010, cause: "last")
    #expect(record.deaths(of: digest) == recent + [last])
    #expect(try folder.bytes("cache/deaths/\(digest)").count == 7 * 256)
    for _ in 0..<300 { record.add(digest, cause: "storm", now: 10_020) }
    #expect(try folder.bytes("cache/deaths/\(digest)").count <= 64 << 10)
    #expect(record.refusal(of: digest, now: 10_020)?.remaining == 60)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("cache/deaths")).count == 1)
  }

  @Test func concurrentRecordsAreKept() async throws {
    let path = folder.path("cache")
    let digest = digest
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          guard let folder = try? CacheFolder(path: path) else { return }
          let record = FailureRecord(folder: folder)
          for round in 0..<20 { record.add(digest, cause: "\(number) \(round)", now: 10) }
        }
      }
    }
    let causes = try record().deaths(of: digest).map(\.cause)
    let expected = (0..<8).flatMap { number in (0..<20).map { "\(number) \($0)" } }
    #expect(causes.sorted() == expected.sorted())
  }
}

@Suite struct FailurePolicyTests {
  @Test(
    arguments: [
      ([], 100, nil), ([100], 100, nil), ([99, 100], 100, nil), ([100, 100, 100], 100, 60),
      ([80, 90, 100], 100, 60), ([80, 90, 100], 119, 41), ([80, 90, 100], 159, 1),
      ([80, 90, 100], 160, nil),
      // The first has just left the window, or not.
      ([40, 90, 100], 100, nil), ([41, 90, 100], 100, 60),
      // Refused for the whole minute, although the first crash has left the window.
      ([41, 90, 100], 159, 1), ([1, 2, 3, 90, 100], 100, nil), ([100, 80, 90], 119, 41),
      ([500, 501, 502], 100, nil), ([80, 90, 100, 500], 119, 41), ([80, 90, 500], 119, nil),
      ([70, 80, 90, 100], 100, 60),
    ] as [([Int64], Int64, Int64?)])
  func threeCrashesInAMinuteAreTooMany(_ times: [Int64], _ now: Int64, _ remaining: Int64?) {
    let deaths = times.map { RecordedDeath(seconds: $0, cause: "signal 11") }
    #expect(FailureRecord.refusal(deaths, now: now)?.remaining == remaining)
  }

  @Test func messageStatesCountCauseAndTimeLeft() throws {
    let deaths = [(80, "a"), (100, "signal 11 in prepare"), (90, "b"), (70, "c")].map {
      RecordedDeath(seconds: $0.0, cause: $0.1)
    }
    let refusal = try #require(FailureRecord.refusal(deaths, now: 119))
    #expect(
      refusal.error.message
        == "it crashed 4 times within a minute, most recently by signal 11 in prepare; "
        + "it is refused for another 41 s, or until its file changes")
    #expect(refusal.error.code == .crashedRepeatedly)
    #expect(refusal.error.remedy == .waitForRefusal(seconds: 41))
  }

  @Test(
    arguments: [
      ("one line", "one line"), ("two\nlines\t\u{0}", "two lines  "),
      (String(repeating: "a", count: 300), String(repeating: "a", count: 200)),
      (String(repeating: "é", count: 150), String(repeating: "é", count: 100)),
      ("x" + String(repeating: "😀", count: 60), "x" + String(repeating: "😀", count: 49)),
    ])
  func causeIsOneShortLine(text: String, expected: String) {
    #expect(RecordedDeath(seconds: 0, cause: text).cause == expected)
  }
}
