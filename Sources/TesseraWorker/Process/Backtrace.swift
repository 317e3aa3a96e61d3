import CTesseraSystem
import Glibc
import TesseraCatalog

/// The calls that led to a crash, innermost first; a malicious engine can forge them.
public struct Backtrace: Sendable {
  /// The place of a crash or a return address.
  public struct Frame: Sendable {
    /// The file name of the library or program.
    public let library: String
    /// A file with the engine library's bytes, valid during the crash handler; nil for other code.
    public let engineFile: String?
    /// As in the library's symbol table.
    public let address: UInt64
    /// The symbol; nil outside engines, and if stripped.
    public let function: String?
  }

  /// Up to the first call into an engine.
  public let frames: [Frame]

  /// The memory must be immutable by now; nil if nothing usable was recorded.
  init?(of crash: UnsafePointer<tessera_crash>, libraries: [SealedLibrary]) {
    guard crash.pointee.is_noted == 1 else { return nil }
    let maps = UnsafeRawBufferPointer(
      start: tessera_crash_maps(crash),
      count: Int(min(crash.pointee.map_size, UInt32(TESSERA_CRASH_MAPS))))
    let mapped = String(decoding: maps, as: UTF8.self).split(separator: "\n").compactMap {
      mappedCode($0, libraries)
    }
    var found: [(name: String, library: Int?, address: UInt64)] = []
    for index in 0..<min(crash.pointee.count, UInt32(TESSERA_CRASH_FRAMES)) {
      // A return address follows the call.
      let address = tessera_crash_frame(crash, index) &- (index == 0 ? 0 : 1)
      guard let code = mapped.first(where: { $0.addresses.contains(address) }) else { continue }
      let offset = code.offset &+ (address - code.addresses.lowerBound)
      found.append((code.name, code.library, offset))
    }
    guard let last = found.lastIndex(where: { $0.library != nil }) else { return nil }
    found.removeSubrange((last + 1)...)
    let places = libraries.indices.map { number in
      libraries[number].places(of: found.filter { $0.library == number }.map(\.address))
    }
    frames = found.map { name, library, offset in
      guard let number = library else {
        return Frame(library: name, engineFile: nil, address: offset, function: nil)
      }
      let (address, function) = places[number][offset] ?? (offset, nil)
      return Frame(
        library: name, engineFile: libraries[number].fileForDebuggers, address: address,
        function: function)
    }
  }
}

/// Parses lines such as "7f10-7f20 r-xp 00001000 00:05 42    /memfd:libx.so (deleted)".
private func mappedCode(
  _ line: Substring, _ libraries: [SealedLibrary]
) -> (addresses: Range<UInt64>, offset: UInt64, name: String, library: Int?)? {
  let fields = line.split(separator: " ", maxSplits: 5)
  guard fields.count == 6 else { return nil }
  let ends = fields[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
  guard ends.count == 2, ends[0] < ends[1], let offset = UInt64(fields[2], radix: 16),
    let inode = UInt64(fields[4])
  else { return nil }
  let library =
    libraries.firstIndex { $0.isFile(inode: inode, device: fields[3]) }
    ?? libraries.firstIndex { $0.path == fields[5] }
  let path = library.map { libraries[$0].path } ?? String(fields[5])
  let last = path.split(separator: "/").last.map(String.init) ?? path
  return (ends[0]..<ends[1], offset, String(UntrustedText.onOneLine(last).prefix(80)), library)
}

extension SealedLibrary {
  /// Matches the sealed copy or the original by inode and device ("fe:01").
  fileprivate func isFile(inode: UInt64, device: Substring) -> Bool {
    var copy = stat()
    guard fstat(descriptor, &copy) == 0 else { return false }
    let parts = device.split(separator: ":").compactMap { UInt64($0, radix: 16) }
    return [FileIdentity(copy), identity].contains {
      let major = $0.device >> 32 & ~0xfff | $0.device >> 8 & 0xfff
      let minor = $0.device >> 12 & ~0xff | $0.device & 0xff
      return $0.inode == inode && parts == [major, minor]
    }
  }
}

extension SealedLibrary {
  /// The original, which debuggers understand, or the sealed copy if it was replaced.
  fileprivate var fileForDebuggers: String {
    isFileUnchanged ? path : "/proc/\(getpid())/fd/\(descriptor)"
  }

  /// The addresses and functions at offsets in the file.
  fileprivate func places(of offsets: [UInt64]) -> [UInt64: (address: UInt64, function: String?)] {
    guard !offsets.isEmpty,
      let image = try? ELFImage(of: LibraryFile(borrowing: descriptor))
    else { return [:] }
    var places: [UInt64: (address: UInt64, function: String?)] = [:]
    let segments = image.segments(of: .load).filter(\.isExecutable)
    for offset in offsets {
      guard let segment = segments.first(where: { $0.holds(offset) }) else { continue }
      places[offset] = (offset - segment.offset &+ segment.address, nil)
    }
    let names =
      (try? ELFSymbolTable.functions(
        at: places.values.map(\.address), in: LibraryFile(borrowing: descriptor))) ?? [:]
    return places.mapValues { place in
      let name = names[place.address].map { String(UntrustedText.onOneLine($0).prefix(200)) }
      return (place.address, name)
    }
  }
}
