import CTessera
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

/// What a layout of an examination answered: its rows as the engine wrote them.
public struct LayoutRows: Equatable, Sendable {
  /// One element.
  public struct Row: Equatable, Sendable {
    /// Which element.
    public let identity: ElementIdentity
    /// Where it is.
    public let frame: Rect
    /// A number for all its other columns.
    public let others: UInt64
  }

  /// How large the content is.
  public let contentSize: Size
  /// The elements in the order of listings, as a query for all of them is answered.
  public let rows: [Row]

  /// The first difference of another answer from this one, to the last bit: what this one has, and
  /// what the other has in its place; nil where there is none.
  public func difference(from found: LayoutRows) -> (expected: String, found: String)? {
    if contentSize != found.contentSize {
      return (
        "the content size \(Value.size(contentSize))", "\(Value.size(found.contentSize))"
      )
    }
    for (mine, theirs) in zip(rows, found.rows) where !mine.isIdentical(to: theirs) {
      guard mine.identity == theirs.identity else { return (mine.name, theirs.name) }
      guard mine.frame.description != theirs.frame.description else {
        return ("\(mine.name) with the values that it has there", "it with others")
      }
      return (
        "\(mine.name) at \(mine.frame.description)", "it at \(theirs.frame.description)"
      )
    }
    guard rows.count != found.rows.count else { return nil }
    return ("\(rows.count) elements", "\(found.rows.count) elements")
  }
}

extension LayoutRows.Row {
  fileprivate func isIdentical(to other: Self) -> Bool {
    identity == other.identity && others == other.others
      && zip(frame.bits, other.frame.bits).allSatisfy { $0 == $1 }
  }

  fileprivate var name: String {
    "\(identity.kind ?? identity.category.name) \(identity.item) of section \(identity.section)"
  }
}

extension Rect {
  fileprivate var bits: [UInt64] { [x, y, width, height].map(\.bitPattern) }
  fileprivate var description: String { Value.rect(self).description }
}

extension LayoutRows {
  /// The rows of a store; elements that were added twice are both there.
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
            frame: store.frames[row], others: store.othersHash(row)))
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
  /// A number for all columns of a row but the frame.
  fileprivate func othersHash(_ row: Int) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for (_, memory, stride) in columns.dropFirst() {
      for byte in UnsafeRawBufferPointer(start: memory.base + row * stride, count: stride) {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
      }
    }
    return hash
  }
}

extension ByteWriter {
  mutating func put(_ image: LayoutRows) {
    put(image.contentSize)
    put(count: image.rows.count)
    for row in image.rows {
      put(row.identity.category.rawValue)
      put(row.identity.kind)
      put(row.identity.section)
      put(row.identity.item)
      put(row.frame)
      put(row.others)
    }
  }
}

extension ByteReader {
  mutating func layoutRows() throws(HostError) -> LayoutRows {
    let size = try size()
    var rows: [LayoutRows.Row] = []
    for _ in 0..<(try count(ofAtLeast: 61)) {
      guard let category = ElementCategory(rawValue: try int32()) else {
        throw Self.broken("holds an element of no category that there is")
      }
      let identity = ElementIdentity(
        category: category, kind: try optionalString(), section: try int(), item: try int())
      rows.append(LayoutRows.Row(identity: identity, frame: try rect(), others: try uint64()))
    }
    return LayoutRows(contentSize: size, rows: rows)
  }
}
