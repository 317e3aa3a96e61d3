import CTessera
import CTesseraSystem
import Glibc
import TesseraCatalog
import TesseraRuntime
import TesseraWorker

extension Session {
  /// Loads the engine's library from its file again, and keeps all settings.
  ///
  /// If the file was replaced, the next call does this automatically: a query after a change of the
  /// session, else a call within 50 milliseconds. A call keeps the version that it began with to its end,
  /// and so do an update, a batch, and the time while an item is held.
  ///
  /// - Returns: The settings that could not be kept, one sentence each: those that the engine no longer
  ///   declares, or declares differently.
  /// - Throws: Why the library cannot be used; the previous library then stays in use. `.wrongState` within
  ///   another call and while an item is held.
  @discardableResult
  public func reload() throws(HostError) -> [String] {
    waitForPrepare()
    try checkNothingKeepsVersion()
    return try load()
  }

  private func load() throws(HostError) -> [String] {
    do throws(HostError) {
      let dropped = try use(
        try engine.host.engine("\(engine.library)#\(engine.description.id)"))
      lastReload = .success(dropped)
      return dropped
    } catch {
      lastReload = .failure(error)
      throw error
    }
  }

  /// Reloads if a library's file was replaced; if that fails, the previous library stays in use.
  func reloadIfReplaced() {
    guard watch.notices(isDue: changes != 0) else { return }
    let outcome = Result { () throws(HostError) in try load() }
    let text: String
    switch outcome {
    case .success(let dropped): text = dropped.isEmpty ? "done" : dropped.joined(separator: "; ")
    case .failure(let error): text = "the previous library stays in use: \(error.message)"
    }
    runner.trace?("reload(\(engine.library)) -> \(text)")
  }

  private func use(_ new: Engine) throws(HostError) -> [String] {
    let adopted = try SessionValues(chain: new.chain, memory: values.memory)
    let dropped = adopted.adoptSettings(of: values, kinds: runner.numbering.kinds)
    let started = try new.runner(adopted, starts, input)
    started.progress = runner.progress
    started.trace = runner.trace
    started.timeLimit = runner.timeLimit
    started.time = time
    started.endReports = runner.endReports
    // An error of the previous engine no longer matters.
    try? runner.close()
    engine = new
    values = adopted
    runner = started
    watch = LibraryWatch(new.libraries.libraries)
    (prepared, spareColumns, pushed) = (nil, nil, nil)
    reports?.watch(new.libraries.libraries.map(\.path))
    changes = UInt32(TESSERA_CHANGED_ALL)
    return dropped
  }
}

/// Knowing without a query that an engine needs a restart or a reload.
extension Session {
  /// What happened to the engine of a session since its last query.
  public struct EngineEvents: OptionSet, Sendable {
    /// The bits, as libtessera returns them.
    public let rawValue: UInt32

    /// Creates a set from its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Its process ended: the next query, or `prepare()`, starts it again.
    public static let ended = EngineEvents(rawValue: 1)
    /// A file of its libraries was replaced: the next query, or `prepare()`, loads it.
    public static let replaced = EngineEvents(rawValue: 2)
  }

  /// Returns what happened to the engine since the last query, and a descriptor that becomes readable when
  /// something does.
  ///
  /// The descriptor belongs to the session, which closes it when it is deallocated. When it is readable,
  /// call this function again: then query or prepare, or, if nothing happened to the engine, go on. Another
  /// file in the folder of the library makes it readable, too. An engine that runs in this process cannot
  /// end.
  ///
  /// - Throws: `.unavailable` if the system provides no descriptors.
  public func watchEngine() throws(HostError) -> (descriptor: Int32, events: EngineEvents) {
    waitForPrepare()
    let known: EngineReports
    if let reports {
      known = reports
    } else {
      known = try EngineReports()
      known.watch(engine.libraries.libraries.map(\.path))
      reports = known
      runner.endReports = known.descriptor
    }
    known.forgetFiles()
    var events: EngineEvents = runner.noticesEnd() ? .ended : []
    if watch.looksAgain() { events.insert(.replaced) }
    return (known.descriptor, events)
  }
}

/// Descriptors that the system makes readable when an engine ends or its file changes.
final class EngineReports {
  /// Readable while one of those that it contains is.
  let descriptor: Int32
  private let files: Int32

  /// - Throws: `.unavailable` if the system provides no descriptors.
  init() throws(HostError) {
    descriptor = tessera_poll_set()
    files = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0, files >= 0, tessera_poll_add(descriptor, files, 0) == 0 else {
      throw HostError(
        .systemLimit, "the system provides no descriptors to watch an engine; try again later")
    }
  }

  deinit {
    close(descriptor)
    close(files)
  }

  /// Reports changes in the folders of files, and of those that symbolic links name.
  func watch(_ paths: [String]) {
    let events = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_ATTRIB)
    for path in paths {
      inotify_add_watch(files, SearchPath.parent(of: path), events)
      guard let resolved = realpath(path, nil) else { continue }
      inotify_add_watch(files, SearchPath.parent(of: String(cString: resolved)), events)
      free(resolved)
    }
  }

  /// Forgets the changes of files that were reported so far.
  func forgetFiles() {
    withUnsafeTemporaryAllocation(byteCount: 16384, alignment: 8) { room in
      while read(files, room.baseAddress, room.count) > 0 {}
    }
  }
}

/// Detects that the files of libraries were replaced.
package struct LibraryWatch {
  private var files: [(path: String, identity: FileIdentity)]
  private var lastCheck: Int64 = 0

  /// The minimum interval between two checks that are not due, in nanoseconds.
  private static let checkInterval: Int64 = 50_000_000
  /// The minimum interval between two checks, shorter than it takes to replace a file and call again.
  private static let dueInterval: Int64 = 50_000

  package init(_ libraries: [SealedLibrary]) {
    files = libraries.map { ($0.path, $0.identity) }
  }

  /// Returns whether a file changed since this function last returned true.
  ///
  /// A missing file does not count as changed, because someone may be replacing it.
  ///
  /// - Parameter isDue: Whether to check unless it was done just now. If false, checks are limited to
  ///   one per interval.
  package mutating func notices(isDue: Bool) -> Bool {
    let now = monotonicNanoseconds(isCoarse: !isDue)
    guard now - lastCheck >= (isDue ? Self.dueInterval : Self.checkInterval) else { return false }
    lastCheck = now
    let found = self.found
    guard files.map(\.identity) != found else { return false }
    files = zip(files, found).map { ($0.path, $1) }
    return true
  }

  private var found: [FileIdentity] {
    files.map { FileIdentity(path: $0.path) ?? $0.identity }
  }

  /// Returns whether a file changed since `notices` last returned true, and makes its next call check.
  mutating func looksAgain() -> Bool {
    guard files.map(\.identity) != found else { return false }
    lastCheck = 0
    return true
  }
}
