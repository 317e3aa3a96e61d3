/// What a library file says about itself, read from its bytes: nothing of it runs.
struct LibraryInspection: Equatable, Sendable {
  /// The contract that it was built for.
  let abi: ABIVersion
  /// The size of `tessera_engine` that it was compiled with, in bytes.
  let engineSize: UInt32

  /// The function that a library exports.
  static let entry = "tessera_register"

  /// Inspects a file: an ELF shared library for this machine, complete, with a note of a supported
  /// version, that exports the entry.
  ///
  /// The sentence of an error speaks of the file as "it". Complexity: a few reads, of at most some
  /// hundred kilobytes, whatever the file holds.
  ///
  /// - Throws: `.notFound` where nothing lies there, else `.cannotLoad` with the first thing that
  ///   is not as it should be.
  static func inspect(path: String) throws(HostError) -> LibraryInspection {
    try inspect(file: try LibraryFile(path: path))
  }

  /// Inspects a file that is open already.
  ///
  /// - Throws: `.cannotLoad` with the first thing that is not as it should be.
  static func inspect(file: consuming LibraryFile) throws(HostError) -> LibraryInspection {
    let header = try ELFHeader(of: file)
    let image = try ELFImage(of: file, header: header)
    let dynamic = try ELFDynamic(of: image)
    guard !dynamic.isProgram else {
      throw HostError(.cannotLoad, "it is a program, not a library; link it with -shared")
    }
    guard let note = try TesseraNote.find(in: image) else {
      throw HostError(
        .cannotLoad,
        "it has no Tessera note, so it is no engine library; write TESSERA_NOTE once in its source")
    }
    guard ABIVersion.supported.contains(note.abi) else {
      let (oldest, newest) = (ABIVersion.supported.lowerBound, ABIVersion.supported.upperBound)
      throw HostError(
        .cannotLoad,
        "it was built for ABI \(note.abi); this host speaks "
          + (oldest == newest ? "\(newest)" : "\(oldest) to \(newest)")
          + "; rebuild it with this host's tessera.h")
    }
    guard try ELFSymbolTable(of: image, dynamic: dynamic).exportsFunction(entry) else {
      throw HostError(
        .cannotLoad, "it exports no function \(entry); define it with TESSERA_EXPORT before it")
    }
    return note
  }
}
