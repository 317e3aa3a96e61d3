import CTesseraHost
import CTesseraSystem
import Glibc
import TesseraHost

@c @implementation package func tessera_engines_create() -> OpaquePointer? {
  Handle.give(EnginesHandle())
}

@c @implementation package func tessera_engines_copy(_ engines: OpaquePointer?) -> OpaquePointer? {
  var copy: OpaquePointer?
  _ = TesseraLibrary.engines(engines) { copy = Handle.give(EnginesHandle(sharing: $0)) }
  return copy
}

@c @implementation package func tessera_engines_destroy(_ engines: OpaquePointer?) {
  Handle.take(engines)
}

@c @implementation package func tessera_engines_message(_ engines: OpaquePointer?) -> Text {
  Handle.message(
    of: engines, ifNull: "the engines are null; create them with tessera_engines_create")
}

@c @implementation package func tessera_engines_code(_ engines: OpaquePointer?) -> Text {
  Handle.code(of: engines)
}

@c @implementation package func tessera_engines_add_folder(
  _ pointer: OpaquePointer?, _ path: Text
) -> Int32 {
  engines(pointer) { $0.folders.append(try notNullText(path, "path")) }
}

@c @implementation package func tessera_engines_add_standard_folders(_ pointer: OpaquePointer?)
  -> Int32
{
  engines(pointer) { $0.hasStandardFolders = true }
}

@c @implementation package func tessera_engines_set_isolation(
  _ pointer: OpaquePointer?, _ isolation: tessera_host_isolation
) -> Int32 {
  engines(pointer) { engines in
    switch isolation {
    case TESSERA_HOST_ISOLATION_SANDBOX: engines.configuration.isolation = .sandbox
    case TESSERA_HOST_ISOLATION_PROCESS: engines.configuration.isolation = .process
    case TESSERA_HOST_ISOLATION_INSIDE: engines.configuration.isolation = .none
    default:
      throw HostError(
        .invalidValue,
        "the isolation is \(isolation); give TESSERA_HOST_ISOLATION_SANDBOX, TESSERA_HOST_ISOLATION_PROCESS or TESSERA_HOST_ISOLATION_INSIDE"
      )
    }
  }
}

@c @implementation package func tessera_engines_require_full_sandbox(
  _ pointer: OpaquePointer?, _ required: Int32
) -> Int32 {
  engines(pointer) { engines in
    guard required == 0 || required == 1 else {
      throw HostError(.invalidValue, "the requirement is \(required); give 0 or 1")
    }
    engines.configuration.requiresFullSandbox = required == 1
  }
}

@c @implementation package func tessera_engines_set_refusal_time(
  _ pointer: OpaquePointer?, _ seconds: UInt32
) -> Int32 { engines(pointer) { $0.configuration.refusalTime = Int(seconds) } }

@c @implementation package func tessera_engines_set_worker(
  _ pointer: OpaquePointer?, _ path: Text
) -> Int32 {
  engines(pointer) { $0.configuration.worker = try optionalText(path, "path") }
}

@c @implementation package func tessera_engines_set_time_limit(
  _ pointer: OpaquePointer?, _ seconds: Double
) -> Int32 {
  engines(pointer) { engines in
    engines.configuration.limits.secondsPerCall = try boundedTimeLimit(seconds)
  }
}

@c @implementation package func tessera_engines_set_memory_limit(
  _ pointer: OpaquePointer?, _ bytes: UInt64
) -> Int32 {
  engines(pointer) { engines in
    guard bytes >= 64 << 20, bytes <= 1 << 40 else {
      throw HostError(
        .invalidValue, "the memory limit is \(bytes) bytes; give from 64 MiB to 1 TiB")
    }
    engines.configuration.limits.memory = bytes
  }
}

@c @implementation package func tessera_engines_set_row_limit(
  _ pointer: OpaquePointer?, _ rows: UInt64
) -> Int32 {
  engines(pointer) { engines in
    try checkRowLimit(rows, "row limit")
    engines.configuration.rowLimit = Int(rows)
  }
}

@c @implementation package func tessera_engines_set_kept_workers(
  _ pointer: OpaquePointer?, _ count: UInt32
) -> Int32 {
  engines(pointer) { engines in
    guard count <= 64 else {
      throw HostError(.invalidValue, "the count of kept workers is \(count); give 0 to 64")
    }
    engines.configuration.keptWorkers = Int(count)
  }
}

@c @implementation package func tessera_engines_set_cache(
  _ pointer: OpaquePointer?, _ folder: Text
) -> Int32 {
  engines(pointer) { $0.configuration.cacheFolder = try optionalText(folder, "folder") }
}

@c @implementation package func tessera_engines_set_allowlist(
  _ pointer: OpaquePointer?, _ file: Text
) -> Int32 {
  engines(pointer) { engines in
    guard let file = try optionalText(file, "file") else {
      engines.configuration.trust.allowsOnly = nil
      return
    }
    let list = try Allowlist(file: file)
    guard list.exists else {
      throw HostError(.fileNotFound, "there is no allowlist \(file); create it, or give another")
    }
    engines.configuration.trust.allowsOnly = list
  }
}

@c @implementation package func tessera_engines_list(
  _ pointer: OpaquePointer?, _ engineCount: Out<UInt64>, _ refusalCount: Out<UInt64>
) -> Int32 {
  engines(pointer) { engines in
    let listing = engines.list()
    engineCount?.pointee = UInt64(listing.engines.count)
    refusalCount?.pointee = UInt64(listing.refused.count)
  }
}

@c @implementation package func tessera_engines_get(
  _ pointer: OpaquePointer?, _ index: UInt64, _ info: Out<tessera_engine_info>, _ infoSize: UInt64
) -> Int32 {
  engines(pointer) { engines in
    let entry = try entry(index, of: engines.listing?.engines, "engine")
    try ProgramStruct(info, size: infoSize, "info").write(
      tessera_engine_info(
        entry.description, library: entry.library, shadowedBy: entry.shadowedBy, abi: entry.abi,
        traits: entry.description.traits, &engines.texts))
  }
}

@c @implementation package func tessera_engines_get_refusal(
  _ pointer: OpaquePointer?, _ index: UInt64, _ refusal: Out<tessera_refusal>
) -> Int32 {
  engines(pointer) { engines in
    let found = try entry(index, of: engines.listing?.refused, "refusal")
    let seconds = if case .waitForRefusal(let seconds) = found.error.remedy { seconds } else { 0 }
    try notNull(refusal, "refusal").pointee = tessera_refusal(
      file: engines.texts.pointer(to: found.file),
      reason: engines.texts.pointer(to: found.error.libraryMessage),
      status: found.error.kind.status, seconds: UInt32(clamping: seconds))
  }
}

private func entry<Entry>(
  _ index: UInt64, of list: [Entry]?, _ what: StaticString
) throws -> Entry {
  guard let list else {
    throw Misuse("nothing has been listed; call tessera_engines_list first")
  }
  guard index < UInt64(list.count) else {
    throw Misuse("there is no \(what) \(index); the last listing has \(list.count)")
  }
  return list[Int(index)]
}

/// A struct that may grow at its end; older programs pass a smaller size.
protocol GrowingStruct {
  /// The size in the first version of the header.
  static var firstSize: Int { get }
}

extension GrowingStruct {
  fileprivate static func size<Field>(upTo last: KeyPath<Self, Field>) -> Int {
    (MemoryLayout<Self>.offset(of: last) ?? 0) + MemoryLayout<Field>.size
  }

  /// - Throws: `Misuse` for a size that no header version had.
  static func check(size: UInt64, _ name: StaticString) throws {
    guard size >= UInt64(firstSize), size <= 1 << 16 else {
      throw Misuse(
        "the \(name) has \(size) bytes; give sizeof(\(Self.self)), at least \(firstSize)")
    }
  }
}

extension tessera_engine_info: GrowingStruct {
  static let firstSize = size(upTo: \.traits)
}

extension tessera_declaration: GrowingStruct {
  static let firstSize = size(upTo: \.shows)
}

extension tessera_element: GrowingStruct {
  static let firstSize = size(upTo: \.transform)
}

extension tessera_columns: GrowingStruct {
  static let firstSize = size(upTo: \.offset_y)
}

extension tessera_batch: GrowingStruct {
  static let firstSize = size(upTo: \.statuses)
}

/// A program's struct, smaller or larger than this library's.
struct ProgramStruct<Value: GrowingStruct> {
  private let bytes: UnsafeMutableRawBufferPointer

  /// - Throws: `Misuse` for null, or a size that no header version had.
  init(_ pointer: Out<Value>, size: UInt64, _ name: StaticString) throws {
    let pointer = try notNull(pointer, name)
    try Value.check(size: size, name)
    bytes = UnsafeMutableRawBufferPointer(start: pointer, count: Int(size))
  }

  /// Writes the fields known to the program; zeros fields unknown to this library.
  func write(_ value: Value) {
    withUnsafeBytes(of: value) { bytes.copyMemory(from: .init(rebasing: $0.prefix(bytes.count))) }
    for offset in min(MemoryLayout<Value>.size, bytes.count)..<bytes.count { bytes[offset] = 0 }
  }
}

extension tessera_engine_info {
  init(
    _ engine: EngineDescription, library: String, shadowedBy: String?, abi: ABIVersion,
    traits: EngineTraits, _ texts: inout TextStore
  ) {
    self.init(
      id: texts.pointer(to: engine.id), name: texts.pointer(to: engine.name),
      version: texts.pointer(to: engine.version), author: texts.pointer(to: engine.author),
      license: texts.pointer(to: engine.license), summary: texts.pointer(to: engine.summary),
      library: texts.pointer(to: library), base: texts.pointer(to: engine.base),
      shadowed_by: texts.pointer(to: shadowedBy), abi: abi.major << 16 | abi.minor,
      traits: traits.rawValue)
  }
}

/// Behind `tessera_engines`; recreates the host when a setting changes.
final class EnginesHandle: Handle {
  var folders: [String] = [] { didSet { made = nil } }
  var hasStandardFolders = false { didSet { made = nil } }
  var configuration = HostConfiguration.ofUser { didSet { made = nil } }
  private(set) var listing: Listing?
  var texts = TextStore()
  private var made: Host?

  override init() {}

  override class var forked: HostError {
    HostError(
      .forkedSession,
      "the engines belong to the process that this one was forked from; create others here")
  }
  override class var forkedMessage: UnsafePointer<CChar> { enginesForked }

  /// Shares the host until a setting of either handle changes.
  init(sharing other: EnginesHandle) {
    folders = other.folders
    hasStandardFolders = other.hasStandardFolders
    configuration = other.configuration
    made = other.host
  }

  var host: Host {
    if let made { return made }
    let host = Host(searchPath: searchPath, configuration: configuration)
    made = host
    return host
  }

  func list() -> Listing {
    let listing = host.listing()
    self.listing = listing
    texts = TextStore()
    return listing
  }

  private var searchPath: SearchPath {
    guard hasStandardFolders || folders.isEmpty else { return SearchPath(folders: folders) }
    let environment = HostConfiguration.ownEnvironment
    return SearchPath.standard(
      first: folders, environment: environment, executable: Self.installedCommand,
      home: environment["HOME"])
  }

  private static var installedCommand: String? {
    guard let file = tessera_own_file(), let resolved = realpath(file, nil) else { return nil }
    defer { free(resolved) }
    return SearchPath.join(SearchPath.prefix(containing: String(cString: resolved)), "bin/tessera")
  }
}

func engines(_ pointer: OpaquePointer?, _ work: (EnginesHandle) throws -> Void) -> Int32 {
  Handle.enter(pointer, EnginesHandle.self, work)
}
