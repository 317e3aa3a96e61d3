public import CTessera
@_exported public import TesseraGeometry

/// A type that becomes an engine.
///
/// Conform to `PreparingLayout`, and to the protocols of optional abilities. The host creates one
/// instance for each layout and calls it from one thread at a time. Properties declare the
/// interface: `@Parameter`, `@SectionValue`, `@ItemValue`, `@List`, `Kind`, `Attribute`,
/// `@DelegateFunction`, `PublishedFunction` and, for its base, `@Inherited`. The host sees them in
/// source order under the names of the properties.
public protocol Layout: AnyObject {
  /// The engine's id, name and version.
  static var identity: EngineIdentity { get }
  /// The engine that this one is derived from; nil by default.
  static var base: BaseEngine? { get }
  /// What the engine guarantees about its elements; nothing by default.
  static var traits: Traits { get }
  /// Laws that the conformance suite tests; none by default.
  static var laws: Laws { get }
  /// Columns besides frames that prepare and queries write; none by default.
  static var columns: BuiltInColumns { get }
  /// Columns that only adjust writes; none by default. They cost nothing for rows off screen.
  static var adjustedColumns: BuiltInColumns { get }
  /// Creates a layout that is not yet prepared.
  init()
}

extension Layout {
  /// Derived from no other engine.
  public static var base: BaseEngine? { nil }
  /// No traits.
  public static var traits: Traits { [] }
  /// No laws.
  public static var laws: Laws { [] }
  /// Writes frames only.
  public static var columns: BuiltInColumns { [] }
  /// Adjusts only frames.
  public static var adjustedColumns: BuiltInColumns { [] }
}

/// A layout that places its elements itself.
public protocol PreparingLayout: Layout {
  /// Places every element and sets the content size; a lazy layout sets only the content size.
  ///
  /// If it throws, the layout counts as not prepared.
  func prepare(_ input: Input, into output: Output) throws(LayoutFailure)
}

/// A layout that depends on the scroll offset.
public protocol AdjustingLayout: Layout {
  /// Changes the rows that a query is about to return, and may add elements.
  ///
  /// If it throws, so does the query.
  ///
  /// - Parameters:
  ///   - input: The origin of `input.viewport` is the scroll offset.
  ///   - rect: The rectangle of the query; added elements outside of it are dropped.
  ///   - output: The runs about to be returned; adding an existing element returns its row.
  func adjust(_ input: Input, rect: Rect, into output: Output) throws(LayoutFailure)
}

/// A layout that stores nothing for each item and computes every query.
///
/// A method that throws fails the query.
public protocol LazyLayout: PreparingLayout {
  /// Adds at least every element that intersects `rect`, each once; the host drops the rest.
  func elementsInRect(_ rect: Rect, input: Input, into output: Output) throws(LayoutFailure)

  /// Adds the one element of `run`, or nothing if it does not exist.
  func element(_ run: Run, input: Input, into output: Output) throws(LayoutFailure)
}

/// A layout that can remain valid when the bounds change.
public protocol ReusableLayout: PreparingLayout {
  /// Whether the prepared layout is still valid for new size, insets, scale or direction.
  ///
  /// If so, the host skips the next prepare: it would have produced the same result.
  func stillValid(_ input: Input) -> Bool
}

/// A layout that decides where scrolling stops.
public protocol SnappingLayout: Layout {
  /// Returns the scroll offset where scrolling stops, given a proposed one.
  ///
  /// - Parameters:
  ///   - proposed: The offset in points where the gesture ends, or the result of the base.
  ///   - velocity: Points per second; 0 if unknown.
  ///   - input: The origin of `input.viewport` is the current scroll offset.
  func restingOffset(
    _ proposed: Point, velocity: Point, _ input: Input
  ) throws(LayoutFailure) -> Point
}

/// The identity of an engine.
public struct EngineIdentity: Sendable {
  /// A unique id in reverse-DNS form: "org.example.spiral".
  public let id: String
  /// The name shown to users.
  public let name: String
  /// A semantic version: "1.2.3".
  public let version: String
  /// The author of the engine.
  public let author: String
  /// The SPDX identifier of its license: "MIT".
  public let license: String
  /// One sentence that describes the layout.
  public let summary: String

  /// Creates an identity; the host rejects a malformed id or version.
  public init(
    id: String, name: String, version: String, author: String, license: String, summary: String
  ) {
    self.id = id
    self.name = name
    self.version = version
    self.author = author
    self.license = license
    self.summary = summary
  }
}

/// Guarantees about the elements of an engine.
///
/// The SDK itself declares the traits of `LazyLayout` and `AdjustingLayout`.
public struct Traits: OptionSet, Sendable {
  /// The contract's bits.
  public let rawValue: UInt32

  /// Creates traits from the contract's bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Right-to-left is the exact mirror of left-to-right.
  ///
  /// The engine always lays out left to right; the host mirrors frames, transforms, and attributes
  /// that are points, rects or insets.
  public static let mirrors = Traits(rawValue: TESSERA_TRAIT_MIRRORS)
  /// Every element's origin lies on the pixel grid of the input's scale.
  public static let pixelAligned = Traits(rawValue: TESSERA_TRAIT_PIXEL_ALIGNED)
  /// Reads `change` and `kept`, and lays out only what changed.
  ///
  /// Without it `kept` is always 0.
  public static let incremental = Traits(rawValue: TESSERA_TRAIT_INCREMENTAL)
}

/// Laws that an engine's layouts follow.
///
/// The host does not rely on them; the conformance suite tests the declared laws.
public struct Laws: OptionSet, Sendable {
  /// The contract's bits.
  public let rawValue: UInt32

  /// Creates laws from the contract's bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Left to right, removing items from the end moves no cell before them.
  public static let flows = Laws(rawValue: TESSERA_LAW_FLOWS)
  /// Left to right, an additional empty section at the end moves no element.
  public static let appends = Laws(rawValue: TESSERA_LAW_APPENDS)
  /// Scale only rounds: every edge is less than a pixel from its place at a finer scale.
  public static let scales = Laws(rawValue: TESSERA_LAW_SCALES)
}

/// Built-in columns that an engine writes besides frames.
public struct BuiltInColumns: OptionSet, Sendable {
  /// The contract's bits.
  public let rawValue: UInt32

  /// Creates columns from the contract's bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A matrix about the centre of each element's frame; initially the identity.
  public static let transform = BuiltInColumns(rawValue: TESSERA_COLUMN_TRANSFORM)
  /// Opacity, 0…1; initially 1.
  public static let alpha = BuiltInColumns(rawValue: TESSERA_COLUMN_ALPHA)
  /// Stacking order, higher in front; initially 0.
  public static let zIndex = BuiltInColumns(rawValue: TESSERA_COLUMN_Z_INDEX)
  /// Whether the element is hidden; initially false.
  public static let hidden = BuiltInColumns(rawValue: TESSERA_COLUMN_HIDDEN)
}

/// A status of the contract; 0 is success.
public typealias Status = tessera_status

/// A status for the host and a sentence for the user.
///
/// A sentence states what was found, what was expected and what to do: "size of item 3 in section 0
/// is -5×90; width and height must be finite and not negative".
public struct LayoutFailure: Error, Equatable, Sendable {
  /// Returned to the host.
  public let status: Status
  /// Reported to the host; nil if it was reported already.
  public let message: String?

  /// Creates a failure with a status of the contract.
  ///
  /// - Parameter message: Nil if it was reported already, for instance by a base.
  public init(status: Status, message: String?) {
    self.status = status
    self.message = message
  }

  /// A parameter or a value is invalid.
  public static func invalidValue(_ message: String) -> LayoutFailure {
    LayoutFailure(status: TESSERA_ERROR_INVALID_VALUE, message: message)
  }

  /// The layout does not support the request.
  public static func unsupported(_ message: String) -> LayoutFailure {
    LayoutFailure(status: TESSERA_ERROR_UNSUPPORTED, message: message)
  }

  /// Any other failure.
  public static func failed(_ message: String) -> LayoutFailure {
    LayoutFailure(status: TESSERA_ERROR_FAILED, message: message)
  }
}

/// Formats a number for a sentence: 5 rather than 5.0.
public func describe(_ number: Double) -> String {
  let text = "\(number)"
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

/// Formats a size for a sentence: 100×90.
public func describe(_ size: Size) -> String { "\(describe(size.width))×\(describe(size.height))" }

/// Formats insets for a sentence: top, left, bottom, right.
public func describe(_ insets: Insets) -> String {
  [insets.top, insets.left, insets.bottom, insets.right].map { describe($0) }.joined(separator: " ")
}

// A parameter's limits do not apply to the values of sections and items.

/// Throws if a section's length is negative.
public func checkLength(
  _ length: Double, _ name: String, ofSection section: Int
) throws(LayoutFailure) {
  guard length < 0 else { return }
  throw refusal(of: "\(name) of section \(section)", describe(length), "be finite and not negative")
}

/// Throws if the size of a section, or of an item in it, has a negative length.
@inlinable public func checkLengths(
  _ size: Size, _ name: String, ofSection section: Int, item: Int? = nil
) throws(LayoutFailure) {
  guard size.width < 0 || size.height < 0 else { return }
  let place = item.map { "item \($0) in section \(section)" } ?? "section \(section)"
  throw refusal(
    of: "\(name) of \(place)", describe(size),
    "have a width and a height that are finite and not negative")
}

/// Throws if an inset is beyond ±1e300, or negative where that is not allowed.
public func checkLengths(
  _ insets: Insets, _ name: String, ofSection section: Int, mayBeNegative: Bool = false
) throws(LayoutFailure) {
  let least = min(min(insets.top, insets.left), min(insets.bottom, insets.right))
  let most = max(max(insets.top, insets.left), max(insets.bottom, insets.right))
  guard least < (mayBeNegative ? -1e300 : 0) || most > 1e300 else { return }
  let rule =
    most > 1e300
    ? "up to 1e300" : mayBeNegative ? "from -1e300" : "that are finite and not negative"
  throw refusal(of: "\(name) of section \(section)", describe(insets), "have edges \(rule)")
}

@usableFromInline func refusal(
  of place: String, _ found: String, _ rule: String
) -> LayoutFailure {
  .invalidValue("\(place) is \(found); it must \(rule)")
}
