import TesseraCatalog

/// Parts of sentences, as all messages of Tessera have them.
public enum Phrase {
  /// The text in quotation marks, cut if it is long.
  public static func quoted(_ text: String) -> String { TesseraCatalog.quoted(text) }

  /// "1 item" or "3 items".
  public static func counted(_ count: Int, _ noun: String) -> String {
    TesseraCatalog.counted(count, noun)
  }

  /// "a, b and c".
  public static func list(_ names: [String], _ conjunction: String = "and") -> String {
    TesseraCatalog.list(names, conjunction)
  }
}
