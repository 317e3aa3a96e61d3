/// What a library's file tells without being loaded, for tests of engines.
///
/// Where a part cannot be had the error says why, of the file as "it".
public struct LibraryFacts: Sendable {
  /// Whether it is a complete ELF shared library for this machine.
  public let format: Result<Void, HostError>
  /// The contract that it was built for, of those that this host speaks.
  public let abi: Result<ABIVersion, HostError>
  /// The names that it defines for others to use, without those that linkers add.
  public let exported: Result<[String], HostError>
  /// The names that it wants of others.
  public let imported: Result<[String], HostError>

  /// The names that linkers add by themselves.
  private static let linkers: Set = ["_init", "_fini", "_edata", "_end", "__bss_start"]

  /// Reads the file at a path.
  public init(ofLibrary path: String) {
    format = Result { () throws(HostError) in
      guard try !Self.parts(path).dynamic.isProgram else {
        throw HostError(.cannotLoad, "it is a program, not a library; link it with -shared")
      }
    }
    abi = Result { () throws(HostError) in
      guard let note = try Self.note(path) else {
        throw HostError(
          .cannotLoad, "it has no Tessera note; write TESSERA_NOTE once in its source")
      }
      guard ABIVersion.supported.contains(note.abi) else {
        throw HostError(
          .cannotLoad,
          "its note says ABI \(note.abi); this host speaks \(ABIVersion.supported.lowerBound) to "
            + "\(ABIVersion.supported.upperBound)")
      }
      return note.abi
    }
    let symbols = Result { () throws(HostError) in try Self.symbols(path) }
    exported = symbols.map { symbols in
      symbols.filter { $0.isDefined && !Self.linkers.contains($0.name) }.map(\.name).sorted()
    }
    imported = symbols.map { symbols in
      symbols.filter { !$0.isDefined }.map(\.name).sorted()
    }
  }

  private struct Parts: ~Copyable {
    let image: ELFImage
    let dynamic: ELFDynamic
  }

  private static func parts(_ path: String) throws(HostError) -> Parts {
    let file = try LibraryFile(path: path)
    let header = try ELFHeader(of: file)
    let image = try ELFImage(of: file, header: header)
    let dynamic = try ELFDynamic(of: image)
    return Parts(image: image, dynamic: dynamic)
  }

  private static func note(_ path: String) throws(HostError) -> LibraryInspection? {
    let parts = try parts(path)
    return try TesseraNote.find(in: parts.image)
  }

  private static func symbols(_ path: String) throws(HostError) -> [ELFSymbolTable.Symbol] {
    let file = try LibraryFile(path: path)
    let header = try ELFHeader(of: file)
    let image = try ELFImage(of: file, header: header)
    let dynamic = try ELFDynamic(of: image)
    return try ELFSymbolTable(of: image, dynamic: dynamic).all()
  }
}
