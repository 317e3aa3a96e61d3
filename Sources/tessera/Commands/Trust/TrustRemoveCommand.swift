import ArgumentParser
import Glibc
import TesseraHost

/// `tessera trust remove`: fewer libraries on the allowlist.
struct TrustRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Takes libraries off the allowlist.",
    discussion: """
      By its file a library is removed with every sum that it had; the file need not exist any more. \
      By a sum, or the beginning of one, it is removed wherever it lies.

      EXAMPLES
        tessera trust remove ./libspiral.so
        tessera trust remove 3f5a09
      """)

  @Argument(
    help: ArgumentHelp(
      "A library's file, or the beginning of its sum.", valueName: "file-or-sum"),
    completion: .file())
  var names: [String]
  @OptionGroup var options: AllowlistOptions

  func run() throws {
    let list = try options.file
    try OutputFile.write(to: nil) { output in
      for name in names {
        let gone: [Allowlist.Entry]
        do {
          gone = try Allowlist.remove(try listedName(name, in: list), from: list)
        } catch {
          try output.flush()
          throw error
        }
        for entry in gone {
          try output.write("removed \(entry.path) with the sum \(entry.digest)\n")
        }
      }
    }
  }

  /// The name as the list has it: a path is listed whole and without symlinks.
  private func listedName(_ name: String, in list: String) throws -> String {
    let paths = Set(try Allowlist(file: list).entries.map(\.path))
    return [name, Self.resolved(name), Self.absolute(name)].compactMap(\.self)
      .first(where: paths.contains) ?? name
  }

  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// The path of a file that is gone, in a folder that is there.
  private static func absolute(_ path: String) -> String? {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let end = path.lastIndex(of: "/")
    let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    return resolved(folder).map { $0 == "/" ? "/\(name)" : "\($0)/\(name)" }
  }
}
