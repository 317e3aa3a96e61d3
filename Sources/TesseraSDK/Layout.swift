public import CTessera
// An engine that imports this module also gets points, sizes and rectangles.
@_exported public import TesseraGeometry

/// A layout: one type that becomes an engine.
///
/// Conform to `PreparingLayout`, and to the protocols of the optional abilities. The host creates
/// one instance for each layout and calls it from one thread at a time. The layout declares its
/// interface through properties: `@Parameter`, `@SectionValue`, `@ItemValue`, `@List`, `Kind`,
/// `Attribute`, `@DelegateFunction`, `PublishedFunction` and, for its base, `@Inherited`. The host
/// sees them in source order under the names of the properties.
public protocol Layout: AnyObject {
  /// The engine's id, name and version.
  static var identity: EngineIdentity { get }
  /// The engine that this one is derived from; nil by default.
  static var base: BaseEngine? { get }
  /// What the engine guarantees about its elements; nothing by default.
  static var traits: Traits { get }
  /// The laws that the engine's layouts follow, which the conformance suite tests; none by default.
  static var laws: Laws { get }
  /// Columns that prepare and queries write in addition to frames; none by default.
  static var columns: BuiltInColumns { get }
  /// Columns that only adjust writes; none by default. They cost nothing for rows off screen.
  static var adjustedColumns: BuiltInColumns { get }
  /// Creates a layout that has not been prepared.
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
  /// - Parameters:
  ///   - input: Bounds, counts and viewport, valid until the call returns. Parameters and
  ///     values are in the layout's own properties.
  ///   - output: Receives the elements; valid until the call returns.
  /// - Throws: Why the layout is impossible; it then counts as not prepared.
  func prepare(_ input: Input, into output: Output) throws(LayoutFailure)
}

/// A layout that depends on the scroll offset.
public protocol AdjustingLayout: Layout {
  /// Changes the rows that a query is about to return, and may add elements.
  ///
  /// - Parameters:
  ///   - input: As for prepare; the origin of `input.viewport` is the scroll offset.
  ///   - rect: The rectangle of the query; added elements that do not intersect it are dropped.
  ///   - output: Holds the runs about to be returned; `output.add` of an existing element returns
  ///     its row.
  /// - Throws: Why it fails; the query then fails too.
  func adjust(_ input: Input, rect: Rect, into output: Output) throws(LayoutFailure)
}

/// A layout that stores nothing for each item and computes every query.
public protocol LazyLayout: PreparingLayout {
  /// Adds at least every element that intersects `rect`, each once; the host drops the rest.
  ///
  /// - Throws: Why it fails; the query then fails too.
  func elementsInRect(_ rect: Rect, input: Input, into output: Output) throws(LayoutFailure)

  /// Adds the one element of `run`, or nothing if it does not exist.
  ///
  /// - Throws: Why it fails; the query then fails too.
  func element(_ run: Run, input: Input, into output: Output) throws(LayoutFailure)
}

/// A layout that can remain valid when the bounds change.
public protocol ReusableLayout: PreparingLayout {
  /// Returns whether the prepared layout is still valid for an input that differs in bounds only:
  /// in size, insets, scale or direction.
  ///
  /// If it is, the host skips the next prepare, so prepare must have produced the same result.
  func stillValid(_ input: Input) -> Bool
}

/// A layout that decides where scrolling stops.
public protocol SnappingLayout: Layout {
  /// Returns the scroll offset where scrolling stops, given a proposed one.
  ///
  /// - Parameters:
  ///   - proposed: The offset in points that the user's movement leads to, or the result of the
  ///     base.
  ///   - velocity: Points per second; 0 if unknown.
  ///   - input: As for prepare; the origin of `input.viewport` is the current scroll offset.
  /// - Throws: Why it fails.
  func restingOffset(
    _ proposed: Point, velocity: Point, _ input: Input
  ) throws(LayoutFailure) -> Point
}

/// The identity of an engine.
public struct EngineIdentity: Sendable {
  /// The engine's unique id, reverse-DNS: "org.example.spiral".
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

  /// Creates an identity; the host rejects an engine whose id or version is malformed.
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
/// The SDK declares lazy queries and dependence on the viewport itself, for types that conform to
/// `LazyLayout` and `AdjustingLayout`.
public struct Traits: OptionSet, Sendable {
  /// The bits as in the contract.
  public let rawValue: UInt32

  /// Creates traits from the contract's bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Right-to-left is the exact mirror of left-to-right.
  ///
  /// The host then mirrors frames, transforms, and attributes that are points, rects or insets; the
  /// engine always lays out left to right.
  public static let mirrors = Traits(rawValue: TESSERA_TRAIT_MIRRORS)
  /// Every element's origin lies on the pixel grid of the input's scale.
  public static let pixelAligned = Traits(rawValue: TESSERA_TRAIT_PIXEL_ALIGNED)
  /// Reads `change` and `kept`, and lays out only what depends on the change.
  ///
  /// Without it `kept` is always 0.
  public static let incremental = Traits(rawValue: TESSERA_TRAIT_INCREMENTAL)
}

/// Laws that the layouts of an engine follow.
///
/// The host does not rely on them; the conformance suite tests those that an engine declares.
public struct Laws: OptionSet, Sendable {
  /// The bits as in the contract.
  public let rawValue: UInt32

  /// Creates laws from the contract's bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Left to right, the cells of the first items lie where they would without the items after them.
  public static let flows = Laws(rawValue: TESSERA_LAW_FLOWS)
  /// Left to right, an additional empty section at the end moves no element.
  public static let appends = Laws(rawValue: TESSERA_LAW_APPENDS)
  /// The scale only rounds: every edge lies less than a pixel from where it lies at a finer scale.
  public static let scales = Laws(rawValue: TESSERA_LAW_SCALES)
}

/// Built-in columns that an engine writes in addition to frames.
public struct BuiltInColumns: OptionSet, Sendable {
  /// The bits as in the contract.
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

/// The result of a call of the contract; 0 is success.
public typealias Status = tessera_status

/// Why a layout failed: a status for the host and a sentence for the user.
///
/// A sentence states what was found, what was expected and what to do: "size of item 3 in section 0
/// is -5×90; width and height must be finite and not negative".
public struct LayoutFailure: Error, Equatable, Sendable {
  /// What the call returns to the host.
  public let status: Status
  /// The sentence reported to the host, or nil if the host has it already.
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

// Users can give sections and items any finite values: a parameter's limits do not hold for them.

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

/// Throws if an inset of a section is negative and must not be, or if it is beyond 1e300 either way: what lies
/// there has no room for its size.
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
