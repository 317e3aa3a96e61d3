package struct LibraryInspection: Equatable, Sendable {
  /// Its minor version is the lowest that a host must have.
  package let abi: ABIVersion
  /// The size of `tessera_engine` at compile time.
  package let engineSize: UInt32

  package static let entry = "tessera_register"

  /// Reads at most some hundred kilobytes; errors refer to the file as "it".
  package static func inspect(path: String) throws(HostError) -> LibraryInspection {
    try inspect(file: try LibraryFile(path: path))
  }

  package static func inspect(file: consuming LibraryFile) throws(HostError) -> LibraryInspection {
    let image = try ELFImage(of: file)
    let dynamic = try ELFDynamic(of: image)
    guard !dynamic.isProgram else { throw .isProgram }
    try image.checkNoWritableCode()
    guard !dynamic.hasTextRelocations else {
      throw HostError(
        .unsafeLibrary,
        "its code must be changed when it is loaded (DT_TEXTREL); compile it with -fPIC")
    }
    guard let note = try note(in: image) else {
      throw HostError(
        .missingNote,
        "it has no Tessera note, so it is not an engine library; write TESSERA_NOTE once in its "
          + "source")
    }
    guard note.abi.isSupported else {
      throw HostError(
        .unsupportedABI,
        "it needs ABI \(note.abi); this host supports \(ABIVersion.supported); "
          + (note.abi > .current ? "update the host, or build it" : "build it")
          + " with this host's tessera.h")
    }
    guard try ELFSymbolTable(of: image, dynamic: dynamic).exportsFunction(entry) else {
      throw HostError(
        .missingEntry, "it exports no function \(entry); define it with TESSERA_EXPORT before it")
    }
    return note
  }
}

/// What the conformance suite reads from a library file, which errors refer to as "it".
public struct LibraryFacts: Sendable {
  /// Whether it is a complete ELF shared library for this machine.
  public let format: Result<Void, HostError>
  /// The ABI version, if this host supports it.
  public let abi: Result<ABIVersion, HostError>
  /// The exported names, without `linkerSymbols`.
  public let exported: Result<[String], HostError>
  /// The imported names.
  public let imported: Result<[String], HostError>

  private static let linkerSymbols: Set = ["_init", "_fini", "_edata", "_end", "__bss_start"]

  /// Reads the file at a path.
  public init(ofLibrary path: String) {
    format = Result { () throws(HostError) in
      guard try !ELFDynamic(of: ELFImage(of: LibraryFile(path: path))).isProgram else {
        throw .isProgram
      }
    }
    abi = Result { () throws(HostError) in
      guard let note = try Self.note(path) else {
        throw HostError(
          .missingNote, "it has no Tessera note; write TESSERA_NOTE once in its source")
      }
      guard note.abi.isSupported else {
        throw HostError(
          .unsupportedABI,
          "its note states ABI \(note.abi); this host supports \(ABIVersion.supported)")
      }
      return note.abi
    }
    let symbols = Result { () throws(HostError) in try Self.symbols(path) }
    exported = symbols.map { symbols in
      symbols.filter { $0.isDefined && !Self.linkerSymbols.contains($0.name) }.map(\.name).sorted()
    }
    imported = symbols.map { symbols in
      symbols.filter { !$0.isDefined }.map(\.name).sorted()
    }
  }

  private static func note(_ path: String) throws(HostError) -> LibraryInspection? {
    let image = try ELFImage(of: LibraryFile(path: path))
    _ = try ELFDynamic(of: image)
    return try LibraryInspection.note(in: image)
  }

  private static func symbols(_ path: String) throws(HostError) -> [ELFSymbolTable.Symbol] {
    let image = try ELFImage(of: LibraryFile(path: path))
    let dynamic = try ELFDynamic(of: image)
    return try ELFSymbolTable(of: image, dynamic: dynamic).all()
  }
}

extension ABIVersion {
  fileprivate static var supported: String {
    current.minor == 0 ? "\(current)" : "\(current.major).0 to \(current)"
  }
}

extension HostError {
  fileprivate static let isProgram = HostError(
    .notALibrary, "it is a program, not a library; link it with -shared")
}
