import CTessera
import CTesseraSystem
import Glibc
import TesseraCatalog

// Loads libraries and never unloads them, because a Swift library cannot be unloaded.
extension LoadedEngine {
  /// The loaded libraries, and how often the file at a path was loaded.
  ///
  /// The libraries stay open: the dynamic loader identifies a copy by the path of its descriptor.
  private static let state = Locked(
    (
      libraries: [
        SHA256Digest: (library: SealedLibrary, engines: Result<[LoadedEngine], HostError>)
      ](),
      counts: [String: Int]()
    ), lock: TESSERA_LOCK_LOADED)

  /// Loads a library into this process and returns its engines.
  ///
  /// Files with the same contents are loaded once.
  ///
  /// - Parameter prefersFile: Whether to load the library's own file, so that debuggers and profilers
  ///   find it. The sealed copy is loaded if the file is no longer the one that was copied.
  /// - Throws: `.cannotLoad` with the dynamic loader's reason, or if the file changes meanwhile; an error
  ///   of `Registration.run`.
  package static func engines(
    in library: SealedLibrary, prefersFile: Bool
  ) throws(HostError) -> [LoadedEngine] {
    let result = state.withLock { state in
      if let known = state.libraries[library.digest] { return known.engines }
      let file = prefersFile ? file(of: library, count: state.counts[library.path] ?? 0) : nil
      let engines = Result { () throws(HostError) in
        // The number of the process: in another one, such as a debugger, "self" is another file.
        try load(
          file ?? "/proc/\(getpid())/fd/\(library.descriptor)", named: library.path,
          abi: library.inspection.abi)
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

  /// The error for a library whose file was changed between its inspection and the end of its loading.
  package static let fileChanged = HostError(
    .fileChanged, "it changed while it was loaded; try again")

  /// A path of a library's own file under which the dynamic loader does not know a library yet; nil if
  /// there is none.
  ///
  /// The loader compares paths before it opens a file, and inodes before it maps one: it would return
  /// the previous library for a file that was replaced or overwritten.
  private static func file(of library: SealedLibrary, count: Int) -> String? {
    guard library.isFileUnchanged, let slash = library.path.lastIndex(of: "/") else { return nil }
    let path =
      library.path[..<slash] + String(repeating: "/.", count: count) + library.path[slash...]
    guard let known = dlopen(String(path), RTLD_LAZY | RTLD_NOLOAD) else { return String(path) }
    dlclose(known)
    return nil
  }

  /// Loads a library that has not been loaded yet, and calls its registration function.
  ///
  /// - Parameters:
  ///   - path: The path that is passed to the dynamic loader.
  ///   - name: The path that replaces `path` in error messages.
  /// - Throws: `.cannotLoad` with the dynamic loader's reason, or an error of `Registration.run`.
  ///   - abi: The version that the library needs.
  package static func load(
    _ path: String, named name: String, abi: ABIVersion
  ) throws(HostError) -> [LoadedEngine] {
    try Registration.run(entry(path, named: name), abi: abi)
  }

  /// Loads a library that has not been loaded yet, and returns its registration function.
  ///
  /// - Throws: `.cannotLoad` with the dynamic loader's reason.
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

/// One call of a library's `tessera_register`, and the engines that it added.
package final class Registration {
  package static let engineLimit = 256

  package private(set) var engines: [LoadedEngine] = []
  package private(set) var problem: HostError?
  private var isFinished = false
  /// The version as which the host serves the library.
  private let abi: ABIVersion

  private init(abi: ABIVersion) { self.abi = abi }

  package typealias Entry =
    @convention(c) (
      UnsafePointer<tessera_host>, UnsafeMutablePointer<tessera_registry>
    ) -> tessera_status

  /// Calls a library's registration function and returns the engines that it added.
  ///
  /// - Parameter abi: The version of the contract that the library's note states.
  /// - Throws: `.cannotLoad` if the library adds no engine, or one that breaks the contract;
  ///   `.refused` if the function returns a failure.
  package static func run(
    _ entry: Entry, abi: ABIVersion
  ) throws(HostError) -> [LoadedEngine] {
    let registration = Registration(abi: abi.served)
    let host = HostTable(abi: abi.served)
    // Neither is ever freed: the library stays loaded, and may keep pointers to them.
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

/// An engine of a loaded library.
///
/// Libraries are never unloaded, so its pointers stay valid.
package final class LoadedEngine: @unchecked Sendable {
  /// The engine's own struct, which its functions receive.
  package let pointer: UnsafePointer<tessera_engine>
  /// The host's copy of that struct.
  package let table: tessera_engine
  package let description: EngineDescription
  /// The version as which the host serves its library.
  package let abi: ABIVersion

  package init(
    pointer: UnsafePointer<tessera_engine>, table: tessera_engine, description: EngineDescription,
    abi: ABIVersion
  ) {
    self.abi = abi
    self.pointer = pointer
    self.table = table
    self.description = description
  }
}
