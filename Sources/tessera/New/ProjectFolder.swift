import FoundationEssentials
import Glibc
import TesseraCommand
import TesseraHost
import TesseraScenario

extension Project {
  /// Atomic: writes a temporary folder, then renames it.
  func write(linkingTo installation: Installation) throws {
    let path = name.kebab
    try Self.refuseExisting(path)
    let files = try files()
    let unfinished = "\(path).\(getpid()).unfinished"
    do {
      for (name, bytes) in files {
        let file = URL(fileURLWithPath: "\(unfinished)/\(name)")
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        // A file that begins with #! is executable.
        if bytes.starts(with: "#!".utf8) {
          try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        }
      }
      try installation.link(unfinished)
      try Self.refuseExisting(path)
      try FileManager.default.moveItem(atPath: unfinished, toPath: path)
    } catch {
      try? FileManager.default.removeItem(atPath: unfinished)
      if error is HostError { throw error }
      throw HostError(.unwritableFile, "cannot create \(path): \(error.systemReason)")
    }
  }

  private static func refuseExisting(_ path: String) throws {
    var status = stat()
    guard lstat(path, &status) != 0 else {
      throw HostError(
        .unwritableFile,
        "cannot create \(path): it exists already; give another name, or move it")
    }
  }
}

struct Installation {
  let templates: String
  /// Targets by path in the project.
  let links: [String: String]

  /// No other file of a project depends on the installation.
  private static let linksFolder = ".tessera"

  func link(_ project: String) throws {
    let target = "\(project)/\(Self.linksFolder)"
    let unfinished = "\(target).\(getpid()).unfinished"
    let files = FileManager.default
    do {
      try? files.removeItem(atPath: unfinished)
      for (name, path) in links {
        let link = URL(fileURLWithPath: "\(unfinished)/\(name)")
        try files.createDirectory(
          at: link.deletingLastPathComponent(), withIntermediateDirectories: true)
        try files.createSymbolicLink(atPath: link.path, withDestinationPath: path)
      }
      try? files.removeItem(atPath: target)
      try files.moveItem(atPath: unfinished, toPath: target)
    } catch {
      try? files.removeItem(atPath: unfinished)
      throw HostError(.unwritableFile, "cannot create \(target): \(error.systemReason)")
    }
  }

  /// `../share/tessera` and `../include` relative to the command, or its checkout.
  static func found() throws -> Installation {
    let link = "/proc/self/exe"
    guard let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: link) else {
      throw HostError(
        .fileNotFound,
        "cannot find the path of this command, because \(link) cannot be read; mount /proc")
    }
    return try installed(executable) ?? built(executable) ?? missing(executable)
  }

  private static func installed(_ executable: String) -> Installation? {
    let prefix = parent(parent(executable))
    let (share, include) = ("\(prefix)/share/tessera", "\(prefix)/include")
    guard exists("\(share)/templates"), exists("\(include)/tessera/tessera.h") else { return nil }
    return Installation(
      templates: "\(share)/templates",
      links: [
        "tessera": executable, "include/tessera": "\(include)/tessera",
        "tessera.rs": "\(share)/rust/tessera.rs", "swift": "\(share)/swift",
      ])
  }

  private static func built(_ executable: String) -> Installation? {
    var root = parent(executable)
    while !(exists("\(root)/Package.swift") && exists("\(root)/Sources/Bindings/Templates")) {
      guard root != "/" else { return nil }
      root = parent(root)
    }
    let sources = "\(root)/Sources"
    return Installation(
      templates: "\(sources)/Bindings/Templates",
      links: [
        "tessera": executable, "tessera.rs": "\(sources)/Bindings/Rust/tessera.rs",
        "include/tessera/tessera.h": "\(sources)/CTessera/include/tessera/tessera.h",
        "include/tessera/plain.h": "\(sources)/CTessera/include/tessera/plain.h",
        "include/tessera/ext": "\(sources)/CTessera/include/tessera/ext",
        "include/tessera/tessera.hpp": "\(sources)/Bindings/Cpp/tessera/tessera.hpp",
        // The whole package fetches dependencies of the command.
        "swift/Package.swift": "\(root)/Tools/Installing/Package.swift", "swift/Sources": sources,
      ])
  }

  private static func missing(_ executable: String) throws -> Installation {
    throw HostError(
      .fileNotFound,
      "there are no templates and headers for \(executable); expected them in ../share/tessera and "
        + "../include relative to it, or in its checkout; install Tessera completely, "
        + "in Debian with libtessera-dev")
  }

  private static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path)
  }

  private static func parent(_ path: String) -> String {
    URL(fileURLWithPath: path).deletingLastPathComponent().path
  }
}
