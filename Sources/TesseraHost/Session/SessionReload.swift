import CTessera
import TesseraCatalog
import TesseraRuntime
import TesseraWorker

/// Reloading engines whose library files are replaced while they are in use.
extension Session {
  /// Loads the engine's library from its file again, and keeps all settings.
  ///
  /// A query does this automatically if the file was replaced: the next one after a change of the
  /// session, else one within 50 milliseconds.
  ///
  /// - Returns: The settings that could not be kept, one sentence each: those that the engine no longer
  ///   declares, or declares differently.
  /// - Throws: Why the library cannot be used; the previous library then stays in use.
  @discardableResult
  public func reload() throws(HostError) -> [String] {
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
    guard reordering == nil, !isUpdating else { return }
    guard watch.notices(isDue: changes != 0) else { return }
    let outcome = Result { () throws(HostError) in try reload() }
    let text: String
    switch outcome {
    case .success(let dropped): text = dropped.isEmpty ? "done" : dropped.joined(separator: "; ")
    case .failure(let error): text = "the previous library stays in use: \(error.message)"
    }
    runner.trace?("reload(\(engine.library)) -> \(text)")
  }

  private func use(_ new: Engine) throws(HostError) -> [String] {
    let adopted = try SessionValues(chain: new.chain, memory: values.memory)
    let dropped = adopted.adoptSettings(of: values)
    let started = try new.runner(adopted, starts, input)
    started.progress = runner.progress
    started.trace = runner.trace
    // An error of the previous engine no longer matters.
    try? runner.close()
    engine = new
    values = adopted
    runner = started
    watch = LibraryWatch(new.libraries.libraries)
    (prepared, spareColumns, lookUpColumns) = (nil, nil, nil)
    changes = UInt32(TESSERA_CHANGED_ALL)
    return dropped
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
    let found = files.map { FileIdentity(path: $0.path) ?? $0.identity }
    guard !zip(files, found).allSatisfy({ $0.identity == $1 }) else { return false }
    files = zip(files, found).map { ($0.path, $1) }
    return true
  }
}
