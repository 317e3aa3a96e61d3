import CTessera
import CTesseraSystem
import Glibc
import TesseraCatalog

// Libraries are never unloaded: a Swift library can't be.
extension LoadedEngine {
  // Libraries stay open: the dynamic loader identifies a copy by its descriptor's path.
  private static let state = Locked(
    (
      libraries: [
        SHA256Digest: (library: SealedLibrary, engines: Result<[LoadedEngine], HostError>)
      ](),
      counts: [String: Int]()
    ), lock: TESSERA_LOCK_LOADED)

  // Loads equal contents once. `prefersFile` loads the original, for debuggers, if unchanged.
  package static func engines(
    in library: SealedLibrary, prefersFile: Bool
  ) throws(HostError) -> [LoadedEngine] {
    let result = state.withLock { state in
      if let known = state.libraries[library.digest] { return known.engines }
      let file = prefersFile ? file(of: library, count: state.counts[library.path] ?? 0) : nil
      let engines = Result { () throws(HostError) in
        // With the process id: in a debugger, "self" is another process.
        try load(
          file ?? "/proc/\(getpid())/fd/\(library.descriptor)", named: library.path,
          abi: library.abi)
      }
      if file != nil {
        state.counts[library.path, default: 0] += 1
        guard library.isFileUnchanged else { return .failure(fileChanged) }
      }
      state.libraries[library.digest] = (library, engines)
      return engines
    }
    return try result.get()
  }

  package static let fileChanged = HostError(
    .fileChanged, "it changed while it was loaded; try again")

  // A path of the file that is new to the dynamic loader, if any. The loader compares paths, then
  // inodes: for a replaced file, it would return the previous library.
  private static func file(of library: SealedLibrary, count: Int) -> String? {
    guard library.isFileUnchanged, let slash = library.path.lastIndex(of: "/") else { return nil }
    let path =
      library.path[..<slash] + String(repeating: "/.", count: count) + library.path[slash...]
    guard let known = dlopen(String(path), RTLD_LAZY | RTLD_NOLOAD) else { return String(path) }
    dlclose(known)
    return nil
  }

  /// `name` replaces `path` in errors.
  package static func load(
    _ path: String, named name: String, abi: ABIVersion
  ) throws(HostError) -> [LoadedEngine] { try Registration.run(entry(path, named: name), abi: abi) }

  package static func entry(
    _ path: String, named name: String
  ) throws(HostError) -> Registration.Entry {
    guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) else {
      let reason = dlerror().map { String(cString: $0) } ?? "no reason"
      throw HostError(
        .unresolvedSymbols,
        "the dynamic loader rejects it: "
          + UntrustedText.onOneLine(UntrustedText.replace(path, with: name, in: reason)))
    }
    guard let symbol = dlsym(handle, "tessera_register") else {
      throw HostError(.missingEntry, "it exports no tessera_register; export that function")
    }
    return unsafeBitCast(symbol, to: Registration.Entry.self)
  }
}

package final class Registration {
  package static let engineLimit = 256

  package private(set) var engines: [LoadedEngine] = []
  package private(set) var problem: HostError?
  private var isFinished = false
  /// The version served to the library.
  private let abi: ABIVersion

  private init(abi: ABIVersion) { self.abi = abi }

  package typealias Entry =
    @convention(c) (
      UnsafePointer<tessera_host>, UnsafeMutablePointer<tessera_registry>
    ) -> tessera_status

  /// `abi` is from the library's note.
  package static func run(_ entry: Entry, abi: ABIVersion) throws(HostError) -> [LoadedEngine] {
    let registration = Registration(abi: abi.served)
    let host = HostTable(abi: abi.served)
    // Never freed: the library stays loaded and may keep pointers.
    let registry = OwnedTable.allocate(
      tessera_registry(
        struct_size: UInt32(MemoryLayout<tessera_registry>.size), reserved: 0,
        add_engine: {
          OwnedTable<tessera_registry, Registration>.owner(of: UnsafePointer($0)).add($1)
        }),
      of: .passRetained(registration))
    _ = Unmanaged.passRetained(host)
    let status = entry(host.pointer, registry)
    registration.isFinished = true
    if let problem = registration.problem { throw problem }
    guard status == TESSERA_OK else {
      throw HostError(
        .registrationFailed,
        "its registration failed: \(host.failure ?? "it returned status \(status)")")
    }
    guard !registration.engines.isEmpty else {
      throw HostError(
        .noEngines, "its registration added no engine; call add_engine for each engine")
    }
    return registration.engines
  }

  fileprivate func add(_ pointer: UnsafePointer<tessera_engine>) -> tessera_status {
    guard !isFinished else { return TESSERA_ERROR_WRONG_STATE }
    do throws(HostError) {
      let (table, description) = try DescriptionReader.read(pointer)
      guard !engines.contains(where: { $0.description.id == description.id }) else {
        throw HostError(
          .duplicateID, "it registers the id \(description.id) twice; give each engine its own id")
      }
      guard engines.count < Self.engineLimit else {
        throw HostError(
          .noEngines,
          "it registers more than \(Self.engineLimit) engines; split them into several libraries")
      }
      engines.append(
        LoadedEngine(pointer: pointer, table: table, description: description, abi: abi))
      return TESSERA_OK
    } catch {
      problem = problem ?? error.onOneLine
      return TESSERA_ERROR_INVALID_VALUE
    }
  }
}

/// Its pointers stay valid: libraries are never unloaded.
package final class LoadedEngine: @unchecked Sendable {
  package let pointer: UnsafePointer<tessera_engine>
  package let table: tessera_engine
  package let description: EngineDescription
  package let abi: ABIVersion

  package init(
    pointer: UnsafePointer<tessera_engine>, table: tessera_engine, description: EngineDescription,
    abi: ABIVersion
  ) { (self.abi, self.pointer, self.table, self.description) = (abi, pointer, table, description) }
}
