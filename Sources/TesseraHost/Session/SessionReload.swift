import CTessera
import TesseraCatalog
import TesseraRuntime
import TesseraWorker

/// Engines whose library files are replaced while they are used.
extension Session {
  /// Uses the engine's library as it lies in its file now, with all that was set.
  ///
  /// The next question does so by itself where the file is another one than before.
  ///
  /// - Returns: What could not be kept, a sentence each: what the engine no longer declares, or
  ///   declares otherwise.
  /// - Throws: Why the library cannot be used; the one before then goes on.
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

  /// Reloads where a library's file was replaced; where that fails the one before goes on.
  func reloadIfReplaced() {
    guard reordering == nil, !isUpdating else { return }
    let isDue = changes != 0 || runner.traits.asksEachTime
    guard watch.notices(isDue: isDue) else { return }
    let outcome = Result { () throws(HostError) in try reload() }
    let text: String
    switch outcome {
    case .success(let dropped): text = dropped.isEmpty ? "done" : dropped.joined(separator: "; ")
    case .failure(let error): text = "the library before goes on: \(error.message)"
    }
    runner.trace?("reload(\(engine.library)) -> \(text)")
  }

  private func use(_ new: Engine) throws(HostError) -> [String] {
    let adopted = try SessionValues(chain: new.chain, memory: values.memory)
    let dropped = adopted.adoptSettings(of: values)
    let started = try new.runner(adopted, starts, input)
    started.progress = runner.progress
    started.trace = runner.trace
    // What the engine before does when it ends is of no interest any more.
    try? runner.close()
    engine = new
    values = adopted
    runner = started
    watch = LibraryWatch(new.libraries.libraries)
    prepared = nil
    changes = UInt32(TESSERA_CHANGED_ALL)
    return dropped
  }
}
