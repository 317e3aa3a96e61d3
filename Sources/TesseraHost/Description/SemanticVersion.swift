/// The three numbers of a semantic version; what follows a hyphen or a plus sign is not compared.
package struct SemanticVersion: Comparable {
  let numbers: [UInt32]

  /// Reads "1.2.3", "1.2.3-beta.1" or "1.2.3+build"; nil for anything else.
  package init?(_ text: String) {
    let core = text.prefix { $0 != "-" && $0 != "+" }
    let parts = core.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        && (part.count == 1 || part.first != "0") ? UInt32(part) : nil
    }
    guard parts.count == 3, numbers.count == 3, text.utf8.count <= 255 else { return nil }
    self.numbers = numbers
  }

  var major: UInt32 { numbers[0] }

  package static func < (left: SemanticVersion, right: SemanticVersion) -> Bool {
    left.numbers.lexicographicallyPrecedes(right.numbers)
  }
}
