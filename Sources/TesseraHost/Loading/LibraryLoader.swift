import Glibc
import Synchronization

/// Loads libraries, and never unloads them: a Swift library cannot be.
enum LibraryLoader {
  private struct Loaded {
    /// Kept open for good: the loader knows a library by its descriptor's name.
    let library: SealedLibrary
    let engines: Result<[EngineRecord], HostError>
  }
  private static let loaded = Mutex<[SHA256Digest: Loaded]>([:])

  /// The engines of a library, loaded into this process, the same bytes once.
  ///
  /// - Throws: `.cannotLoad` with the loader's reason, or as `Registration.run`.
  static func engines(in library: SealedLibrary) throws(HostError) -> [EngineRecord] {
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
  static func load(_ path: String, named name: String) throws(HostError) -> [EngineRecord] {
    try Registration.run(entry(path, named: name))
  }

  /// Loads a library, which must not have been loaded yet.
  ///
  /// - Throws: `.cannotLoad` with the loader's reason.
  static func entry(_ path: String, named name: String) throws(HostError) -> Registration.Entry {
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
