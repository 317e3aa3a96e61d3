/// The head of an ELF file, once it is known to be a shared library for this machine.
struct ELFHeader {
  static let size = 64
  static let segmentSize = 56
  /// Files have about ten.
  static let segmentLimit: UInt16 = 128

  let segmentsOffset: UInt64
  let segmentCount: UInt16

  init(of file: borrowing LibraryFile) throws(HostError) {
    guard file.size > 0 else {
      throw HostError(.cannotLoad, "it is empty; expected an ELF shared library")
    }
    let bytes = ELFBytes(try file.bytes(at: 0, count: Int(min(file.size, UInt64(Self.size)))))
    guard bytes.starts(with: [0x7f, 0x45, 0x4c, 0x46]) else {
      throw HostError(
        .cannotLoad, "it is \(bytes.kind); expected an ELF shared library, as cc -shared builds one"
      )
    }
    guard bytes.count == Self.size else {
      throw HostError(
        .cannotLoad,
        "it is cut short: it has \(bytes.count) bytes and an ELF header takes \(Self.size); "
          + "copy or build it again")
    }
    try Self.checkMachine(bytes)
    try Self.checkType(bytes.uint16(at: 16))
    segmentsOffset = bytes.uint64(at: 32)
    segmentCount = bytes.uint16(at: 56)
    let segmentSize = bytes.uint16(at: 54)
    guard segmentSize == Self.segmentSize, segmentCount > 0, segmentCount <= Self.segmentLimit
    else {
      throw HostError(
        .cannotLoad,
        "it has \(segmentCount) program headers of \(segmentSize) bytes; expected 1 to "
          + "\(Self.segmentLimit) of \(Self.segmentSize); build it again")
    }
  }

  /// Checks byte order, word length and machine.
  private static func checkMachine(_ bytes: ELFBytes) throws(HostError) {
    let machine = bytes.uint16(at: 18)
    guard bytes.uint8(at: 5) == 1 else {
      throw HostError(
        .cannotLoad, "it is a big-endian library; this host runs \(Machine.name(of: Machine.own))")
    }
    guard bytes.uint8(at: 4) == 2 else {
      throw HostError(
        .cannotLoad,
        "it is a 32-bit library for \(Machine.name(of: machine)); this host runs 64-bit "
          + "\(Machine.name(of: Machine.own)); build it for that")
    }
    guard machine == Machine.own else {
      throw HostError(
        .cannotLoad,
        "it was built for \(Machine.name(of: machine)); this host runs "
          + "\(Machine.name(of: Machine.own)); build it for that")
    }
  }

  private static func checkType(_ type: UInt16) throws(HostError) {
    let found: String
    switch type {
    case 1: found = "an object file"
    case 2: found = "a program"
    case 3: return
    case 4: found = "a core dump"
    default: found = "an ELF file of type \(type)"
    }
    throw HostError(.cannotLoad, "it is \(found), not a shared library; link it with -shared")
  }

  private enum Machine {
    #if arch(x86_64)
      static let own: UInt16 = 62
    #elseif arch(arm64)
      static let own: UInt16 = 183
    #else
      #error("the number of this machine in ELF headers is not known; add it here")
    #endif

    static func name(of machine: UInt16) -> String {
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
}

extension ELFBytes {
  /// What a file that starts with these bytes is, where it is no ELF file.
  fileprivate var kind: String {
    let magics: [(bytes: [UInt8], kind: String)] = [
      (Array("!<arch>\n".utf8), "a static archive"), (Array("MZ".utf8), "a Windows file"),
      ([0xcf, 0xfa, 0xed, 0xfe], "a Mach-O file"), ([0xca, 0xfe, 0xba, 0xbe], "a Mach-O file"),
    ]
    if let known = magics.first(where: { starts(with: $0.bytes) }) { return known.kind }
    return isText ? "a text file" : "a file of unknown kind"
  }
}
