import Foundation
import TestSupport

struct HostFunction {
  let name: String
  let result: String
  let parameters: [String]

  /// Type of the handle argument, without prefix; nil if none.
  var handle: String? {
    parameters.first?.firstMatch(of: /^(?:const )?tessera_(engines|session|moment) \*$/)
      .map { String($0.output.1) }
  }
}

enum HostHeader {
  static let path = "\(Prefix.headers)/tessera/tessera_host.h"

  static func declarations() throws -> String {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      .map { String($0.replacing(/\/\/.*/, with: "")) }.joined(separator: "\n")
  }

  /// Declarations start a line, end with ");" and are not typedefs.
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
