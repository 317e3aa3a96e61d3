import Foundation
import TestSupport
import Testing

/// Simulates a later contract: every growable struct is eight bytes longer.
struct GrownContract {
  let folder: TemporaryFolder

  private static let grown = [
    "host", "registry", "engine", "input", "rows", "output", "super", "parameter",
    "value_declaration", "list_declaration", "function_declaration", "attribute", "kind", "setting",
  ].map { "tessera_\($0)" }

  /// - Parameter version: Written into the headers, "1.1" or "2.0".
  init(version: String) throws {
    folder = try TemporaryFolder()
    let headers = "\(CCompiler.headers)/tessera"
    let extensions = try FileManager.default.contentsOfDirectory(atPath: "\(headers)/ext")
    for file in ["tessera.h", "plain.h"] + extensions.map({ "ext/\($0)" }) {
      var text = try String(contentsOfFile: "\(headers)/\(file)", encoding: .utf8)
      if file == "tessera.h" { text = try Self.grow(header: text, version) }
      try folder.write("tessera/\(file)", text)
    }
  }

  private static func grow(header: String, _ version: String) throws -> String {
    var text = header
    for name in grown {
      try text.replace(
        "(?s)((?:^|\\n)(?:typedef )?struct (?:TESSERA_SENDABLE )?\(name) \\{\\n(?:(?!\\n\\}).)*\\n)(\\})",
        with: "$1  uint64_t grown;\n$2")
      try text.enlarge("TESSERA_LAYOUT_IS\\(\(name), (\\d+)")
    }
    let numbers = version.split(separator: ".")
    try text.replace(
      "#define TESSERA_ABI_MAJOR 1\n#define TESSERA_ABI_MINOR 0\n",
      with: """
        #define TESSERA_ABI_MAJOR \(numbers[0])
        #define TESSERA_ABI_MINOR \(numbers[1])
        #define TESSERA_GROWN 0x9b9b9b9b9b9b9b9bu

        """)
    return text
  }
}

extension String {
  fileprivate mutating func replace(_ pattern: String, with template: String) throws {
    let expression = try NSRegularExpression(pattern: pattern)
    let text = NSMutableString(string: self)
    let whole = NSRange(location: 0, length: text.length)
    let count = expression.replaceMatches(in: text, range: whole, withTemplate: template)
    try #require(count == 1, "\(count) of \(pattern)")
    self = text as String
  }

  fileprivate mutating func enlarge(_ pattern: String) throws {
    let match = try #require(firstMatch(of: try Regex(pattern)), "\(pattern)")
    let range = try #require(match.output[1].range)
    let size = try #require(Int(self[range]))
    replaceSubrange(range, with: "\(size + 8)")
  }
}
