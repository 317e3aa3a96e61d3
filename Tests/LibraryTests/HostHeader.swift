import Foundation
import TestSupport

/// A function that `tessera_host.h` declares.
struct HostFunction {
  let name: String
  /// The type of the result.
  let result: String
  /// The type of each parameter.
  let parameters: [String]

  /// The type of the handle that the function takes first, without its prefix; nil for none.
  var handle: String? {
    parameters.first?.firstMatch(of: /^(?:const )?tessera_(engines|session|moment) \*$/)
      .map { String($0.output.1) }
  }
}

/// The header of libtessera.
enum HostHeader {
  static let path = "\(Prefix.headers)/tessera/tessera_host.h"

  /// The header without its comments.
  static func declarations() throws -> String {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      .map { String($0.replacing(/\/\/.*/, with: "")) }.joined(separator: "\n")
  }

  /// The functions, in their order.
  ///
  /// A declaration is at the start of a line, ends with ");" and is none of a type.
  static func functions() throws -> [HostFunction] {
    try declarations().matches(of: /(?m)^(?!typedef|#)(\w[\w *]*?)\b(tessera_\w+)\(([^()]*)\);/)
      .map { match in
        let parameters = match.output.3.split(separator: ",").map { parameter in
          parameter.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            .replacing(/\w+$/, with: "").trimmingCharacters(in: .whitespaces)
        }
        return HostFunction(
          name: String(match.output.2),
          result: match.output.1.trimmingCharacters(in: .whitespaces),
          parameters: parameters.filter { !$0.isEmpty && $0 != "void" })
      }
  }
}
