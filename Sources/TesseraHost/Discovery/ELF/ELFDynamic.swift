/// What a library tells the loader.
struct ELFDynamic {
  /// More bytes than any library has here.
  static let limit = 65_536

  /// Addresses; nil where the library does not have the table.
  private(set) var strings: UInt64?
  private(set) var symbols: UInt64?
  private(set) var hash: UInt64?
  private(set) var gnuHash: UInt64?
  /// Where in the table of strings the folders stand in which the loader looks for what the library
  /// needs.
  private(set) var runPaths: [UInt64] = []
  /// Whether the file is there to be run: a program that may lie anywhere in memory has the type of a
  /// shared library.
  let isProgram: Bool

  /// Reads the dynamic section.
  ///
  /// - Throws: `.cannotLoad` where there is none.
  init(of image: borrowing ELFImage) throws(HostError) {
    guard let segment = image.segments(of: .dynamic).first else {
      throw HostError(
        .cannotLoad, "it has no dynamic section, so it is no shared library; link it with -shared")
    }
    let bytes = try image.bytes(of: segment, limit: Self.limit, "dynamic entries")
    var flags: UInt64 = 0
    var hasName = false
    entries: for offset in stride(from: 0, through: bytes.count - 16, by: 16) {
      let value = bytes.uint64(at: offset + 8)
      switch bytes.uint64(at: offset) {
      case 0: break entries
      case 4: hash = value
      case 5: strings = value
      case 6: symbols = value
      case 14: hasName = true
      case 15, 29: runPaths.append(value)
      case 0x6fff_fef5: gnuHash = value
      case 0x6fff_fffb: flags = value
      default: break
      }
    }
    // Linkers before 2018 did not flag a program as one. A library that can also be run, like the C
    // library, has a name of its own.
    let isFlagged = flags & 0x0800_0000 != 0
    isProgram = isFlagged || (!image.segments(of: .interpreter).isEmpty && !hasName)
  }
}
