import TesseraCommand
import TesseraHost

struct ProjectName: Equatable {
  private let words: [String]

  static let limit = 60

  /// Accepts brick-wall, brick_wall, BrickWall, Brick wall.
  init(_ text: String) throws {
    guard let first = text.utf8.first, Self.isLetter(first), text.utf8.count <= Self.limit,
      text.utf8.allSatisfy({ Self.isLetter($0) || Self.isDigit($0) || Self.separators.contains($0) }
      )
    else {
      throw HostError(
        .invalidValue,
        "the name is \(quoted(text)); expected at most \(Self.limit) letters from a to "
          + "z, digits and hyphens, a letter first, such as brick-wall")
    }
    var words: [String] = [""]
    var previous: UInt8 = 0
    for byte in text.utf8 {
      let isSeparator = Self.separators.contains(byte)
      if isSeparator || (Self.isUpper(byte) && !Self.isUpper(previous)) { words.append("") }
      if !isSeparator { words[words.count - 1].unicodeScalars.append(Unicode.Scalar(byte | 0x20)) }
      previous = byte
    }
    self.words = words.filter { !$0.isEmpty }
  }

  /// For folders, files and ids.
  var kebab: String { words.joined(separator: "-") }

  var title: String { words.map(\.capitalizedFirst).joined(separator: " ") }

  /// For types and modules: ClassLayout.
  var type: String { words.map(\.capitalizedFirst).joined() + (isReserved ? "Layout" : "") }

  /// For C++ and Rust.
  var identifier: String { words.joined(separator: "_") + (isReserved ? "_layout" : "") }

  private var isReserved: Bool {
    let joined = words.joined()
    return joined.hasPrefix("tessera") || Self.reserved.contains(joined)
  }

  private static let separators = Set("-_ ".utf8)
  private static func isUpper(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }
  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension ProjectName {
  /// Keywords, and names in an engine's source; lower case without separators.
  private static let reserved = Set(
    [cAndCpp, rust, swift, modules, vocabulary].flatMap { $0.split(separator: " ") }
  )
  .reduce(into: Set<String>()) { $0.insert(String($1)) }

  private static let cAndCpp = """
    alignas alignof and andeq asm auto bitand bitor bool break case catch char class compl concept \
    const consteval constexpr constinit continue default delete do double else enum explicit export \
    extern false float for friend goto if inline int long mutable namespace new noexcept not noteq \
    nullptr operator or oreq private protected public register reinterpretcast requires restrict \
    return short signed sizeof static staticassert staticcast struct switch template this throw true \
    try typedef typeid typename union unsigned using virtual void volatile while xor xoreq main std \
    linux unix
    """
  private static let rust = """
    abstract as async await become box crate dyn final fn gen impl in let loop macro match mod move \
    mut override priv pub ref self super trait type typeof unsafe unsized use where yield core alloc \
    test err none ok option result some vec
    """
  private static let swift = """
    actor any array character date dictionary error extension func guard import init never \
    nil optional package protocol set string subscript substring task uint url var
    """
  private static let modules = """
    cdispatch dispatch distributed foundation glibc observation regexbuilder swift swiftshims \
    synchronization testing xctest
    """
  private static let vocabulary = """
    attribute attributes base baseengine change choice choices column columns declare declaration \
    engine engineidentity failure host identity inherited input insets itemvalues kind layout \
    layoutfailure output parameter parameters place point prepare preparing preparinglayout rect rows \
    run sectionvalues size status traits transform value
    """
}
