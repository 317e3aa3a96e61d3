extension ABIVersion {
  private static let entry = "tessera_register"

  /// Inspects an engine library; reads at most some hundred kilobytes.
  ///
  /// The minor version is the lowest that a host must have. Errors refer to the file as "it".
  package init(ofLibrary file: consuming LibraryFile) throws(HostError) {
    let image = try ELFImage(of: file)
    let dynamic = try ELFDynamic(of: image)
    guard !dynamic.isProgram else { throw .isProgram }
    try image.checkNoWritableCode()
    guard !dynamic.hasTextRelocations else {
      throw HostError(
        .unsafeLibrary,
        "its code must be changed when it is loaded (DT_TEXTREL); compile it with -fPIC")
    }
    guard let version = try image.notedVersion() else {
      throw HostError(
        .missingNote,
        "it has no Tessera note, so it is not an engine library; write TESSERA_NOTE once in its "
          + "source")
    }
    guard version.isSupported else {
      throw HostError(
        .unsupportedABI,
        "it needs ABI \(version); this host supports \(ABIVersion.supported); "
          + (version > .current ? "update the host, or build it" : "build it")
          + " with this host's tessera.h")
    }
    guard try ELFSymbolTable(of: image, dynamic: dynamic).exportsFunction(Self.entry) else {
      throw HostError(
        .missingEntry,
        "it exports no function \(Self.entry); define it with TESSERA_EXPORT before it")
    }
    self = version
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
      let image = try ELFImage(of: LibraryFile(path: path))
      _ = try ELFDynamic(of: image)
      guard let version = try image.notedVersion() else {
        throw HostError(
          .missingNote, "it has no Tessera note; write TESSERA_NOTE once in its source")
      }
      guard version.isSupported else {
        throw HostError(
          .unsupportedABI,
          "its note states ABI \(version); this host supports \(ABIVersion.supported)")
      }
      return version
    }
    let symbols = Result { () throws(HostError) in
      let image = try ELFImage(of: LibraryFile(path: path))
      let dynamic = try ELFDynamic(of: image)
      return try ELFSymbolTable(of: image, dynamic: dynamic).all()
    }
    exported = symbols.map { symbols in
      symbols.filter { $0.isDefined && !Self.linkerSymbols.contains($0.name) }.map(\.name).sorted()
    }
    imported = symbols.map { symbols in
      symbols.filter { !$0.isDefined }.map(\.name).sorted()
    }
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
