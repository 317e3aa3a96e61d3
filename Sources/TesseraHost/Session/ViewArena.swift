import CTessera
import TesseraGeometry

/// The `tessera_rows` that an engine is shown: each stays where it is until the call returns.
final class ViewArena {
  private static let chunk = 256
  private let attributeNumbers: [Int]
  private var rows: [UnsafeMutablePointer<tessera_rows>] = []
  private var attributes: [UnsafeMutablePointer<UnsafeMutableRawPointer?>] = []
  private var count = 0

  /// - Parameter attributeNumbers: The engine's number of an attribute → the chain's.
  init(attributeNumbers: [Int]) { self.attributeNumbers = attributeNumbers }

  deinit {
    for chunk in rows { chunk.deallocate() }
    for chunk in attributes { chunk.deallocate() }
  }

  /// Takes all views back.
  func clear() { count = 0 }

  /// A view of a run of a store.
  func view(of run: Run, in store: RowStore) -> UnsafePointer<tessera_rows> {
    let (chunk, place) = (count / Self.chunk, count % Self.chunk)
    if chunk == rows.count { grow() }
    count += 1
    let view = rows[chunk] + place
    var columns: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    if !attributeNumbers.isEmpty {
      let first = attributes[chunk] + place * attributeNumbers.count
      for (own, number) in attributeNumbers.enumerated() {
        let column = store.attributes[number]
        first[own] = column.memory.map { $0.base + run.row * column.stride }
      }
      columns = first
    }
    view.initialize(
      to: tessera_rows(
        struct_size: UInt32(MemoryLayout<tessera_rows>.size), reserved: 0,
        count: UInt64(run.count), kept: UInt64(run.kept),
        frame: UnsafeMutableRawPointer(store.frames + run.row)
          .assumingMemoryBound(to: tessera_rect.self),
        transform: store.transforms.map {
          UnsafeMutableRawPointer($0 + run.row).assumingMemoryBound(to: tessera_transform.self)
        },
        alpha: store.alphas.map { $0 + run.row }, z_index: store.zIndexes.map { $0 + run.row },
        hidden: store.hidden.map { $0 + run.row }, attributes: UnsafePointer(columns)))
    return UnsafePointer(view)
  }

  private func grow() {
    rows.append(.allocate(capacity: Self.chunk))
    if !attributeNumbers.isEmpty {
      attributes.append(.allocate(capacity: Self.chunk * attributeNumbers.count))
    }
  }
}
