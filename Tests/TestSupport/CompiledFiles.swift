import Foundation

/// Compiled C, C++ and Rust files of tests, kept beside the build.
///
/// Recompiles if the text, an include, the flags or the compiler change.
package enum CompiledFiles {
  private static let folder = BuiltProducts.folder.appendingPathComponent("compiled")

  /// Compiles a source, or copies a kept result.
  ///
  /// - Parameter flags: Without source and output.
  package static func compile(
    _ source: String, to output: String, _ command: String, _ flags: [String]
  ) throws {
    guard let key = key(source, command, flags) else {
      return try run(command, flags + [source, "-o", output])
    }
    let entry = folder.appendingPathComponent(key)
    if let file = try? Data(contentsOf: entry), isCurrent(entry) {
      return try write(file, to: output)
    }
    let work = try TemporaryFolder()
    let outputs =
      command == RustToolchain.compiler
      ? ["--emit", "link=\(output),dep-info=\(work.path("rule"))"]
      : ["-MMD", "-MF", work.path("rule"), "-o", output]
    try run(command, flags + outputs + [source])
    let rule = String(decoding: try work.bytes("rule"), as: UTF8.self)
    try keep(output, headers: headers(inRule: rule, besides: source), as: entry)
  }

  private static func run(_ command: String, _ arguments: [String]) throws {
    let environment = command == RustToolchain.compiler ? RustToolchain.environment : [:]
    let result = try Program.run(command, arguments, environment: environment)
    guard result.status == 0 else { throw CCompiler.Failure(description: result.errors) }
  }

  /// A new inode: tests modify their files.
  private static func write(_ file: Data, to output: String) throws {
    try? FileManager.default.removeItem(atPath: output)
    try file.write(to: URL(fileURLWithPath: output))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: output)
  }

  /// Renames each part into place, so concurrent tests see whole files.
  private static func keep(_ output: String, headers: [String], as entry: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let lines = headers.map { "\(digest(ofFile: $0) ?? 0) \($0)\n" }.joined()
    try Data(lines.utf8).write(to: entry.appendingPathExtension("headers"), options: .atomic)
    try Data(contentsOf: URL(fileURLWithPath: output)).write(to: entry, options: .atomic)
  }

  private static func isCurrent(_ entry: URL) -> Bool {
    let list = entry.appendingPathExtension("headers").path
    guard let text = FileManager.default.contents(atPath: list) else { return false }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").allSatisfy { line in
      let parts = line.split(separator: " ", maxSplits: 1)
      return digest(ofFile: String(parts[1])).map(String.init) == String(parts[0])
    }
  }

  /// Headers from a make rule, "output: source header \\ header".
  private static func headers(inRule rule: String, besides source: String) -> [String] {
    rule.replacing("\\\n", with: " ").prefix { $0 != "\n" }.split(separator: " ").dropFirst()
      .map(String.init).filter { $0 != source }
  }

  /// Cache key; nil if the result depends on several sources or libraries of this build, or is not
  /// reproducible.
  private static func key(_ source: String, _ command: String, _ flags: [String]) -> String? {
    let isAlone = !flags.contains {
      $0.hasSuffix(".c") || $0.hasPrefix("-L") || $0.contains(TemporaryFolder.prefix)
    }
    guard isAlone, let text = FileManager.default.contents(atPath: source),
      text.range(of: Data(TemporaryFolder.prefix.utf8)) == nil
    else { return nil }
    var digest = Digest()
    digest.add(compiler(command))
    for flag in flags {
      digest.add(flag)
      if let path = flag.split(separator: "=").last, path.hasPrefix("/") {
        digest.add("\(self.digest(ofFile: String(path)) ?? 0)")
      }
    }
    // Symbols contain the name; the path is only in debug information and assertions.
    let namesPath =
      flags.contains { $0.hasPrefix("-g") } || text.range(of: Data("assert".utf8)) != nil
    digest.add(namesPath ? source : (source as NSString).lastPathComponent)
    digest.add(text)
    return String(digest.value, radix: 16)
  }

  /// A compiler's file and date; a version for rustup's proxy.
  private static func compiler(_ command: String) -> String {
    if command == RustToolchain.compiler { return RustToolchain.version ?? command }
    let path = ProcessInfo.processInfo.environment["PATH", default: "/usr/bin:/bin"]
    for folder in path.split(separator: ":") {
      let file = URL(fileURLWithPath: "\(folder)/\(command)").resolvingSymlinksInPath().path
      if let attributes = try? FileManager.default.attributesOfItem(atPath: file),
        let date = attributes[.modificationDate] as? Date
      {
        return "\(file) \(date.timeIntervalSince1970)"
      }
    }
    return command
  }

  private static func digest(ofFile path: String) -> UInt64? {
    guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
    var digest = Digest()
    digest.add(bytes)
    return digest.value
  }
}

/// FNV-1a, eight bytes at a time.
private struct Digest {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ text: String) { add(Data(text.utf8)) }

  mutating func add(_ bytes: Data) {
    add(UInt64(bytes.count))
    bytes.withUnsafeBytes { bytes in
      for start in stride(from: 0, to: bytes.count - 7, by: 8) {
        add(bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
      }
      for byte in bytes[(bytes.count & ~7)...] { add(UInt64(byte)) }
    }
  }

  private mutating func add(_ word: UInt64) {
    value = (value ^ word) &* 0x0000_0100_0000_01b3
    value ^= value >> 32
  }
}
