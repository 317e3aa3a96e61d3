import Glibc
import Synchronization
import TesseraHost
import TesseraScenario

/// Lays out the lines of a batch on several threads, each with a session of its own.
///
/// A thread takes the next chunk of lines, lays them out and waits until it is its turn to write, so
/// that no more chunks are in memory than there are threads.
final class BatchRun: @unchecked Sendable {
  private let engine: Engine
  private let shared: Scenario
  private let engineOptions: EngineOptions
  private let lines: LineReader
  private let output: BufferedOutput
  private let progress: ProgressLine?
  private let watch: BatchWatch

  /// Protects the rest.
  private let turn = Condition()
  /// The number of the chunk whose results are written next.
  private var next = 0
  private var failures = BatchFailures()
  private var failure: (any Error)?
  private var warnings: Set<String> = []

  /// The most bytes of results that a thread keeps before it is its turn.
  private static let mostBytes = 16 << 20
  /// The most warnings of the engine that are shown.
  private static let mostWarnings = 20

  init(
    engine: Engine, shared: Scenario, engineOptions: EngineOptions, lines: LineReader,
    output: BufferedOutput, hidesProgress: Bool
  ) {
    (self.engine, self.shared, self.engineOptions) = (engine, shared, engineOptions)
    (self.lines, self.output) = (lines, output)
    progress = hidesProgress ? nil : ProgressLine(engine.description.id)
    watch = BatchWatch(engineOptions.watchdog)
  }

  /// Lays out all lines, and returns those that failed.
  func run(jobs: Int) throws -> BatchFailures {
    // The first session shows whether there can be any, before threads and output.
    let first = Mutex<Job?>(try job())
    if let warning = engineOptions.warning(about: first.withLock { $0!.batch.sandboxedSession }) {
      Diagnostics.say(warning)
    }
    nonisolated(unsafe) let started = first.withLock { first in
      defer { first = nil }
      return first!
    }
    let unused = Mutex(true)
    runOnThreads(jobs) {
      let isFirst = unused.withLock { isUnused in
        defer { isUnused = false }
        return isUnused
      }
      do { try self.work(isFirst ? started : nil) } catch { self.fail(error) }
    }
    watch.end()
    progress?.erase()
    if let failure { throw failure }
    return failures
  }

  /// The session of one thread, and the results that it has not written.
  private typealias Job = (batch: ScenarioBatch, text: BatchText)

  private func job() throws(HostError) -> Job {
    let batch = try ScenarioBatch(engine, shared: shared, warn: { [unowned self] in warn($0) }) {
      [watch] in watch.layoutEnded()
    }
    return (batch, BatchText(engine: engine.description.id))
  }

  /// What each thread does.
  private func work(_ started: Job?) throws {
    var job = started
    while let chunk = try lines.next(isEnded: { self.isEnded }) {
      if job == nil { job = try self.job() }
      try layOut(chunk, job!)
    }
    job?.batch.close()
  }

  private func layOut(_ chunk: LineReader.Chunk, _ job: Job) throws {
    watch.begin()
    var found = BatchFailures()
    try job.batch.layOut(chunk.lines) { outcomes in
      for outcome in outcomes { found.add(outcome) }
      append(outcomes, to: job.text)
      guard job.text.count > Self.mostBytes else { return }
      watch.end()
      try waitForTurn(chunk.number)
      try job.text.take(output.write)
      watch.begin()
    }
    watch.end()
    try waitForTurn(chunk.number)
    try job.text.take(output.write)
    // Somebody may be waiting for the results before they write more lines.
    if !lines.isFile { try output.flush() }
    turn.lock()
    defer { turn.unlock() }
    failures.add(found)
    next += 1
    let lineCount = failures.lineCount
    progress?.update(lines.fraction.map { "\(Int($0 * 100)) %" } ?? "\(lineCount) lines")
    turn.broadcast()
  }

  private func append(_ outcomes: [ScenarioBatch.Outcome], to text: BatchText) {
    for outcome in outcomes {
      switch outcome.layout {
      case .success(let layout): text.append(layout, id: outcome.id)
      case .failure(let error):
        text.append(
          .object([
            ("line", .integer(outcome.line)), ("status", .integer(Int(error.kind.status))),
            ("code", .text(error.code.rawValue)), ("message", .text(error.commandMessage)),
          ]), id: outcome.id)
      }
    }
  }

  private func waitForTurn(_ number: Int) throws {
    turn.lock()
    defer { turn.unlock() }
    while next != number, failure == nil { turn.wait() }
    // Another thread has failed.
    if failure != nil { throw CancellationError() }
  }

  private var isEnded: Bool {
    turn.lock()
    defer { turn.unlock() }
    return failure != nil
  }

  private func fail(_ error: any Error) {
    turn.lock()
    defer { turn.unlock() }
    if !(error is CancellationError) { failure = failure ?? error }
    turn.broadcast()
  }

  private func warn(_ sentence: String) {
    turn.lock()
    let isNew = warnings.count < Self.mostWarnings && warnings.insert(sentence).inserted
    turn.unlock()
    if isNew { Diagnostics.say("\(engine.description.id): \(sentence)") }
  }
}

/// A lock with a condition that threads wait for.
final class Condition: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  func lock() { pthread_mutex_lock(mutex) }
  func unlock() { pthread_mutex_unlock(mutex) }

  func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock()
    defer { unlock() }
    return try body()
  }

  /// Unlocks, waits for `broadcast`, and locks again.
  func wait() { pthread_cond_wait(condition, mutex) }
  func broadcast() { pthread_cond_broadcast(condition) }
}

/// Keeps the time limit of one layout while engines run in this process.
private final class BatchWatch: Sendable {
  private let watchdog: Watchdog
  /// The number of threads that are laying out.
  private let active = Mutex(0)

  init(_ watchdog: Watchdog) {
    self.watchdog = watchdog
    watchdog.disarm()
  }

  func begin() { change(by: 1) }
  func end() { change(by: -1) }
  func layoutEnded() { watchdog.rearm() }

  private func change(by difference: Int) {
    guard watchdog.seconds != nil else { return }
    active.withLock { active in
      active = max(0, active + difference)
      if active > 0 { watchdog.rearm() } else { watchdog.disarm() }
    }
  }
}

/// Reads lines in chunks.
final class LineReader: @unchecked Sendable {
  /// Lines that are laid out together, and the number of the chunk, from 0.
  typealias Chunk = (number: Int, lines: [(number: Int, bytes: [UInt8])])

  private let descriptor: Int32
  private let name: String
  /// The size of a file; nil for others.
  private let size: Int?

  /// Protects the rest.
  private let reading = Condition()
  private var buffer: [UInt8] = []
  /// The part of the buffer that is not read yet.
  private var start = 0
  /// Before this place the unread part has no end of a line.
  private var scanned = 0
  private var isAtEnd = false
  private var line = 0
  private var number = 0
  private var bytesRead = 0

  /// The most lines, and about the most bytes, of a chunk.
  private static let (mostLines, mostBytes) = (256, 1 << 20)
  private static let blockSize = 1 << 18
  /// The most bytes of a line: room for the values of millions of items.
  private static let longestLine = 256 << 20

  /// Opens a file, or standard input for "-".
  init(path: String) throws {
    name = path == "-" ? "standard input" : path
    descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
      throw Self.unreadable(name, errno)
    }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw Self.unreadable(name, EISDIR) }
    size = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
  }

  var isFile: Bool { size != nil }

  /// How much of a file is read, 0...1; nil if the input is no file.
  var fraction: Double? {
    size.map { size in reading.withLock { size == 0 ? 1 : Double(bytesRead) / Double(size) } }
  }

  /// The next chunk, which ends where the next line is not there yet; nil at the end.
  func next(isEnded: () -> Bool) throws -> Chunk? {
    try reading.withLock {
      var lines: [(number: Int, bytes: [UInt8])] = []
      var byteCount = 0
      while lines.count < Self.mostLines, byteCount < Self.mostBytes {
        if let bytes = takeLine() {
          line += 1
          guard bytes.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { continue }
          byteCount += bytes.count
          lines.append((line, Array(bytes)))
          continue
        }
        if isAtEnd { break }
        if !lines.isEmpty, !isFile, !isReady(0) { break }
        guard try readBlock(isEnded) else { return nil }
      }
      guard !lines.isEmpty else { return nil }
      defer { number += 1 }
      return (number, lines)
    }
  }

  /// The next line without its end; nil if the buffer holds none.
  private func takeLine() -> ArraySlice<UInt8>? {
    let end = buffer.withUnsafeBytes { bytes -> Int? in
      let from = max(start, scanned)
      guard from < bytes.count,
        let found = memchr(bytes.baseAddress! + from, 0x0A, bytes.count - from)
      else { return nil }
      return bytes.baseAddress!.distance(to: UnsafeRawPointer(found))
    }
    if let end {
      defer { start = end + 1 }
      return buffer[start..<end]
    }
    guard isAtEnd, start < buffer.count else { return nil }
    defer { start = buffer.count }
    return buffer[start...]
  }

  /// Whether there is something to read, or the end, within some milliseconds.
  private func isReady(_ milliseconds: Int32) -> Bool {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&poll, 1, milliseconds) != 0
  }

  /// Reads more; returns false if the batch has ended meanwhile.
  private func readBlock(_ isEnded: () -> Bool) throws -> Bool {
    buffer.removeFirst(start)
    (start, scanned) = (0, buffer.count)
    guard buffer.count <= Self.longestLine else {
      throw HostError(
        .invalidScenario,
        "line \(line + 1) of \(name) has more than \(Self.longestLine >> 20) MiB; expected a scenario "
          + "on each line, of at most that size")
    }
    if !isFile { while !isReady(200) { if isEnded() { return false } } }
    let before = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: Self.blockSize))
    let count = buffer.withUnsafeMutableBytes { bytes in
      read(descriptor, bytes.baseAddress! + before, Self.blockSize)
    }
    let reason = errno
    buffer.removeLast(Self.blockSize - max(0, count))
    guard count >= 0 || reason == EINTR else { throw Self.unreadable(name, reason) }
    if count == 0 { isAtEnd = true }
    bytesRead += max(0, count)
    return true
  }

  private static func unreadable(_ name: String, _ reason: Int32) -> HostError {
    HostError(.fileNotFound, "\(name) cannot be read: \(String(cString: strerror(reason)))")
  }
}
