import CTessera

/// One call of a library's `tessera_register`, and the engines that came of it.
final class Registration {
  /// The most engines that one library may hold.
  static let engineLimit = 256

  private(set) var engines: [EngineRecord] = []
  private(set) var problem: HostError?
  private var isOver = false

  private struct Box {
    var table: tessera_registry
    var owner: Unmanaged<Registration>
  }

  typealias Entry =
    @convention(c) (
      UnsafePointer<tessera_host>, UnsafeMutablePointer<tessera_registry>
    ) -> tessera_status

  /// Calls the entry.
  ///
  /// - Throws: `.cannotLoad` for a library that registers nothing, or an engine that breaks the
  ///   contract; `.refused` where the library itself fails.
  static func run(_ entry: Entry) throws(HostError) -> [EngineRecord] {
    let registration = Registration()
    let host = HostTable()
    // Neither is ever freed: a library that keeps them stays loaded as long.
    let box = UnsafeMutablePointer<Box>.allocate(capacity: 1)
    box.initialize(
      to: Box(
        table: tessera_registry(
          struct_size: UInt32(MemoryLayout<tessera_registry>.size), reserved: 0,
          add_engine: addEngine),
        owner: .passRetained(registration)))
    _ = Unmanaged.passRetained(host)
    let status = entry(
      host.pointer, UnsafeMutableRawPointer(box).assumingMemoryBound(to: tessera_registry.self))
    registration.isOver = true
    if let problem = registration.problem { throw problem }
    guard status == TESSERA_OK else {
      throw HostError(
        .refused, "its registration failed: \(host.failure ?? "it returned status \(status)")")
    }
    guard !registration.engines.isEmpty else {
      throw HostError(
        .cannotLoad, "its registration added no engine; call add_engine for each engine")
    }
    return registration.engines
  }

  fileprivate static func owner(of table: UnsafeMutablePointer<tessera_registry>) -> Registration {
    UnsafeRawPointer(table).assumingMemoryBound(to: Box.self).pointee.owner.takeUnretainedValue()
  }

  fileprivate func add(_ pointer: UnsafePointer<tessera_engine>) -> tessera_status {
    guard !isOver else { return TESSERA_WRONG_STATE }
    do throws(HostError) {
      let (table, description) = try DescriptionReader.read(pointer)
      guard !engines.contains(where: { $0.description.id == description.id }) else {
        throw HostError(
          .cannotLoad, "it registers the id \(description.id) twice; give each engine its own id")
      }
      guard engines.count < Self.engineLimit else {
        throw HostError(
          .cannotLoad,
          "it registers more than \(Self.engineLimit) engines; spread them over several libraries")
      }
      engines.append(EngineRecord(pointer: pointer, table: table, description: description))
      return TESSERA_OK
    } catch {
      problem = problem ?? HostError(error.kind, ForeignText.onOneLine(error.message))
      return TESSERA_INVALID_VALUE
    }
  }
}

private func addEngine(
  _ registry: UnsafeMutablePointer<tessera_registry>, _ engine: UnsafePointer<tessera_engine>
) -> tessera_status {
  Registration.owner(of: registry).add(engine)
}
