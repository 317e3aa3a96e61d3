import CTesseraHost
import TesseraGeometry
import TesseraHost

extension Elements {
  /// Copies elements from a place on into a program's memory, as many as there is room for.
  ///
  /// - Parameter kinds: The number that each kind of the layout has for the program.
  /// - Returns: How many were copied.
  /// - Complexity: O(*k*) for *k* elements; nothing is allocated.
  func copy(from first: Int, to room: ElementRoom, kinds: [UInt32]) -> Int {
    guard first < count else { return 0 }
    let places = first..<first + Swift.min(room.capacity, count - first)
    let identity = tessera_element.matrix(.identity)
    for place in places {
      let (row, frame) = (rows[place], frames[place])
      let isCell = row.category == .cell
      room.write(
        tessera_element(
          category: row.category.rawValue, kind: isCell ? TESSERA_NO_KIND : kinds[Int(row.kind)],
          section: UInt64(row.section), item: row.item,
          x: frame.x, y: frame.y, width: frame.width, height: frame.height,
          alpha: alphas.isEmpty ? 1 : alphas[place],
          z_index: zIndexes.isEmpty ? 0 : zIndexes[place],
          hidden: hidden.isEmpty ? 0 : UInt32(hidden[place]),
          transform: transforms.isEmpty ? identity : tessera_element.matrix(transforms[place])),
        at: place - first)
    }
    return places.count
  }
}

extension tessera_element {
  /// An element under an identity that may be another than its own.
  init(_ element: Element, as identity: ElementIdentity, _ kinds: inout KindNumbers) {
    self.init(
      category: identity.category.rawValue,
      kind: identity.kind.map { kinds.number(of: $0) } ?? TESSERA_NO_KIND,
      section: UInt64(clamping: identity.section), item: UInt64(clamping: identity.item),
      x: element.frame.x, y: element.frame.y, width: element.frame.width,
      height: element.frame.height, alpha: element.alpha,
      z_index: Int32(clamping: element.zIndex), hidden: element.isHidden ? 1 : 0,
      transform: Self.matrix(element.transform))
  }
}
