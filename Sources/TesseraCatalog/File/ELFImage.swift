package struct ELFImage: ~Copyable {
  package struct Segment {
    package let kind: Kind?
    package let isExecutable: Bool
    package let isWritable: Bool
    package let offset: UInt64
    package let address: UInt64
    package let fileSize: UInt64
    package let alignment: UInt64

    package enum Kind: UInt32 {
      case load = 1
      case dynamic = 2
      case interpreter = 3
      case note = 4
      case stack = 0x6474_e551
    }

    fileprivate init(_ bytes: [UInt8], at offset: Int) {
      kind = Kind(rawValue: bytes.uint32(at: offset))
      isExecutable = bytes.uint32(at: offset + 4) & 1 != 0
      isWritable = bytes.uint32(at: offset + 4) & 2 != 0
      self.offset = bytes.uint64(at: offset + 8)
      address = bytes.uint64(at: offset + 16)
      fileSize = bytes.uint64(at: offset + 32)
      alignment = bytes.uint64(at: offset + 48)
    }

    package func holds(_ offset: UInt64) -> Bool {
      offset >= self.offset && offset - self.offset < fileSize
    }

    package func maps(_ address: UInt64) -> Bool {
      kind == .load && address >= self.address && address - self.address < fileSize
    }
  }

  package let segments: [Segment]
  private let file: LibraryFile

  package init(of file: consuming LibraryFile) throws(HostError) {
    let (offset, count) = try Self.segmentTable(of: file)
    let bytes = try file.bytes(at: offset, count: count * Self.segmentSize)
    let segments = (0..<count).map { Segment(bytes, at: $0 * Self.segmentSize) }
    for segment in segments where segment.kind != nil {
      guard file.contains(offset: segment.offset, count: segment.fileSize) else {
        throw HostError(
          .damagedLibrary,
          "it is truncated: a segment has \(segment.fileSize) bytes at offset \(segment.offset) "
            + "and the file has \(file.size); copy or build it again")
      }
    }
    self.segments = segments
    self.file = file
  }

  package func segments(of kind: Segment.Kind) -> [Segment] { segments.filter { $0.kind == kind } }

  package func bytes(of segment: Segment, limit: Int, _ what: String) throws(HostError) -> [UInt8] {
    guard segment.fileSize <= UInt64(limit) else {
      throw HostError(
        .fileTooLarge,
        "its \(what) have \(segment.fileSize) bytes; expected at most \(limit); build it again")
    }
    return try file.bytes(at: segment.offset, count: Int(segment.fileSize))
  }

  /// Fewer bytes at the end of a segment; throws `.cannotLoad` for an unmapped address.
  package func bytes(at address: UInt64, atMost count: Int) throws(HostError) -> [UInt8] {
    guard let segment = segments.first(where: { $0.maps(address) }) else {
      throw HostError(
        .damagedLibrary,
        "it is malformed: no segment holds the address 0x\(String(address, radix: 16)); build it "
          + "again")
    }
    let skipped = address - segment.address
    let available = min(segment.fileSize - skipped, UInt64(count))
    return try file.bytes(at: segment.offset + skipped, count: Int(available))
  }

  /// Without a stack segment, the loader makes the stack executable.
  package func checkNoWritableCode() throws(HostError) {
    guard !segments(of: .load).contains(where: { $0.isWritable && $0.isExecutable }) else {
      throw HostError(
        .unsafeLibrary,
        "it has a segment that is both writable and executable, which no engine needs; link it "
          + "without -Wl,-N and without a linker script")
    }
    guard let stack = segments(of: .stack).first, !stack.isExecutable else {
      throw HostError(
        .unsafeLibrary,
        "it needs an executable stack, which no engine gets; link it with -Wl,-z,noexecstack")
    }
  }

  package func isCode(_ address: UInt64) -> Bool {
    segments.contains { $0.isExecutable && $0.maps(address) }
  }
}

extension ELFImage {
  /// Bytes.
  static let headerSize = 64
  private static let segmentSize = 56
  /// A usual library has about ten segments.
  private static let segmentLimit: UInt16 = 128

  private static func segmentTable(
    of file: borrowing LibraryFile
  ) throws(HostError) -> (offset: UInt64, count: Int) {
    guard file.size > 0 else {
      throw HostError(.notALibrary, "it is empty; expected an ELF shared library")
    }
    let bytes = try file.bytes(at: 0, count: Int(min(file.size, UInt64(Self.headerSize))))
    guard bytes.starts(with: [0x7f, 0x45, 0x4c, 0x46]) else {
      throw HostError(
        .notALibrary,
        "it is \(bytes.kind); expected an ELF shared library, as cc -shared builds one")
    }
    guard bytes.count == Self.headerSize else {
      throw HostError(
        .damagedLibrary,
        "it is truncated: it has \(bytes.count) bytes and an ELF header takes \(Self.headerSize); "
          + "copy or build it again")
    }
    try Self.checkMachine(bytes)
    try Self.checkType(bytes.uint16(at: 16))
    let (count, segmentSize) = (bytes.uint16(at: 56), bytes.uint16(at: 54))
    guard segmentSize == Self.segmentSize, count > 0, count <= Self.segmentLimit else {
      throw HostError(
        .damagedLibrary,
        "it has \(count) program headers of \(segmentSize) bytes; expected 1 to "
          + "\(Self.segmentLimit) of \(Self.segmentSize); build it again")
    }
    return (bytes.uint64(at: 32), Int(count))
  }

  private static func checkMachine(_ bytes: [UInt8]) throws(HostError) {
    let machine = bytes.uint16(at: 18)
    let own = name(ofMachine: ownMachine)
    guard bytes.uint8(at: 5) == 1 else {
      throw HostError(.wrongMachine, "it is a big-endian library; this host runs \(own)")
    }
    guard bytes.uint8(at: 4) == 2 else {
      throw HostError(
        .wrongMachine,
        "it is a 32-bit library for \(name(ofMachine: machine)); this host runs 64-bit \(own); "
          + "build it for that")
    }
    guard machine == ownMachine else {
      throw HostError(
        .wrongMachine,
        "it was built for \(name(ofMachine: machine)); this host runs \(own); build it for that")
    }
  }

  private static func checkType(_ type: UInt16) throws(HostError) {
    guard type != 3 else { return }
    let names: [UInt16: String] = [1: "an object file", 2: "a program", 4: "a core dump"]
    let found = names[type] ?? "an ELF file of type \(type)"
    throw HostError(.notALibrary, "it is \(found), not a shared library; link it with -shared")
  }

  #if arch(x86_64)
    private static let ownMachine: UInt16 = 62
  #elseif arch(arm64)
    private static let ownMachine: UInt16 = 183
  #else
    #error("the number of this machine in ELF headers is not known; add it here")
  #endif

  private static func name(ofMachine machine: UInt16) -> String {
    switch machine {
    case 3: "i386"
    case 8: "MIPS"
    case 20, 21: "PowerPC"
    case 22: "s390x"
    case 40: "ARM"
    case 62: "x86-64"
    case 183: "AArch64"
    case 243: "RISC-V"
    case 258: "LoongArch"
    default: "machine \(machine)"
    }
  }
}

extension [UInt8] {
  fileprivate var kind: String {
    let magics: [(bytes: [UInt8], kind: String)] = [
      (Array("!<arch>\n".utf8), "a static archive"), (Array("MZ".utf8), "a Windows file"),
      ([0xcf, 0xfa, 0xed, 0xfe], "a Mach-O file"), ([0xca, 0xfe, 0xba, 0xbe], "a Mach-O file"),
    ]
    if let known = magics.first(where: { starts(with: $0.bytes) }) { return known.kind }
    return isText ? "a text file" : "a file of unknown kind"
  }
}

package struct ELFDynamic {
  /// Bytes.
  package static let limit = 65_536

  /// This and the following tables may be missing.
  package private(set) var strings: UInt64?
  package private(set) var symbols: UInt64?
  package private(set) var hash: UInt64?
  package private(set) var gnuHash: UInt64?
  /// Offsets in the string table.
  package private(set) var runPaths: [UInt64] = []
  /// An offset in the string table.
  package private(set) var name: UInt64?
  package let hasTextRelocations: Bool
  package let isProgram: Bool

  package init(of image: borrowing ELFImage) throws(HostError) {
    guard let segment = image.segments(of: .dynamic).first else {
      throw HostError(
        .notALibrary,
        "it has no dynamic section, so it is not a shared library; link it with -shared")
    }
    let bytes = try image.bytes(of: segment, limit: Self.limit, "dynamic entries")
    var flags: UInt64 = 0
    var relocatesText = false
    entries: for offset in stride(from: 0, through: bytes.count - 16, by: 16) {
      let value = bytes.uint64(at: offset + 8)
      switch bytes.uint64(at: offset) {
      case 0: break entries
      case 4: hash = value
      case 5: strings = value
      case 6: symbols = value
      case 14: name = value
      case 22: relocatesText = true
      case 30: relocatesText = relocatesText || value & 4 != 0
      case 15, 29: runPaths.append(value)
      case 0x6fff_fef5: gnuHash = value
      case 0x6fff_fffb: flags = value
      default: break
      }
    }
    // Old linkers don't set the flag for programs; a library that can also be run has a name.
    let isFlagged = flags & 0x0800_0000 != 0
    isProgram = isFlagged || (!image.segments(of: .interpreter).isEmpty && name == nil)
    hasTextRelocations = relocatesText
  }
}

/// Little endian; 0 outside the bytes, so a hostile offset does no harm.
extension [UInt8] {
  package func uint8(at offset: Int) -> UInt8 { number(at: offset) }
  package func uint16(at offset: Int) -> UInt16 { number(at: offset) }
  package func uint32(at offset: Int) -> UInt32 { number(at: offset) }
  package func uint64(at offset: Int) -> UInt64 { number(at: offset) }

  private func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Number {
    let size = MemoryLayout<Number>.size
    guard offset >= 0, count >= size, offset <= count - size else { return 0 }
    return Number(
      littleEndian: withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Number.self) })
  }

  package func holds(_ other: some Collection<UInt8>, at offset: Int) -> Bool {
    guard offset >= 0, offset <= count else { return false }
    return self[offset...].starts(with: other)
  }

  package var text: String { String(decoding: prefix { $0 != 0 }, as: UTF8.self) }

  package var isText: Bool { allSatisfy { $0 >= 0x20 && $0 != 0x7f || (0x09...0x0d).contains($0) } }
}
