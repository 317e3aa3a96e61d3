import CTessera
import TesseraGeometry

extension RowStore {
  /// Writes all columns of a row that exist from an element, turned back where it was mirrored.
  func write(
    _ element: Element, at row: Int, attributes declared: [AttributeDescription],
    mirroredIn width: Double?
  ) {
    frames[row] = width.map { element.frame.mirrored(in: $0) } ?? element.frame
    transforms?[row] = width == nil ? element.transform : element.transform.mirrored
    alphas?[row] = element.alpha
    zIndexes?[row] = Int32(clamping: element.zIndex)
    hidden?[row] = element.isHidden ? 1 : 0
    for (number, value) in element.attributes.enumerated() {
      guard let memory = attributes[number].memory,
        let raw = value.raw(choices: declared[number].choices)
      else { continue }
      let stride = attributes[number].stride
      withUnsafeBytes(of: raw) { bytes in
        (memory.base + row * stride).copyMemory(from: bytes.baseAddress!, byteCount: stride)
      }
    }
  }
}
