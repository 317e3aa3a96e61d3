import CTesseraHost
import TesseraHost

/// Makes engines of no folder.
@c @implementation
public func tessera_engines_create() -> OpaquePointer? { Handle.give(EnginesHandle()) }

/// Forgets engines.
@c @implementation
public func tessera_engines_destroy(_ engines: OpaquePointer?) { Handle.take(engines) }

/// The sentence of the last failure.
@c @implementation
public func tessera_engines_message(_ engines: OpaquePointer?) -> UnsafePointer<CChar>? {
  engines?.handle(EnginesHandle.self).failure
    ?? FixedText.pointer("the engines are null; make them with tessera_engines_create")
}

/// Adds a folder to the search path.
@c @implementation
public func tessera_engines_add_folder(
  _ pointer: OpaquePointer?, _ path: UnsafePointer<CChar>?
) -> Int32 {
  engines(pointer) { $0.folders.append(try Argument.text(path, "path")) }
}

/// Adds the folders that engines are installed in.
@c @implementation
public func tessera_engines_add_standard_folders(_ pointer: OpaquePointer?) -> Int32 {
  engines(pointer) { $0.hasStandardFolders = true }
}

/// Sets how engines are kept apart from the program.
@c @implementation
public func tessera_engines_set_isolation(
  _ pointer: OpaquePointer?, _ isolation: tessera_isolation
) -> Int32 {
  engines(pointer) { engines in
    switch isolation {
    case TESSERA_SANDBOX: engines.configuration.isolation = .sandbox
    case TESSERA_PROCESS: engines.configuration.isolation = .process
    case TESSERA_INSIDE: engines.configuration.isolation = .none
    default:
      throw HostError(
        .invalidInput,
        "the isolation is \(isolation); give TESSERA_SANDBOX, TESSERA_PROCESS or TESSERA_INSIDE")
    }
  }
}

/// Sets the program that engines run in.
@c @implementation
public func tessera_engines_set_worker(
  _ pointer: OpaquePointer?, _ path: UnsafePointer<CChar>?
) -> Int32 {
  engines(pointer) { $0.configuration.worker = try Argument.optionalText(path, "path") }
}

/// Sets how long one call into an engine may take.
@c @implementation
public func tessera_engines_set_time_limit(_ pointer: OpaquePointer?, _ seconds: Double) -> Int32 {
  engines(pointer) { engines in
    guard seconds >= 0.001, seconds <= 1_000_000 else {
      throw HostError(
        .invalidInput, "the time limit is \(seconds); give seconds from 0.001 to 1000000")
    }
    engines.configuration.limits.secondsPerCall = seconds
  }
}

/// Sets how much memory an engine's process may take.
@c @implementation
public func tessera_engines_set_memory_limit(_ pointer: OpaquePointer?, _ bytes: UInt64) -> Int32 {
  engines(pointer) { engines in
    guard bytes >= 64 << 20, bytes <= 1 << 40 else {
      throw HostError(
        .invalidInput, "the memory limit is \(bytes) bytes; give from 64 MiB to 1 TiB")
    }
    engines.configuration.limits.memory = bytes
  }
}

/// Sets where descriptions of libraries are remembered.
@c @implementation
public func tessera_engines_set_cache(
  _ pointer: OpaquePointer?, _ folder: UnsafePointer<CChar>?
) -> Int32 {
  engines(pointer) { $0.configuration.cacheFolder = try Argument.optionalText(folder, "folder") }
}

/// Sets which libraries may be loaded.
@c @implementation
public func tessera_engines_set_allowlist(
  _ pointer: OpaquePointer?, _ file: UnsafePointer<CChar>?
) -> Int32 {
  engines(pointer) { engines in
    guard let file = try Argument.optionalText(file, "file") else {
      engines.configuration.trust.allowsOnly = nil
      return
    }
    let list = try Allowlist(file: file)
    guard list.exists else {
      throw HostError(.notFound, "there is no allowlist \(file); write one, or give another")
    }
    engines.configuration.trust.allowsOnly = list
  }
}
