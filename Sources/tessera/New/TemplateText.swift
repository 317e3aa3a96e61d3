/// Texts of a template with its names exchanged for others.
struct TemplateText {
  /// What stands for a name in a template, the longer of two that begin alike first.
  private let replacements: [(old: [UInt8], new: [UInt8])]

  init(_ replacements: [String: String]) {
    self.replacements = replacements.map { (Array($0.utf8), Array($1.utf8)) }
      .sorted { $0.0.count > $1.0.count }
  }

  /// The bytes with every name exchanged once: what comes in is not looked at again.
  ///
  /// - Complexity: O(*n*·*m*) for *n* bytes and *m* names.
  func replaced(_ bytes: [UInt8]) -> [UInt8] {
    let beginnings = Set(replacements.compactMap(\.old.first))
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var rest = bytes[...]
    while let byte = rest.first {
      if beginnings.contains(byte),
        let found = replacements.first(where: { rest.starts(with: $0.old) })
      {
        result += found.new
        rest = rest.dropFirst(found.old.count)
      } else {
        result.append(byte)
        rest = rest.dropFirst()
      }
    }
    return result
  }

  /// The text with every name exchanged once.
  func replaced(_ text: String) -> String {
    String(decoding: replaced(Array(text.utf8)), as: UTF8.self)
  }
}
