import Foundation
import TesseraHost

/// The licences that a project can have: the texts in a folder, each named as SPDX names it.
struct Licences {
  let folder: String

  /// What is given for a project without a licence.
  static let none = "none"

  /// The names to choose from.
  func names() throws -> [String] {
    try TemplateFolder(folder).files().keys.sorted() + [Self.none]
  }

  /// The text of a licence, with Example Author and YEAR where those belong; nil for none.
  func text(of name: String) throws -> String? {
    let names = try names()
    guard names.contains(name) else {
      throw CommandFailure(
        .data, "there is no licence \(OptionText.quoted(name)) to give; \(hint(name, names))")
    }
    return name == Self.none
      ? nil : try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
  }

  private func hint(_ name: String, _ names: [String]) -> String {
    if let near = Suggestion.near(String(name.prefix(100)), among: names).first {
      return "did you mean \(near)?"
    }
    return "expected \(names.dropLast().joined(separator: ", ")) or \(names.last ?? Self.none)"
  }
}
