import CTessera
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

/// The rows of a layout as the engine wrote them, perhaps with the answers to other calls.
package struct LayoutRows: Equatable, Sendable {
  package struct Row: Equatable, Sendable {
    let identity: ElementIdentity
    let frame: Rect
    /// A hash for each other column.
    let columns: [UInt64]
  }

  let contentSize: Size
  /// Without the frame.
  let columnNames: [String]
  /// In the order of query results.
  let rows: [Row]
  var answers: [String] = []

  /// The first difference, compared bit by bit; nil if identical.
  package func difference(from found: LayoutRows) -> (expected: String, found: String)? {
    if contentSize != found.contentSize {
      return ("the content size \(Value.size(contentSize))", "\(Value.size(found.contentSize))")
    }
    for (mine, theirs) in zip(rows, found.rows) where !mine.isIdentical(to: theirs) {
      guard mine.identity == theirs.identity else {
        return ("\(mine.identity)", "\(theirs.identity)")
      }
      guard mine.frame.bits != theirs.frame.bits else {
        let place = zip(mine.columns, theirs.columns).enumerated().first { $1.0 != $1.1 }?.offset
        let column = place.flatMap { columnNames.dropFirst($0).first } ?? "columns"
        return (
          "the same \(column) of \(mine.identity)", "a different \(column) of \(mine.identity)"
        )
      }
      return (
        "\(mine.identity) at \(mine.frame.description)",
        "\(theirs.identity) at \(theirs.frame.description)"
      )
    }
    guard rows.count == found.rows.count else {
      return ("\(rows.count) elements", "\(found.rows.count) elements")
    }
    return zip(answers, found.answers).first { $0 != $1 }.map { ($0, $1) }
  }

  /// "FOUND instead of EXPECTED"; nil if identical.
  func change(to found: LayoutRows) -> String? {
    difference(from: found).map { "\($0.found) instead of \($0.expected)" }
  }
}

extension LayoutRows.Row {
  fileprivate func isIdentical(to other: Self) -> Bool {
    identity == other.identity && columns == other.columns && frame.bits == other.frame.bits
  }
}

extension Rect {
  fileprivate var bits: [UInt64] { [x, y, width, height].map(\.bitPattern) }

  /// Shows the sign of -0.
  fileprivate var description: String {
    [x, y, width, height].map { $0 == 0 && $0.sign == .minus ? "-0" : $0.shortText }
      .joined(separator: ",")
  }
}

extension LayoutRows {
  init(_ store: RowStore, _ numbering: ChainNumbers, contentSize: Size) {
    var rows: [Row] = []
    let columns = store.columns(numbering)
    for run in store.runs.sorted(by: { $0.isListed(before: $1) }) {
      for index in 0..<run.count {
        let row = run.row + index
        rows.append(
          Row(
            identity: ElementIdentity(
              category: run.category,
              kind: run.category == .cell ? nil : numbering.kinds[Int(run.kind)].name,
              section: Int(run.section), item: Int(run.firstItem) + index),
            frame: store.frames[row],
            columns: columns.dropFirst().map { Self.hash(of: $0.base + row * $0.stride, $0.stride) }
          ))
      }
    }
    self.init(contentSize: contentSize, columnNames: columns.dropFirst().map(\.name), rows: rows)
  }
}

extension Run {
  fileprivate func isListed(before other: Run) -> Bool {
    (section, UInt32(bitPattern: category.rawValue), kind, firstItem)
      < (other.section, UInt32(bitPattern: other.category.rawValue), other.kind, other.firstItem)
  }
}

extension LayoutRows {
  private static func hash(of value: UnsafeMutableRawPointer, _ byteCount: Int) -> UInt64 {
    UnsafeRawBufferPointer(start: value, count: byteCount).reduce(0xcbf2_9ce4_8422_2325) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
  }
}

extension LayoutRows: FieldCodable {
  package static let fields = Fields(
    LayoutRows.init(contentSize:columnNames:rows:answers:), \.contentSize, \.columnNames, \.rows,
    \.answers)
}

extension LayoutRows.Row: FieldCodable {
  package static let fields = Fields(LayoutRows.Row.init, \.identity, \.frame, \.columns)
}

extension ElementIdentity: FieldCodable {
  package static let fields = Fields(
    ElementIdentity.init(category:kind:section:item:), \.category, \.kind, \.section, \.item)

  package static func read(from reader: inout ByteReader) throws(HostError) -> ElementIdentity {
    let identity = try fields.decode(&reader)
    _ = try Untrusted(identity.section).int(in: 0..<Int(UInt32.max), "section")
    _ = try Untrusted(identity.item).int(in: 0..<Int.max, "item")
    return identity
  }
}
