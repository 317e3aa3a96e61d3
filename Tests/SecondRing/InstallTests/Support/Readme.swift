import Foundation
import TestSupport
import Testing

enum Readme {
  static func block(_ language: String, of readme: String) throws -> String {
    let text = try String(
      contentsOf: BuiltProducts.repository.appendingPathComponent(readme), encoding: .utf8)
    let start = try #require(text.range(of: "\n```\(language)\n"), "\(readme) has no \(language)")
    let end = try #require(text[start.upperBound...].range(of: "\n```"))
    return String(text[start.upperBound..<end.lowerBound]) + "\n"
  }
}
