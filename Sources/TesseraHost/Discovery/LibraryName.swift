import Glibc

/// An entry of a folder whose name ends in ".so".
struct LibraryName {
  private let bytes: [UInt8]

  /// The name, with what is not UTF-8 replaced.
  var text: String { String(decoding: bytes, as: UTF8.self) }
  var isUTF8: Bool { String(validating: bytes, as: UTF8.self) != nil }

  /// All of a folder, sorted by their bytes.
  ///
  /// - Throws: `.notFound` where it is no folder that may be read.
  static func all(inFolder path: String) throws(HostError) -> [LibraryName] {
    guard let folder = opendir(path) else {
      throw HostError(.notFound, "it cannot be searched: \(systemMessage(errno))")
    }
    defer { closedir(folder) }
    var names: [LibraryName] = []
    while let entry = readdir(folder) {
      let name = LibraryName(entry)
      if name.bytes.suffix(3).elementsEqual(".so".utf8) { names.append(name) }
    }
    return names.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }

  private init(_ entry: UnsafeMutablePointer<dirent>) {
    // An entry's memory may end with its name, so the field is never read as a whole.
    guard let field = entry.pointer(to: \.d_name) else {
      bytes = []
      return
    }
    let start = UnsafeRawPointer(field)
    let count = strlen(start.assumingMemoryBound(to: CChar.self))
    bytes = Array(UnsafeRawBufferPointer(start: start, count: count))
  }
}
