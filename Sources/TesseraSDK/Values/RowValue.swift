public import TesseraGeometry

/// A type that a column of the host's memory can hold.
public protocol RowValue: Sendable {
  /// How the contract stores it.
  associatedtype Stored: BitwiseCopyable & Sendable
  /// The value that is stored so.
  init(stored: Stored)
  /// How it is stored.
  var stored: Stored { get }
}

/// A type that is stored as it is.
public protocol PlainRowValue: RowValue, BitwiseCopyable where Stored == Self {}

extension PlainRowValue {
  /// The value itself.
  @inlinable public init(stored: Self) { self = stored }
  /// The value itself.
  @inlinable public var stored: Self { self }
}

extension Int32: PlainRowValue {}
extension Double: PlainRowValue {}
extension Point: PlainRowValue {}
extension Size: PlainRowValue {}
extension Rect: PlainRowValue {}
extension Insets: PlainRowValue {}
extension Transform: PlainRowValue {}

extension Bool: RowValue {
  /// True for anything but 0.
  @inlinable public init(stored: UInt8) { self = stored != 0 }
  /// 1 or 0.
  @inlinable public var stored: UInt8 { self ? 1 : 0 }
}

extension Int: RowValue {
  /// The same integer.
  @inlinable public init(stored: Int64) { self.init(stored) }
  /// The same integer.
  @inlinable public var stored: Int64 { Int64(self) }
}
