import TesseraGeometry

/// The arguments that C passed to a function that the host made, numbered from 0.
///
/// A view, which allocates nothing: it holds during the call that it was given to and must not be
/// kept. What an engine passes is not checked; numbers may not be finite. Every read is O(1); an
/// index out of range is a mistake of the program, as with an array.
public struct CallArguments {
  /// The addresses of the arguments, after that of the context.
  @usableFromInline let addresses: UnsafePointer<UnsafeMutableRawPointer>
  private let types: UnsafeBufferPointer<SignatureType>

  init(
    addresses: UnsafePointer<UnsafeMutableRawPointer>, types: UnsafeBufferPointer<SignatureType>
  ) {
    self.addresses = addresses
    self.types = types
  }

  /// How many there are.
  public var count: Int { types.count }

  /// The type of an argument.
  public func type(at index: Int) -> SignatureType {
    precondition(types.indices.contains(index), "there is no such argument")
    return types[index]
  }

  /// An argument of any type.
  public func value(at index: Int) -> CallValue {
    CallMemory.load(type(at: index), from: addresses[index])
  }

  /// A whole number or a bool; nil for other types and for a u64 beyond `Int64.max`.
  public func integer(at index: Int) -> Int64? {
    switch type(at: index) {
    case .u32: Int64(UInt32.load(from: addresses[index]))
    case .i64: Int64.load(from: addresses[index])
    default:
      switch value(at: index) {
      case .bool(let value): value ? 1 : 0
      case .signed(let value): value
      case .unsigned(let value): Int64(exactly: value)
      default: nil
      }
    }
  }

  /// A number of any type or a bool, rounded beyond 2^53; nil for structures.
  public func number(at index: Int) -> Double? {
    switch type(at: index) {
    case .u32: Double(UInt32.load(from: addresses[index]))
    case .f64: Double.load(from: addresses[index])
    default:
      switch value(at: index) {
      case .bool(let value): value ? 1 : 0
      case .signed(let value): Double(value)
      case .unsigned(let value): Double(value)
      case .number(let value): value
      default: nil
      }
    }
  }

  /// A point; nil for other types.
  public func point(at index: Int) -> Point? { load(.point, at: index) }

  /// A size; nil for other types.
  public func size(at index: Int) -> Size? { load(.size, at: index) }

  /// A rectangle; nil for other types.
  public func rect(at index: Int) -> Rect? { load(.rect, at: index) }

  /// Insets; nil for other types.
  public func insets(at index: Int) -> Insets? { load(.insets, at: index) }

  private func load<Structure: CallType>(_ wanted: SignatureType, at index: Int) -> Structure? {
    type(at: index) == wanted ? Structure.load(from: addresses[index]) : nil
  }
}
