import Foundation
import TestSupport
import Testing

/// Numbers from outside pass checked arithmetic: `OutsideNumbers` finds plain operators on them.
@Suite struct OutsideNumberTests {
  /// What reads numbers of a table, a message, an engine or a program.
  private static let doors = [
    "TesseraCatalog", "TesseraRuntime", "TesseraWorker", "TesseraHost", "TesseraLibrary",
    "TesseraScenario", "tessera/Play",
  ]

  /// How many plain operators a file has on such numbers, and why they cannot trap.
  ///
  /// Replace an operator by `adding`, `times`, `upTo`, `Int(exactly:)` or `Untrusted`, rather than raising a
  /// number here.
  private static let exempt: [String: (count: Int, reason: String)] = [
    "TesseraCatalog/Cache/FailureRecord.swift": (
      5, "times are read within 2^40, and others this host's"
    ),
    "TesseraCatalog/File/ELFImage.swift": (5, "segments were checked to lie in the file"),
    "TesseraCatalog/File/LibraryFile.swift": (2, "the offset is compared before"),
    "TesseraCatalog/Values/ValueColumn.swift": (1, "the width of a type"),
    "TesseraRuntime/Chain/LayoutParts.swift": (3, accepted),
    "TesseraRuntime/Chain/OutputTable.swift": (5, accepted),
    "TesseraRuntime/Chain/SessionValues.swift": (1, "lists of sizes"),
    "TesseraRuntime/Chain/SuperTable.swift": (1, "hasRoom compares the count"),
    "TesseraRuntime/Functions/CallInterface.swift": (1, "an Int64 holds every UInt32"),
    "TesseraRuntime/Rows/ElementColumns.swift": (5, accepted),
    "TesseraRuntime/Rows/PreparedIndex.swift": (6, accepted),
    "TesseraRuntime/Rows/RectIndex.swift": (2, "the store has the rows"),
    "TesseraRuntime/Rows/RowStore.swift": (1, accepted),
    "TesseraWorker/Memory/SharedRows.swift": (4, "room is the size of the host's own memory"),
    "TesseraWorker/Process/Backtrace.swift": (1, "the segment holds the offset"),
    "TesseraWorker/Serving/LayoutServer.swift": (7, "an Int holds sums of UInt32"),
    "TesseraWorker/Serving/WorkerRights.swift": (1, "lists of folders"),
    "TesseraHost/Session/EarlierLayout.swift": (4, accepted),
    "TesseraHost/Session/SessionBatch.swift": (2, "the layouts' sections are among the session's"),
    "TesseraHost/Session/SessionLayout.swift": (2, accepted),
    "TesseraHost/Session/SessionReordering.swift": (4, "the target was compared with the counts"),
    "TesseraHost/Session/SessionSizing.swift": (1, accepted),
    "TesseraHost/Session/SessionUpdate.swift": (2, accepted),
    "TesseraHost/Update/AnimationTracks.swift": (7, accepted),
    "TesseraLibrary/ArrowExport.swift": (2, accepted),
    "TesseraLibrary/ArrowImport.swift": (6, "lengths, offsets and buffers are bounded before"),
    "TesseraLibrary/Dragging.swift": (4, "the target was compared with the counts"),
    "TesseraLibrary/Engines.swift": (2, "a function checks the limit and the size"),
    "TesseraLibrary/Query.swift": (2, "a function checks the size; a width of a type"),
    "TesseraLibrary/Session.swift": (1, "a function checks the limit"),
    "TesseraLibrary/Values.swift": (1, "extent multiplies the stride by the count"),
  ]
  /// `OutputTable` and `SharedRows` accept a run only if its end, and its section, are in range.
  private static let accepted = "the run was accepted, or the element is of one"

  @Test func numbersFromOutsidePassCheckedArithmetic() throws {
    let sources = BuiltProducts.repository.appendingPathComponent("Sources")
    var (files, unlisted) = (0, Set(Self.exempt.keys))
    for door in Self.doors {
      let folder = sources.appendingPathComponent(door)
      for case let file as String in FileManager.default.enumerator(atPath: folder.path) ?? .init()
      where file.hasSuffix(".swift") {
        files += 1
        let name = "\(door)/\(file)"
        unlisted.remove(name)
        let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
        let found = OutsideNumbers(text).found
        let expected = Self.exempt[name]?.count ?? 0
        let places = found.map { "\n  \(name):\($0.line): \($0.text)" }.joined()
        #expect(
          found.count == expected,
          "\(found.count) plain operators on numbers from outside, \(expected) are exempt:\(places)"
        )
      }
    }
    #expect(files > 150 && unlisted.isEmpty, "\(unlisted)")
  }

  // By hand: what trapped before the rule, in short, and what replaced it.
  @Test(arguments: [
    ("func f(_ count: UInt64) { let end = count + 1 }", 1),
    ("func f(_ count: UInt64) -> Int { Int(count) }", 1),
    ("func f(_ count: Int64) -> Int { Int(count) }", 0),
    ("func f(_ index: UInt32) -> Int { Int(index) }", 0),
    ("func f() { let n = schema.n_children\n for i in 0..<Int(n) { use(i) } }", 1),
    ("func f() { if let n = json.double { use(Int64(n)) } }", 1),
    ("func f() { guard let n = json.double, let i = Int(exactly: n) else { return }\n use(i) }", 0),
    ("func f() { let item = element.identity.item\n return item + 1 }", 1),
    ("func f() { let item = element.identity.item\n return item.adding(1) }", 0),
    ("func f() { let parts = text.split().map { Int($0) ?? 0 }\n let year = 2000 + parts[2] }", 1),
    ("func f() { let n = memory.load(as: Int32.self)\n let m = a ? n : 0\n use(m * 8, a * 8) }", 1),
    ("func f(_ n: UInt64) { guard n <= limit else { return }\n use(n + 1) }", 0),
    ("func f(_ n: UInt64) { guard g(n) <= limit else { return }\n use(n + 1) }", 1),
    ("func f(_ n: UInt64) { use(\"\\(n + 1) of it\" + \"n + 1\") // n + 1\n }", 1),
    ("func f(_ n: UInt64) { let n = bounded(n)\n use(n + 1) }", 1),
    ("func f(_ n: UInt64) throws { let n = try boundedCount(n)\n use(n + 1) }", 0),
    ("func f(_ n: UInt64) { let r = 0..<n; let s = n...9 }", 2),
    ("func f(_ n: UInt64) { var a = 0\n a += n\n use(n.description + \"\") }", 1),
    ("var f: Int { number.loadUnaligned(as: Int.self) - 1 }", 1),
    ("func f(n: UInt64) { g(n: 1 + 2) }\nfunc g(n: Int) { use(n + 1) }", 0),
  ])
  func operatorsAreFound(text: String, count: Int) {
    #expect(OutsideNumbers(text).found.count == count, "\(text)")
  }
}

/// Finds `+`, `-`, `*`, ranges and narrowing conversions in a Swift file whose operand is a number from outside.
///
/// It reads the text of one function at a time. A number is from outside if it is a parameter of a type with a
/// fixed width (the host's own numbers are `Int`), if it is loaded from memory, read from a text or JSON, or an
/// element's item or section; and so is what is computed from it, until a `guard` compares it with a limit or a
/// function of `checks` returns it.
private struct OutsideNumbers {
  /// The places that were found, with the operator and its operands.
  private(set) var found: [(line: Int, text: String)] = []

  private struct Token {
    let text: String
    let line: Int
    /// Whether white space comes before.
    let isApart: Bool
    let isFirstOfLine: Bool
  }

  /// The type of a number; of an integer, nil if it is unknown.
  private enum Kind: Equatable { case integer(String?), double }

  /// Functions that return a number within limits.
  private static let checks: Set<String> = [
    "boundedCount", "boundedItemCounts", "exactly", "int", "clamped", "clamping",
    "truncatingIfNeeded", "min", "adding", "times", "upTo",
    "addingReportingOverflow", "multipliedReportingOverflow", "subtractingReportingOverflow",
    "total",
  ]
  /// Members that are numbers from outside.
  private static let members = [
    "first_item": "UInt64", "firstItem": "UInt64", "n_children": "Int64", "n_buffers": "Int64",
    "null_count": "Int64",
  ]
  private static let qualifiedMembers: [String: Set<String>] = [
    "array": ["length", "offset"], "schema": ["length", "offset"], "identity": ["item", "section"],
    "path": ["item", "section"], "target": ["item", "section"],
  ]
  private static let loads: Set<String> = ["load", "loadUnaligned"]
  private static let doubles: Set<String> = ["double", "plainNumber", "decimal", "rounded"]
  /// Parameters of these types come from outside.
  private static let fixedWidth: Set<String> = [
    "UInt64", "Int64", "UInt32", "Int32", "UInt16", "Int16",
  ]
  private static let integers = fixedWidth.union(["Int", "UInt", "UInt8", "Int8"])
  /// The types that hold every number of a type.
  private static let wider: [String: Set<String>] = [
    "UInt64": ["UInt64"], "Int64": ["Int64", "Int"], "Int": ["Int64", "Int"],
    "UInt32": ["UInt32", "Int64", "UInt64", "Int", "UInt"], "Int32": ["Int32", "Int64", "Int"],
    "UInt16": ["UInt16", "UInt32", "Int32", "Int64", "UInt64", "Int", "UInt"],
    "Int16": ["Int16", "Int32", "Int64", "Int"], "Int8": ["Int16", "Int32", "Int64", "Int"],
    "UInt8": ["UInt16", "Int16", "UInt32", "Int32", "Int64", "UInt64", "Int", "UInt"],
  ]
  private static let sums: Set<String> = ["+", "-", "*", "+=", "-=", "*="]
  private static let ranges: Set<String> = ["..<", "..."]
  private static let comparisons: Set<String> = ["<", "<=", ">", ">=", "==", "~="]

  private var tokens: [Token] = []
  /// The place of the bracket that belongs to each.
  private var partners: [Int: Int] = [:]

  init(_ source: String) {
    tokens = Self.tokens(of: Array(source.utf8))
    var open: [Int] = []
    for (place, token) in tokens.enumerated() {
      if ["(", "[", "{"].contains(token.text) {
        open.append(place)
      } else if [")", "]", "}"].contains(token.text), let start = open.popLast() {
        (partners[start], partners[place]) = (place, start)
      }
    }
    for place in tokens.indices {
      if let (names, body) = function(at: place) { search(body, names) }
    }
    var seen: Set<Int> = []
    found = hits.sorted { $0.0 < $1.0 }.filter { seen.insert($0.0).inserted }
      .map { (tokens[$0.0].line, $0.1) }
  }

  private var hits: [(Int, String)] = []

  // MARK: Functions

  /// The parameters from outside and the body of the function or property whose keyword is at a place.
  private func function(at place: Int) -> (names: [String: Kind], body: Range<Int>)? {
    var names: [String: Kind] = [:]
    var next = place + 1
    switch tokens[place].text {
    case "func", "init", "subscript":
      while next < tokens.count, tokens[next].text != "(" {
        guard !["{", "}", ".", "="].contains(tokens[next].text) || next == place + 1 else {
          return nil
        }
        next += 1
      }
      guard next < tokens.count, let end = partners[next] else { return nil }
      for place in next..<end where tokens[place].text == ":" {
        var type = place + 1
        if tokens[type].text == "inout" { type += 1 }
        guard tokens[type + 1].text != "." else { continue }
        if Self.fixedWidth.contains(tokens[type].text), tokens[place - 1].text != "descriptor" {
          names[tokens[place - 1].text] = .integer(tokens[type].text)
        }
      }
      next = end + 1
    case "var": break
    default: return nil
    }
    // A declaration without a body ends before the next one begins.
    while next < tokens.count, tokens[next].text != "{" {
      guard !["func", "var", "let", "case", "init", "}", "="].contains(tokens[next].text) else {
        return nil
      }
      next += 1
    }
    guard next < tokens.count, let end = partners[next] else { return nil }
    return (names, next + 1..<end)
  }

  private mutating func search(_ body: Range<Int>, _ parameters: [String: Kind]) {
    var names = parameters
    // Names that a guard compares count as checked after it.
    var checked: [(from: Int, name: String)] = []
    for place in body {
      while let first = checked.first, first.from <= place {
        names[first.name] = nil
        checked.removeFirst()
      }
      let text = tokens[place].text
      if text == "let" || text == "var" {
        bind(place, &names)
      } else if text == "for" {
        bindElements(place, &names)
      } else if text == "guard" {
        let end = conditionEnd(place)
        for name in comparedNames(place..<end) { checked.append((end, name)) }
      } else if Self.sums.contains(text), isBinary(place) {
        let (left, right) = (leftOperand(place), rightOperand(place))
        if tokens[left].contains(where: { $0.text == "\"\"" })
          || tokens[right].first?.text == "\"\""
        {
          continue
        }
        if [left, right].contains(where: { ![nil, .double].contains(kind(of: $0, names)) }) {
          note(place, left.lowerBound..<right.upperBound)
        }
      } else if Self.ranges.contains(text) {
        let (left, right) = (leftOperand(place), rightOperand(place))
        if [left, right].contains(where: { kind(of: $0, names) != nil }) {
          note(place, left.lowerBound..<right.upperBound)
        }
      } else if Self.integers.contains(text), place + 1 < body.upperBound,
        tokens[place + 1].text == "(", place == 0 || tokens[place - 1].text != ".",
        let end = partners[place + 1]
      {
        let argument = place + 2..<end
        guard argument.isEmpty || tokens[argument.lowerBound + 1].text != ":",
          let kind = kind(of: argument, names)
        else { continue }
        if case .integer(let type?) = kind, Self.wider[type]?.contains(text) == true { continue }
        note(place, place..<end + 1)
      }
    }
  }

  private mutating func note(_ place: Int, _ shown: Range<Int>) {
    hits.append((place, tokens[shown].map(\.text).joined(separator: " ")))
  }

  // MARK: Names

  /// Takes over what `let` or `var` binds.
  private func bind(_ place: Int, _ names: inout [String: Kind]) {
    var next = place + 1
    var bound: [String] = []
    while next < tokens.count, tokens[next].text != "=" {
      let text = tokens[next].text
      guard !["{", "}", "let", "var", "func"].contains(text) else { break }
      if text == ":" {
        // The type.
        while next + 1 < tokens.count, tokens[next + 1].text != "=",
          !tokens[next + 1].isFirstOfLine,
          tokens[next + 1].text != "{"
        {
          next += 1
        }
      } else if isName(text) {
        bound.append(text)
      }
      next += 1
      if next < tokens.count, tokens[next].isFirstOfLine, tokens[next].text != "=" { break }
    }
    guard next < tokens.count, !bound.isEmpty else { return }
    let isCondition =
      place > 0 && ["if", "guard", "while", ",", "case"].contains(tokens[place - 1].text)
    guard tokens[next].text == "=" else {
      // `if let name`, of the name outside.
      return
    }
    let value = next + 1..<valueEnd(next + 1, isCondition: isCondition)
    let kind = kind(of: value, names)
    for name in bound { names[name] = kind }
  }

  /// Takes over the elements that a loop visits.
  private func bindElements(_ place: Int, _ names: inout [String: Kind]) {
    guard
      let start = (place..<min(place + 24, tokens.count)).first(where: { tokens[$0].text == "in" })
    else { return }
    let kind = kind(of: start + 1..<valueEnd(start + 1, isCondition: true), names)
    for name in tokens[place + 1..<start].map(\.text) where isName(name) { names[name] = kind }
  }

  /// What a part of an expression is, if it is from outside.
  private func kind(of part: Range<Int>, _ names: [String: Kind]) -> Kind? {
    var result: Kind?
    func add(_ kind: Kind) {
      result = result == nil || result == .double || result == kind ? kind : .integer(nil)
    }
    for place in part {
      let text = tokens[place].text
      let before = place > 0 ? tokens[place - 1].text : ""
      let after = place + 1 < tokens.count ? tokens[place + 1].text : ""
      if Self.checks.contains(text), ["(", ":"].contains(after) || before == "." { return nil }
      if before == "." {
        let owner = place > 1 ? tokens[place - 2].text : ""
        if let type = Self.members[text] { add(.integer(type)) }
        if Self.qualifiedMembers[owner]?.contains(text) == true {
          add(.integer(["array", "schema"].contains(owner) ? "Int64" : "Int"))
        }
        if Self.doubles.contains(text), result == nil { result = .double }
        if Self.loads.contains(text) {
          let type = (place..<min(place + 12, part.upperBound)).first {
            tokens[$0].text == "as" && tokens[$0 + 1].text == ":"
          }.map { tokens[$0 + 2].text }
          if type == "Double" {
            result = result ?? .double
          } else if type == nil || Self.integers.contains(type!) {
            add(.integer(type))
          }
        }
      } else if let kind = names[text], after != "(", after != ":" || tokens[place + 1].isApart,
        after != "." || tokens[place + 2].text != "count"
      {
        if kind == .double { result = result ?? .double } else { add(kind) }
      } else if Self.integers.contains(text), after == "(", place + 3 < tokens.count,
        ["$0", "text", "digits", "word"].contains(tokens[place + 2].text),
        tokens[place + 3].text == ")"
      {
        add(.integer(text))
      }
    }
    return result
  }

  /// The names that a condition compares as they are.
  private func comparedNames(_ condition: Range<Int>) -> [String] {
    condition.flatMap { place -> [String] in
      if Self.comparisons.contains(tokens[place].text) {
        return [leftOperand(place), rightOperand(place)].compactMap {
          $0.count == 1 ? tokens[$0.lowerBound].text : nil
        }
      }
      guard tokens[place].text == "contains", let end = partners[place + 1], end == place + 3 else {
        return []
      }
      return [tokens[place + 2].text]
    }
  }

  // MARK: Expressions

  private func isName(_ text: String) -> Bool {
    text.first.map { $0.isLetter || $0 == "_" || $0 == "$" } ?? false
  }

  private func isBinary(_ place: Int) -> Bool {
    tokens[place].isApart && place + 1 < tokens.count && tokens[place + 1].isApart
  }

  private func leftOperand(_ place: Int) -> Range<Int> {
    var start = place
    while start > 0 {
      if start < place, tokens[start].isApart { break }
      let text = tokens[start - 1].text
      if [")", "]"].contains(text), let open = partners[start - 1] {
        start = open
      } else if isName(text) || text.first?.isNumber == true
        || [".", "?", "!", "\"\""].contains(text)
      {
        start -= 1
      } else {
        break
      }
    }
    return start..<place
  }

  private func rightOperand(_ place: Int) -> Range<Int> {
    var end = place + 1
    while end < tokens.count {
      let text = tokens[end].text
      if end > place + 1, tokens[end].isApart { break }
      if ["(", "["].contains(text), let close = partners[end] {
        end = close + 1
      } else if isName(text) || text.first?.isNumber == true
        || [".", "?", "!", "\"\"", "-"].contains(text)
      {
        end += 1
      } else {
        break
      }
    }
    return place + 1..<end
  }

  /// Where the value that begins at a place ends.
  ///
  /// - Parameter isCondition: Whether a brace ends it.
  private func valueEnd(_ place: Int, isCondition: Bool) -> Int {
    let joining: Set<String> = [
      ".", "?", ":", "&&", "||", "+", "-", "*", "/", "??", "%", "&", "|", "=", ",", "(", "[", "&+",
      "&*", "<<", ">>", "...", "..<",
    ]
    var end = place
    while end < tokens.count {
      let token = tokens[end]
      if [")", "]", "}", ",", ";", "else"].contains(token.text) { break }
      if token.isFirstOfLine, end > place, !joining.contains(token.text),
        !joining.contains(tokens[end - 1].text)
      {
        break
      }
      if token.text == "{", isCondition { break }
      end = ["(", "[", "{"].contains(token.text) ? (partners[end] ?? end) + 1 : end + 1
    }
    return min(end, tokens.count)
  }

  /// Where the `else` of the guard at a place is.
  private func conditionEnd(_ place: Int) -> Int {
    var end = place
    while end < tokens.count, tokens[end].text != "else" {
      end = ["(", "[", "{"].contains(tokens[end].text) ? (partners[end] ?? end) + 1 : end + 1
    }
    return min(end, tokens.count)
  }

  // MARK: Text

  private static func tokens(of source: [UInt8]) -> [Token] {
    var scanner = Scanner(source)
    scanner.code(untilParenthesis: false)
    return scanner.tokens
  }

  /// Divides a source into names, numbers, operators and brackets; a text is `""`, and what is interpolated in
  /// it follows in parentheses.
  private struct Scanner {
    let bytes: [UInt8]
    var tokens: [Token] = []
    private var position = 0
    private var line = 1
    private var isApart = true
    private var isFirst = true

    init(_ bytes: [UInt8]) { self.bytes = bytes + Array(repeating: 0, count: 4) }

    private func has(_ text: StaticString) -> Bool {
      let count = text.utf8CodeUnitCount
      guard position + count <= bytes.count else { return false }
      return (0..<count).allSatisfy { bytes[position + $0] == text.utf8Start[$0] }
    }

    private mutating func add(_ text: String) {
      tokens.append(Token(text: text, line: line, isApart: isApart, isFirstOfLine: isFirst))
      (isApart, isFirst) = (false, false)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
        true
      default: false
      }
    }

    mutating func code(untilParenthesis: Bool) {
      var depth = 0
      let operators = Set("+-*/%&|<>=!~^?.".utf8)
      while position < bytes.count - 4 {
        let byte = bytes[position]
        if has("//") {
          while bytes[position] != 0x0A, bytes[position] != 0 { position += 1 }
        } else if has("\"\"\"") {
          position += 3
          text("\"\"\"")
        } else if byte == UInt8(ascii: "\"") {
          position += 1
          text("\"")
        } else if byte == 0x0A || byte == 0x20 {
          if byte == 0x0A {
            line += 1
            isFirst = true
          }
          isApart = true
          position += 1
        } else if Self.isWord(byte) {
          let start = position
          while Self.isWord(bytes[position]) { position += 1 }
          add(String(decoding: bytes[start..<position], as: UTF8.self))
        } else if operators.contains(byte) {
          let start = position
          // A member's point, and the marks of an optional, are no part of an operator.
          let isAlone =
            byte == UInt8(ascii: ".") && !has("..") || byte == UInt8(ascii: "?") && !has("??")
          position += 1
          while !isAlone, operators.contains(bytes[position]),
            !has(".") || byte == UInt8(ascii: ".")
          {
            position += 1
          }
          add(String(decoding: bytes[start..<position], as: UTF8.self))
        } else {
          if byte == UInt8(ascii: "(") { depth += 1 }
          if byte == UInt8(ascii: ")") {
            depth -= 1
            if depth < 0, untilParenthesis { return }
          }
          add(String(decoding: [byte], as: UTF8.self))
          position += 1
        }
      }
    }

    private mutating func text(_ quote: StaticString) {
      add("\"\"")
      while position < bytes.count - 4, !has(quote) {
        if has("\\(") {
          position += 2
          // A part of the text.
          isApart = false
          add("(")
          code(untilParenthesis: true)
          isApart = false
          add(")")
        } else if has("\\") {
          position += 1
        }
        if bytes[position] == 0x0A { line += 1 }
        position += 1
      }
      position += quote.utf8CodeUnitCount
    }
  }
}
