import CTessera
import CTesseraSystem
import Glibc
import TesseraCatalog
import TesseraRuntime
import TesseraWorker

extension Session {
  /// Reloads the engine's library and keeps all settings.
  ///
  /// A replaced file is reloaded by the next query after a change, else within 50 ms. Calls,
  /// updates, batches and held items keep their version.
  ///
  /// - Returns: Settings that could not be kept, one sentence each.
  /// - Throws: Why the library can't be used; the previous one stays in use.
  @discardableResult
  public func reload() throws(HostError) -> [String] {
    try settled.checkNothingKeepsVersion()
    return try load()
  }

  private func load() throws(HostError) -> [String] {
    do throws(HostError) {
      let dropped = try use(try engine.host.engine("\(engine.library)#\(engine.description.id)"))
      version.note(.success(dropped))
      return dropped
    } catch {
      version.note(.failure(error))
      throw error
    }
  }

  /// If that fails, the previous library stays.
  func reloadIfReplaced() {
    guard version.watch.notices(isDue: state.changes != 0) else { return }
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
    let started = try new.runner(adopted, input.starts, sharedInput)
    started.progress = runner.progress
    started.trace = runner.trace
    started.timeLimit = runner.timeLimit
    started.time = time
    started.endReports = runner.endReports
    // The previous engine's errors no longer matter.
    try? runner.close()
    version.use(new)
    (values, runner) = (adopted, started)
    state.forgetLayout()
    (state.spareColumns, measuring.pushed) = (nil, nil)
    return dropped
  }
}

/// The engine in use, and what becomes of its library.
struct LoadedVersion {
  private(set) var engine: Engine
  var watch: LibraryWatch
  /// Nil until `watchEngine()`.
  var reports: EngineReports?
  private(set) var lastReload: Result<[String], HostError>?
  private(set) var reloadCount = 0

  init(_ engine: Engine) {
    self.engine = engine
    watch = LibraryWatch(engine.libraries.libraries)
  }

  mutating func use(_ new: Engine) {
    engine = new
    watch = LibraryWatch(new.libraries.libraries)
    reports?.watch(new.libraries.libraries.map(\.path))
  }

  mutating func note(_ outcome: Result<[String], HostError>) {
    lastReload = outcome
    reloadCount += 1
  }
}

extension Session {
  /// Events of a session's engine.
  public struct EngineEvents: OptionSet, Sendable {
    /// The bits, as in libtessera.
    public let rawValue: UInt32

    /// Creates a set from its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Its process ended; the next query restarts it.
    public static let ended = EngineEvents(rawValue: 1)
    /// A library file was replaced; the next query loads it.
    public static let replaced = EngineEvents(rawValue: 2)
  }

  /// Returns events since the last query, and a descriptor that becomes readable at the next one.
  ///
  /// The session owns the descriptor. When it is readable, call this again, then query if there are
  /// events; changes of other files in the library's folder wake it too.
  ///
  /// - Throws: `.unavailable` if the system provides no descriptors.
  public func watchEngine() throws(HostError) -> (descriptor: Int32, events: EngineEvents) {
    let known: EngineReports
    if let reports = settled.version.reports {
      known = reports
    } else {
      known = try EngineReports()
      known.watch(engine.libraries.libraries.map(\.path))
      version.reports = known
      runner.endReports = known.descriptor
    }
    known.forgetFiles()
    var events: EngineEvents = runner.noticesEnd() ? .ended : []
    if version.watch.looksAgain() { events.insert(.replaced) }
    return (known.descriptor, events)
  }
}

final class EngineReports {
  /// Readable while any descriptor in the set is.
  let descriptor: Int32
  private let files: Int32

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

  /// Watches the folders of files and of their symlink targets.
  func watch(_ paths: [String]) {
    let events = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_ATTRIB)
    for path in paths {
      inotify_add_watch(files, SearchPath.parent(of: path), events)
      guard let resolved = realpath(path, nil) else { continue }
      inotify_add_watch(files, SearchPath.parent(of: String(cString: resolved)), events)
      free(resolved)
    }
  }

  func forgetFiles() {
    withUnsafeTemporaryAllocation(byteCount: 16384, alignment: 8) { room in
      while read(files, room.baseAddress, room.count) > 0 {}
    }
  }
}

package struct LibraryWatch {
  private var files: [(path: String, identity: FileIdentity)]
  private var lastCheck: Int64 = 0

  /// In nanoseconds.
  private static let checkInterval: Int64 = 50_000_000
  /// In nanoseconds; shorter than replacing a file and calling again.
  private static let dueInterval: Int64 = 50_000

  package init(_ libraries: [SealedLibrary]) { files = libraries.map { ($0.path, $0.identity) } }

  // Ignores missing files, which may be mid-replacement. Unless due, checks once per interval.
  package mutating func notices(isDue: Bool) -> Bool {
    let now = monotonicNanoseconds(isCoarse: !isDue)
    guard now - lastCheck >= (isDue ? Self.dueInterval : Self.checkInterval) else { return false }
    lastCheck = now
    let found = self.found
    guard files.map(\.identity) != found else { return false }
    files = zip(files, found).map { ($0.path, $1) }
    return true
  }

  private var found: [FileIdentity] { files.map { FileIdentity(path: $0.path) ?? $0.identity } }

  /// Makes the next `notices` check too.
  mutating func looksAgain() -> Bool {
    guard files.map(\.identity) != found else { return false }
    lastCheck = 0
    return true
  }
}
