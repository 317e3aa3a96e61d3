import TesseraHost

/// All cases there are, in the order of reports: by category, then as each family lists them.
public enum Catalogue {
  /// The families; a new one is a file in Families and a line here.
  private static let families: [[ConformanceCase]] = [
    libraryCases, processCases, descriptorCases, lifecycleCases, geometryCases, queryCases,
    boundsCases, countCases, parameterCases, delegateCases, memoryCases, updateCases, scalingCases,
    lawCases,
  ]

  /// Every case.
  public static let cases: [ConformanceCase] = families.flatMap(\.self)

  /// The cases up to a level whose id or category matches one of some patterns; `*` stands for
  /// anything.
  ///
  /// No patterns: all.
  ///
  /// - Throws: `.invalidInput` for a pattern that matches no case at any level.
  public static func cases(
    upTo level: CaseLevel, matching patterns: [String] = []
  ) throws(HostError) -> [ConformanceCase] {
    for pattern in patterns where !cases.contains(where: { $0.matches(pattern) }) {
      let names = CaseCategory.allCases.map(\.rawValue) + cases.map(\.id)
      let near = Suggestion.near(pattern, among: names).first.map { "did you mean \($0)?" }
      throw HostError(
        .invalidInput,
        "no case and no category matches \"\(pattern)\"; \(near ?? "--list shows all cases")")
    }
    return cases.filter { candidate in
      // Who names a case outright wants it, whatever its level.
      patterns.contains(candidate.id)
        || candidate.level <= level
          && (patterns.isEmpty || patterns.contains { candidate.matches($0) })
    }
  }
}

extension ConformanceCase {
  /// Whether a pattern is the category's name, or matches the id with `*` standing for anything.
  func matches(_ pattern: String) -> Bool {
    pattern == category.rawValue || Glob(pattern).matches(id)
  }
}

/// A pattern in which `*` stands for any text, none too.
struct Glob {
  private let parts: [Substring]

  init(_ pattern: String) {
    parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
  }

  func matches(_ text: String) -> Bool {
    guard let first = parts.first, let last = parts.last, text.hasPrefix(first) else {
      return false
    }
    guard parts.count > 1 else { return text == first }
    var rest = text.dropFirst(first.count)
    guard rest.hasSuffix(last), rest.count >= last.count else { return false }
    rest = rest.dropLast(last.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return true
  }
}
