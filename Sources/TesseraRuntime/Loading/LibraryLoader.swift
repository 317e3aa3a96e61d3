import CTessera
import Glibc
import Synchronization
import TesseraCatalog

/// Loads libraries, and never unloads them: a Swift library cannot be.
package enum LibraryLoader {
  private struct Loaded {
    /// Kept open for good: the loader knows a library by its descriptor's name.
    let library: SealedLibrary
    let engines: Result<[EngineRecord], HostError>
  }
  private static let loaded = Mutex<[SHA256Digest: Loaded]>([:])

  /// The engines of a library, loaded into this process, the same bytes once.
  ///
  /// - Throws: `.cannotLoad` with the loader's reason, or as `Registration.run`.
  package static func engines(in library: SealedLibrary) throws(HostError) -> [EngineRecord] {
    let result = loaded.withLock { cache in
      if let known = cache[library.digest] { return known.engines }
      let engines = Result { () throws(HostError) in
        try load("/proc/self/fd/\(library.descriptor)", named: library.path)
      }
      cache[library.digest] = Loaded(library: library, engines: engines)
      return engines
    }
    return try result.get()
  }

  /// Loads a library, which must not have been loaded yet, and has it register its engines.
  ///
  /// - Parameters:
  ///   - path: Where the loader finds it.
  ///   - name: What the loader's words are to call it.
  /// - Throws: `.cannotLoad` with the loader's reason, or as `Registration.run`.
  package static func load(_ path: String, named name: String) throws(HostError) -> [EngineRecord] {
    try Registration.run(entry(path, named: name))
  }

  /// Loads a library, which must not have been loaded yet.
  ///
  /// - Throws: `.cannotLoad` with the loader's reason.
  package static func entry(_ path: String, named name: String) throws(HostError) -> Registration.Entry {
    guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) else {
      let reason = dlerror().map { String(cString: $0) } ?? "no reason"
      throw HostError(
        .cannotLoad,
        "the loader refuses it: \(ForeignText.onOneLine(reason.replacing(path, with: name)))")
    }
    guard let symbol = dlsym(handle, "tessera_register") else {
      throw HostError(.cannotLoad, "it exports no tessera_register; export that function")
    }
    return unsafeBitCast(symbol, to: Registration.Entry.self)
  }
}

/// One call of a library's `tessera_register`, and the engines that came of it.
package final class Registration {
  /// The most engines that one library may hold.
  package static let engineLimit = 256

  package private(set) var engines: [EngineRecord] = []
  package private(set) var problem: HostError?
  private var isOver = false

  private struct Box {
    var table: tessera_registry
    var owner: Unmanaged<Registration>
  }

  package typealias Entry =
    @convention(c) (
      UnsafePointer<tessera_host>, UnsafeMutablePointer<tessera_registry>
    ) -> tessera_status

  /// Calls the entry.
  ///
  /// - Throws: `.cannotLoad` for a library that registers nothing, or an engine that breaks the
  ///   contract; `.refused` where the library itself fails.
  package static func run(_ entry: Entry) throws(HostError) -> [EngineRecord] {
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

/// An engine of a loaded library.
///
/// Libraries are never unloaded, so what it points to stays.
package final class EngineRecord: @unchecked Sendable {
  /// The engine's own struct, which it is handed back.
  package let pointer: UnsafePointer<tessera_engine>
  /// The host's copy of its functions.
  package let table: tessera_engine
  package let description: EngineDescription

  package init(
    pointer: UnsafePointer<tessera_engine>, table: tessera_engine, description: EngineDescription
  ) {
    self.pointer = pointer
    self.table = table
    self.description = description
  }
}
