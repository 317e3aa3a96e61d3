public import CTessera
// An engine imports this module alone and has the points, sizes and rectangles too.
@_exported public import TesseraGeometry

/// A layout: one type that becomes an engine.
///
/// Conform to `PreparingLayout`, and beside it to what else the layout does. The host makes one
/// instance for each layout and calls it from one thread at a time. What the layout declares is
/// what it is made of: properties that are a `@Parameter`, `@SectionValue`, `@ItemValue`, `Kind`,
/// `Attribute`, `@DelegateFunction`, `PublishedFunction` or, of its base, `@Inherited`, in their
/// order in the source, under their own names.
public protocol Layout: AnyObject {
  /// Who the engine is.
  static var identity: EngineIdentity { get }
  /// The engine that this one is derived from; none unless said.
  static var base: BaseEngine? { get }
  /// What the engine promises about its elements; nothing unless said.
  static var traits: Traits { get }
  /// Columns that prepare and queries write beside the frames; none unless said.
  static var columns: BuiltInColumns { get }
  /// Columns that only adjust writes; none unless said. They cost nothing for rows off screen.
  static var adjustedColumns: BuiltInColumns { get }
  /// A layout that has prepared nothing yet.
  init()
}

extension Layout {
  /// Derived from no other engine.
  public static var base: BaseEngine? { nil }
  /// Promises nothing.
  public static var traits: Traits { [] }
  /// Writes frames only.
  public static var columns: BuiltInColumns { [] }
  /// Adjusts nothing but frames.
  public static var adjustedColumns: BuiltInColumns { [] }
}

/// A layout that places its elements itself.
public protocol PreparingLayout: Layout {
  /// Places every element and sets the content size; a lazy layout sets only the content size.
  ///
  /// - Parameters:
  ///   - input: Bounds, counts and surroundings; together with everything reached through it valid
  ///     until the call returns. Parameters and values are in the layout's own properties.
  ///   - output: Where the elements go, valid until the call returns.
  /// - Throws: What makes the layout impossible; the last prepared state then still holds.
  func prepare(_ input: Input, into output: Output) throws(LayoutFailure)
}

/// A layout that depends on where the viewport is.
public protocol AdjustingLayout: Layout {
  /// Re-shapes the rows that a query is about to return, and may add elements to them.
  ///
  /// - Parameters:
  ///   - input: As for prepare; `input.viewport` says where the content is scrolled to.
  ///   - rect: What the query asks for; added elements that do not meet it are dropped.
  ///   - output: Holds the runs about to be returned; `output.add` of an element that the layout
  ///     has gives its row.
  /// - Throws: What makes it impossible; the query then fails.
  func adjust(_ input: Input, rect: Rect, into output: Output) throws(LayoutFailure)
}

/// A layout that stores nothing for an item: it answers each query by itself.
public protocol LazyLayout: PreparingLayout {
  /// Adds at least every element that meets `rect`, each once; the host drops the rest.
  ///
  /// - Throws: What makes it impossible; the query then fails.
  func elementsInRect(_ rect: Rect, input: Input, into output: Output) throws(LayoutFailure)

  /// Adds the one element of `run`, or nothing if there is none such.
  ///
  /// - Throws: What makes it impossible; the query then fails.
  func element(_ run: Run, input: Input, into output: Output) throws(LayoutFailure)
}

/// A layout that may survive new bounds.
public protocol ReusableLayout: PreparingLayout {
  /// Whether what was prepared still holds under an input that differs in bounds only: in size,
  /// insets, scale or direction.
  ///
  /// A true answer spares the next prepare, so it must be what prepare would do again.
  func stillValid(_ input: Input) -> Bool
}

/// A layout that has a say in where a scroll comes to rest.
public protocol SnappingLayout: Layout {
  /// Where a scroll rests that would come to rest at `proposed`.
  ///
  /// - Parameters:
  ///   - proposed: An offset in points: what the user's movement comes to, or what the base makes of
  ///     it.
  ///   - velocity: Points a second; 0 where unknown.
  ///   - input: As for prepare; `input.viewport` says where the content is now.
  /// - Throws: What makes it impossible.
  func restingOffset(
    _ proposed: Point, velocity: Point, _ input: Input
  ) throws(LayoutFailure) -> Point
}

/// Who an engine is.
public struct EngineIdentity: Sendable {
  /// The engine's name among all engines, reverse-DNS: "org.example.spiral".
  public let id: String
  /// The name that people read.
  public let name: String
  /// A semantic version: "1.2.3".
  public let version: String
  /// Who wrote the engine.
  public let author: String
  /// The SPDX identifier of its license: "MIT".
  public let license: String
  /// One sentence: what the layout looks like.
  public let summary: String

  /// An identity; the host refuses an engine whose id or version is malformed.
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

/// Promises about the elements that an engine gives.
///
/// Answering lazily and following the viewport are not among them: conforming to `LazyLayout` and
/// `AdjustingLayout` says that.
public struct Traits: OptionSet, Sendable {
  /// The bits of the contract.
  public let rawValue: UInt32

  /// Traits from the contract's bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Right-to-left is the exact mirror of left-to-right.
  ///
  /// The host then mirrors what comes back, and the engine lays out left to right always.
  public static let mirrors = Traits(rawValue: TESSERA_TRAIT_MIRRORS)
  /// Every element's origin lies on the pixel grid of the input's scale.
  public static let pixelAligned = Traits(rawValue: TESSERA_TRAIT_PIXEL_ALIGNED)
  /// Reads `change` and `kept`, and redoes only what follows from what changed.
  ///
  /// Without it rows never hold what the last prepare left there.
  public static let incremental = Traits(rawValue: TESSERA_TRAIT_INCREMENTAL)
  /// Left to right, the cells of the first items lie where they would without the items after them.
  public static let flows = Traits(rawValue: TESSERA_TRAIT_FLOWS)
  /// Left to right, an empty section more at the end moves nothing that is there without it.
  public static let appends = Traits(rawValue: TESSERA_TRAIT_APPENDS)
  /// The scale only rounds: every edge lies less than a pixel from where it lies at a finer scale.
  public static let scales = Traits(rawValue: TESSERA_TRAIT_SCALES)
}

/// Columns of the contract's own that an engine writes beside the frames.
public struct BuiltInColumns: OptionSet, Sendable {
  /// The bits of the contract.
  public let rawValue: UInt32

  /// Columns from the contract's bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A matrix for each element, acting about its frame's centre; starts as identity.
  public static let transform = BuiltInColumns(rawValue: TESSERA_COLUMN_TRANSFORM)
  /// Opacity, 0…1; starts as 1.
  public static let alpha = BuiltInColumns(rawValue: TESSERA_COLUMN_ALPHA)
  /// What lies above what, higher in front; starts as 0.
  public static let zIndex = BuiltInColumns(rawValue: TESSERA_COLUMN_Z_INDEX)
  /// Whether the element is not shown; starts as false.
  public static let hidden = BuiltInColumns(rawValue: TESSERA_COLUMN_HIDDEN)
}

/// What a call of the contract came to; 0 is success.
public typealias Status = tessera_status

/// Why a layout gave up: a status for the host and a sentence for the user.
///
/// A sentence says what was found, what was expected and what to do: "size of item 3 in section 0
/// is -5×90; width and height must be finite and not negative".
public struct LayoutFailure: Error, Equatable, Sendable {
  /// What the call returns to the host.
  public let status: Status
  /// What the host is told first, or nil where the host knows already.
  public let message: String?

  /// A failure with a status of the contract's.
  ///
  /// - Parameter message: Nil where whoever failed has told the host, for instance a base.
  public init(status: Status, message: String?) {
    self.status = status
    self.message = message
  }

  /// A parameter or a value makes no sense.
  public static func invalidValue(_ message: String) -> LayoutFailure {
    LayoutFailure(status: TESSERA_INVALID_VALUE, message: message)
  }

  /// The layout cannot do what it was asked for.
  public static func unsupported(_ message: String) -> LayoutFailure {
    LayoutFailure(status: TESSERA_UNSUPPORTED, message: message)
  }

  /// Anything else.
  public static func failed(_ message: String) -> LayoutFailure {
    LayoutFailure(status: TESSERA_FAILED, message: message)
  }
}

/// A number as it stands in a sentence: 5 rather than 5.0.
public func describe(_ number: Double) -> String {
  let text = "\(number)"
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

/// A size as it stands in a sentence: 100×90.
public func describe(_ size: Size) -> String {
  "\(describe(size.width))×\(describe(size.height))"
}

/// Insets as they stand in a sentence: top, left, bottom, right.
public func describe(_ insets: Insets) -> String {
  [insets.top, insets.left, insets.bottom, insets.right].map { describe($0) }.joined(separator: " ")
}
