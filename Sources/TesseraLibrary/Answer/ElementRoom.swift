import CTesseraHost
import TesseraGeometry
import TesseraHost

/// Where a program wants elements: its own memory, in which they lie a stride apart.
struct ElementRoom {
  private let base: UnsafeMutableRawPointer?
  private let stride: Int
  /// How many elements there is room for.
  let capacity: Int

  private static let known = MemoryLayout<tessera_element>.size

  /// - Throws: `Misuse` for elements that are smaller than this library's, or that lie nowhere.
  init(
    _ elements: UnsafeMutablePointer<tessera_element>?, size: UInt64, capacity: UInt64
  ) throws {
    guard size >= UInt64(Self.known), size <= 1 << 16, size % 8 == 0 else {
      throw Misuse(
        "an element has \(size) bytes; give sizeof(tessera_element), at least \(Self.known)")
    }
    if capacity > 0 { _ = try Argument.present(elements, "elements") }
    base = UnsafeMutableRawPointer(elements)
    stride = Int(size)
    // Nobody has more elements than there is memory.
    self.capacity = Int(min(capacity, 1 << 40))
  }

  /// Writes an element to a place below the capacity, and zeros where a later library would write.
  @inline(__always)
  func write(_ element: tessera_element, at place: Int) {
    guard let address = base.map({ $0 + place * stride }) else { return }
    address.storeBytes(of: element, as: tessera_element.self)
    if stride > Self.known {
      (address + Self.known).initializeMemory(
        as: UInt8.self, repeating: 0, count: stride - Self.known)
    }
  }
}

extension tessera_element {
  /// The sixteen numbers of a transform as C holds them.
  typealias Matrix = (
    Double, Double, Double, Double, Double, Double, Double, Double,
    Double, Double, Double, Double, Double, Double, Double, Double
  )

  /// The sixteen numbers of a transform.
  @inline(__always)
  static func matrix(_ transform: Transform) -> Matrix {
    unsafeBitCast(transform, to: Matrix.self)
  }
}
