import Glibc

/// Texts that a program in C reads, each kept once and at one place.
struct TextStore: ~Copyable {
  private var texts: [String: UnsafeMutablePointer<CChar>] = [:]

  deinit { for text in texts.values { free(text) } }

  /// A text that ends with a zero byte; valid as long as this store, null where memory is short.
  mutating func pointer(to text: String) -> UnsafePointer<CChar>? {
    if let known = texts[text] { return UnsafePointer(known) }
    guard let copy = strdup(text) else { return nil }
    texts[text] = copy
    return UnsafePointer(copy)
  }

  /// The same for a text that may be missing.
  mutating func pointer(to text: String?) -> UnsafePointer<CChar>? {
    text.flatMap { pointer(to: $0) }
  }
}

/// Texts that are never freed, so that whoever has none of his own can be given one.
enum FixedText {
  /// A text of the program itself.
  static func pointer(_ text: StaticString) -> UnsafePointer<CChar> {
    UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
