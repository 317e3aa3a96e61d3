import Glibc
import Synchronization

/// Loads libraries, each file once, and never unloads them: a Swift library cannot be.
enum LibraryLoader {
  private static let loaded = Mutex<[FileIdentity: Result<[EngineRecord], HostError>]>([:])

  /// The engines of a library that has passed inspection.
  ///
  /// - Throws: `.cannotLoad` with the loader's reason, or as `Registration.run`.
  static func engines(inLibraryAt path: String) throws(HostError) -> [EngineRecord] {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw HostError(.notFound, "\(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    let key = FileIdentity(status)
    let result = loaded.withLock { cache in
      if let known = cache[key] { return known }
      let result = Result { () throws(HostError) in try load(path) }
      cache[key] = result
      return result
    }
    return try result.get()
  }

  private static func load(_ path: String) throws(HostError) -> [EngineRecord] {
    // A name without a slash would be looked up on the loader's own path.
    let name = path.contains("/") ? path : "./\(path)"
    guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) else {
      throw HostError(
        .cannotLoad,
        "the loader refuses it: \(dlerror().map { String(cString: $0) } ?? "no reason")")
    }
    guard let symbol = dlsym(handle, "tessera_register") else {
      throw HostError(.cannotLoad, "it exports no tessera_register; export that function")
    }
    return try Registration.run(unsafeBitCast(symbol, to: Registration.Entry.self))
  }
}
