public import TesseraGeometry

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
