extension Listing {
  /// Why an engine of a name may be missing: a refused file that is named like it, else what may not
  /// be loaded; nil where neither was met.
  ///
  /// A refused library is not asked what it holds, so its file's name is all there is to go by.
  ///
  /// - Parameter name: An engine's id or the last part of one.
  func refusal(hiding name: String) -> Refusal? {
    let wanted = Self.letters(name.split(separator: ".").last ?? "")
    guard !wanted.isEmpty else { return nil }
    let named = refused.filter { refusal in
      let file = refusal.file.split(separator: "/").last ?? ""
      return file.hasSuffix(".so") && Self.letters(file.dropLast(3)).hasSuffix(wanted)
    }
    return named.min { $0.file.utf8.count < $1.file.utf8.count }
      ?? refused.first { $0.kind == .notAllowed }
  }

  private static func letters(_ text: some StringProtocol) -> String {
    text.lowercased().filter { $0.isLetter || $0.isNumber }
  }
}
