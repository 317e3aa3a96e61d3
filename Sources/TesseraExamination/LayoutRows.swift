import CTessera
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

/// The rows of a layout of an examination, as the engine wrote them.
public struct LayoutRows: Equatable, Sendable {
  /// One element.
  public struct Row: Equatable, Sendable {
    /// The element.
    public let identity: ElementIdentity
    /// The frame.
    public let frame: Rect
    /// A hash of all other columns.
    public let columnsHash: UInt64
  }

  /// The content size.
  public let contentSize: Size
  /// The elements in the order of query results.
  public let rows: [Row]

  /// The first difference of another layout from this one: what this one has, and what the other
  /// has in its place.
  ///
  /// Numbers are compared bit by bit. Nil if the layouts are identical.
  public func difference(from found: LayoutRows) -> (expected: String, found: String)? {
    if contentSize != found.contentSize {
      return (
        "the content size \(Value.size(contentSize))", "\(Value.size(found.contentSize))"
      )
    }
    for (mine, theirs) in zip(rows, found.rows) where !mine.isIdentical(to: theirs) {
      guard mine.identity == theirs.identity else {
        return ("\(mine.identity)", "\(theirs.identity)")
      }
      guard mine.frame.description != theirs.frame.description else {
        return ("the same values of \(mine.identity)", "different values of \(mine.identity)")
      }
      return (
        "\(mine.identity) at \(mine.frame.description)",
        "\(theirs.identity) at \(theirs.frame.description)"
      )
    }
    guard rows.count != found.rows.count else { return nil }
    return ("\(rows.count) elements", "\(found.rows.count) elements")
  }
}

extension LayoutRows.Row {
  fileprivate func isIdentical(to other: Self) -> Bool {
    identity == other.identity && columnsHash == other.columnsHash
      && zip(frame.bits, other.frame.bits).allSatisfy { $0 == $1 }
  }

}

extension Rect {
  fileprivate var bits: [UInt64] { [x, y, width, height].map(\.bitPattern) }
  fileprivate var description: String { Value.rect(self).description }
}

extension LayoutRows {
  /// The rows of a store; an element that was added twice occurs twice.
  init(_ store: RowStore, _ numbering: Numbering, contentSize: Size) {
    var rows: [Row] = []
    for run in store.runs.sorted(by: { $0.isListed(before: $1) }) {
      for index in 0..<run.count {
        let row = run.row + index
        rows.append(
          Row(
            identity: ElementIdentity(
              category: run.category,
              kind: run.category == .cell ? nil : numbering.kinds[Int(run.kind)].name,
              section: Int(run.section), item: Int(run.firstItem) + index),
            frame: store.frames[row], columnsHash: store.columnsHash(row)))
      }
    }
    self.init(contentSize: contentSize, rows: rows)
  }
}

extension Run {
  fileprivate func isListed(before other: Run) -> Bool {
    (section, UInt32(bitPattern: category.rawValue), kind, firstItem)
      < (other.section, UInt32(bitPattern: other.category.rawValue), other.kind, other.firstItem)
  }
}

extension RowStore {
  /// A hash of all columns of a row except the frame.
  fileprivate func columnsHash(_ row: Int) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for (_, base, stride) in columns.dropFirst() {
      for byte in UnsafeRawBufferPointer(start: base + row * stride, count: stride) {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
      }
    }
    return hash
  }
}

extension LayoutRows: FieldCodable {
  package static let fields = Fields(
    LayoutRows.init(contentSize:rows:), \.contentSize, \.rows)
}

extension LayoutRows.Row: FieldCodable {
  package static let fields = Fields(LayoutRows.Row.init, \.identity, \.frame, \.columnsHash)
}

extension ElementIdentity: FieldCodable {
  package static let fields = Fields(
    ElementIdentity.init(category:kind:section:item:), \.category, \.kind, \.section, \.item)

  package static func read(from reader: inout ByteReader) throws(HostError) -> ElementIdentity {
    let identity = try fields.decode(&reader)
    _ = try Foreign(identity.section).int(in: 0..<Int(UInt32.max), "section")
    _ = try Foreign(identity.item).int(in: 0..<Int.max, "item")
    return identity
  }
}
