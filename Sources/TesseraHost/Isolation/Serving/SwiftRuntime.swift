/// The runtime of Swift that an engine was linked to, where the engine does not hold it itself.
///
/// A worker that was linked with its own runtime knows of no other, and a toolchain may lie anywhere.
enum SwiftRuntime {
  private static let core = "libswiftCore.so"

  /// The folders on a library's run path that hold Swift's runtime, and that nobody but root and the
  /// user can change.
  ///
  /// Nothing else that an engine names becomes readable by being named.
  ///
  /// - Parameter descriptor: The library's; it is read at offsets.
  static func folders(ofLibrary descriptor: Int32) -> [String] {
    let folders = (try? runPath(ofLibrary: descriptor)) ?? []
    return folders.filter { folder in
      folder.hasPrefix("/") && (try? FolderRule().check(file: "\(folder)/\(core)")) != nil
    }
  }

  /// The folders in which the loader looks for what a library needs.
  ///
  /// - Throws: `.cannotLoad` where that cannot be read.
  static func runPath(ofLibrary descriptor: Int32) throws(HostError) -> [String] {
    let file = try LibraryFile(borrowing: descriptor)
    let header = try ELFHeader(of: file)
    let image = try ELFImage(of: file, header: header)
    let dynamic = try ELFDynamic(of: image)
    guard let strings = dynamic.strings else { return [] }
    var folders: [String] = []
    for offset in dynamic.runPaths {
      let text = try image.bytes(at: strings &+ offset, atMost: limit).text
      folders += text.split(separator: ":").map(String.init)
    }
    return folders
  }

  /// More bytes than any run path has.
  private static let limit = 16_384
}
