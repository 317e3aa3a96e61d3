import CTesseraHost
import TesseraHost

/// Looks at all folders and counts what is there.
@c @implementation
public func tessera_engines_list(
  _ pointer: OpaquePointer?, _ engineCount: UnsafeMutablePointer<UInt64>?,
  _ refusalCount: UnsafeMutablePointer<UInt64>?
) -> Int32 {
  engines(pointer) { engines in
    let listing = engines.list()
    engineCount?.pointee = UInt64(listing.engines.count)
    refusalCount?.pointee = UInt64(listing.refused.count)
  }
}

/// An engine of the last listing.
@c @implementation
public func tessera_engines_get(
  _ pointer: OpaquePointer?, _ index: UInt64, _ info: UnsafeMutablePointer<tessera_engine_info>?,
  _ infoSize: UInt64
) -> Int32 {
  engines(pointer) { engines in
    let entry = try entry(index, of: engines.listing?.engines, "engine")
    try write(
      tessera_engine_info(
        entry.description, library: entry.library, shadowedBy: entry.shadowedBy, &engines.texts),
      to: info, size: infoSize)
  }
}

/// A refusal of the last listing.
@c @implementation
public func tessera_engines_get_refusal(
  _ pointer: OpaquePointer?, _ index: UInt64, _ refusal: UnsafeMutablePointer<tessera_refusal>?
) -> Int32 {
  engines(pointer) { engines in
    let found = try entry(index, of: engines.listing?.refused, "refusal")
    try Argument.present(refusal, "refusal").pointee = tessera_refusal(
      file: engines.texts.pointer(to: found.file),
      reason: engines.texts.pointer(to: found.reason), status: Status.of(found.kind), reserved: 0)
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

/// Writes as much of an engine's description as a program has room for, and zeros beyond it.
func write(
  _ value: tessera_engine_info, to info: UnsafeMutablePointer<tessera_engine_info>?, size: UInt64
) throws {
  let info = try Argument.present(info, "info")
  let known = MemoryLayout<tessera_engine_info>.size
  guard size >= UInt64(known), size <= 1 << 16 else {
    throw Misuse("the info has \(size) bytes; give sizeof(tessera_engine_info), at least \(known)")
  }
  let bytes = UnsafeMutableRawBufferPointer(start: info, count: Int(size))
  withUnsafeBytes(of: value) { bytes.copyMemory(from: $0) }
  for offset in known..<bytes.count { bytes[offset] = 0 }
}

extension tessera_engine_info {
  /// What an engine declares, its texts in a store.
  init(
    _ engine: EngineDescription, library: String, shadowedBy: String?, _ texts: inout TextStore
  ) {
    self.init(
      id: texts.pointer(to: engine.id), name: texts.pointer(to: engine.name),
      version: texts.pointer(to: engine.version), author: texts.pointer(to: engine.author),
      license: texts.pointer(to: engine.license), summary: texts.pointer(to: engine.summary),
      library: texts.pointer(to: library), base: texts.pointer(to: engine.base),
      shadowed_by: texts.pointer(to: shadowedBy))
  }
}
