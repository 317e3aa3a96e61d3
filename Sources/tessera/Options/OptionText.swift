import TesseraHost
import TesseraScenario

/// Texts of the command line as the JSON that a scenario file would hold for them, so that the
/// scenario's own reader checks them and says what is wrong.
enum OptionText {
  /// A number where the text is one, else the text, which the reader then refuses.
  static func number(_ text: some StringProtocol) -> JSONValue {
    guard let number = Double(text), number.isFinite else { return .string(String(text)) }
    return .number(number)
  }

  /// Numbers between commas; a size also as 375x667.
  static func vector(_ text: String) -> JSONValue {
    let separator: Character = text.contains(",") ? "," : "x"
    return .array(text.split(separator: separator, omittingEmptySubsequences: false).map(number))
  }

  /// Item counts between commas.
  static func sections(_ text: String) -> JSONValue {
    .array(
      text.split(separator: ",", omittingEmptySubsequences: false).map {
        .object(["items": number($0)])
      })
  }

  /// Settings from texts such as "name=value" after an option; of two with one name the last counts.
  static func settings(_ option: String, _ texts: [String]) throws -> [String: Setting] {
    var settings: [String: Setting] = [:]
    for text in texts {
      guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
        throw HostError(.invalidInput, "\(option) is \"\(text)\"; expected name=value")
      }
      let name = String(text[..<equals])
      settings[name] = Setting(
        text: String(text[text.index(after: equals)...]), source: "\(option) \(name)")
    }
    return settings
  }

  /// A text in quotes, short enough for one line of an error, without what a terminal would obey.
  static func quoted(_ text: String) -> String {
    var shown = String.UnicodeScalarView()
    for scalar in text.prefix(64).unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: shown.append(" ")
      default: shown.append(scalar)
      }
    }
    return "\"\(String(shown))\(text.count > 64 ? "…" : "")\""
  }
}
