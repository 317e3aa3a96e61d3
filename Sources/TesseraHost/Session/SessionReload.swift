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
