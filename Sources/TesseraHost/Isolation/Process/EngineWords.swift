import Glibc

/// What an engine's process prints: read as it comes, and only the end of it kept.
struct EngineWords {
  private let descriptor: Int32
  private var tail: [UInt8] = []
  /// How many bytes were printed in all.
  private(set) var total = 0

  private static let kept = 2048
  /// The most that is read at a time, so that endless printing cannot hold the host up.
  private static let drained = 1 << 20

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// Reads what is there, without waiting; false where nothing was.
  @discardableResult
  mutating func drain() -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 16) { room in
      var count = 0
      while count < Self.drained {
        let got = read(descriptor, room.baseAddress, room.count)
        guard got > 0 else { break }
        count += got
        total += got
        tail.append(contentsOf: room[..<got].suffix(Self.kept))
        if tail.count > Self.kept { tail.removeFirst(tail.count - Self.kept) }
      }
      return count > 0
    }
  }

  /// Forgets what was printed.
  mutating func forget() {
    tail.removeAll(keepingCapacity: true)
    total = 0
  }

  /// The last that was printed, on one line; nil where there is nothing to read in it.
  var last: String? {
    let text = ForeignText.onOneLine(String(decoding: tail, as: UTF8.self))
    guard !text.isEmpty else { return nil }
    return text.count > 200 ? "…" + text.suffix(200) : text
  }
}
