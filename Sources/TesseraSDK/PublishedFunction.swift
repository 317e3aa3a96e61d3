import CTessera
public import TesseraGeometry

/// A function of the layout that the host can call by name once the layout is prepared.
///
/// ```swift
/// let density = PublishedFunction("Items for each point of height.", Spiral.density)
/// ```
///
/// It is named after the property, or `named`; the method's type determines the signature. If the
/// method throws, the host gets the error and zero. Parameters hold the values of the last call
/// from the host; section and item values are empty.
public final class PublishedFunction {
  enum Body {
    case number((any Layout) throws(LayoutFailure) -> Double)
    case numberOfNumber((any Layout, Double) throws(LayoutFailure) -> Double)
    case pointOfNumbers((any Layout, Double, Double) throws(LayoutFailure) -> Point)
    case numberOfSection((any Layout, UInt32, Double, Double) throws(LayoutFailure) -> Double)
    case rectOfItem((any Layout, UInt32, UInt32) throws(LayoutFailure) -> Rect)
  }

  let help: String
  let body: Body
  private let name: String?
  private(set) var slot = 0

  private init(_ help: String, named name: String?, _ body: Body) {
    self.help = help
    self.name = name
    self.body = body
  }

  /// Publishes a method without arguments that returns a number: `f64()`.
  public convenience init<Root: Layout>(
    _ help: String, named name: String? = nil,
    _ method: @escaping (Root) -> () throws(LayoutFailure) -> Double
  ) {
    self.init(
      help, named: name,
      .number { (layout) throws(LayoutFailure) in try method(Self.cast(layout))() })
  }

  /// Publishes a method of a number that returns a number: `f64(f64)`.
  public convenience init<Root: Layout>(
    _ help: String, named name: String? = nil,
    _ method: @escaping (Root) -> (Double) throws(LayoutFailure) -> Double
  ) {
    self.init(
      help, named: name,
      .numberOfNumber { (layout, first) throws(LayoutFailure) in
        try method(Self.cast(layout))(first)
      })
  }

  /// Publishes a method of two numbers that returns a point: `point(f64,f64)`.
  public convenience init<Root: Layout>(
    _ help: String, named name: String? = nil,
    _ method: @escaping (Root) -> (Double, Double) throws(LayoutFailure) -> Point
  ) {
    self.init(
      help, named: name,
      .pointOfNumbers { (layout, first, second) throws(LayoutFailure) in
        try method(Self.cast(layout))(first, second)
      })
  }

  /// Publishes a method of a section and two numbers that returns a number: `f64(u32,f64,f64)`.
  public convenience init<Root: Layout>(
    _ help: String, named name: String? = nil,
    _ method: @escaping (Root) -> (UInt32, Double, Double) throws(LayoutFailure) -> Double
  ) {
    self.init(
      help, named: name,
      .numberOfSection { (layout, section, first, second) throws(LayoutFailure) in
        try method(Self.cast(layout))(section, first, second)
      })
  }

  /// Publishes a method of a section and an item that returns a rectangle: `rect(u32,u32)`.
  public convenience init<Root: Layout>(
    _ help: String, named name: String? = nil,
    _ method: @escaping (Root) -> (UInt32, UInt32) throws(LayoutFailure) -> Rect
  ) {
    self.init(
      help, named: name,
      .rectOfItem { (layout, first, second) throws(LayoutFailure) in
        try method(Self.cast(layout))(first, second)
      })
  }

  private static func cast<Root: Layout>(_ layout: any Layout) throws(LayoutFailure) -> Root {
    guard let root = layout as? Root else {
      throw .failed("the function belongs to \(Root.self); publish a method of the layout itself")
    }
    return root
  }
}

extension PublishedFunction: Declared {
  func declare(as name: String, in declarations: inout Declarations) {
    slot = declarations.published.count { $0.function.body.signature == body.signature }
    declarations.published.append((self.name ?? name, self))
  }
}

extension PublishedFunction.Body {
  var signature: String {
    switch self {
    case .number: "f64()"
    case .numberOfNumber: "f64(f64)"
    case .pointOfNumbers: "point(f64,f64)"
    case .numberOfSection: "f64(u32,f64,f64)"
    case .rectOfItem: "rect(u32,u32)"
    }
  }
}

// A C function has no context, and functions of one signature get the same arguments. Four C
// functions for each signature tell them apart.

private typealias Number = @convention(c) (OpaquePointer?) -> Double
private typealias NumberOfNumber = @convention(c) (OpaquePointer?, Double) -> Double
private typealias PointOfNumbers = @convention(c) (OpaquePointer?, Double, Double) -> tessera_point
private typealias NumberOfSection =
  @convention(c) (OpaquePointer?, UInt32, Double, Double) -> Double
private typealias RectOfItem = @convention(c) (OpaquePointer?, UInt32, UInt32) -> tessera_rect

private let numbers: [Number] = [
  { number(0, $0) }, { number(1, $0) }, { number(2, $0) }, { number(3, $0) },
]
private let numbersOfNumbers: [NumberOfNumber] = [
  { number(0, $0, $1) }, { number(1, $0, $1) }, { number(2, $0, $1) }, { number(3, $0, $1) },
]
private let pointsOfNumbers: [PointOfNumbers] = [
  { point(0, $0, $1, $2) }, { point(1, $0, $1, $2) }, { point(2, $0, $1, $2) },
  { point(3, $0, $1, $2) },
]
private let numbersOfSections: [NumberOfSection] = [
  { number(0, $0, $1, $2, $3) }, { number(1, $0, $1, $2, $3) }, { number(2, $0, $1, $2, $3) },
  { number(3, $0, $1, $2, $3) },
]
private let rectsOfItems: [RectOfItem] = [
  { rect(0, $0, $1, $2) }, { rect(1, $0, $1, $2) }, { rect(2, $0, $1, $2) },
  { rect(3, $0, $1, $2) },
]

extension PublishedFunction {
  typealias Entry = @convention(c) () -> Void

  /// Nil if all four of the signature are used.
  var entry: Entry? {
    switch body {
    case .number: entry(numbers)
    case .numberOfNumber: entry(numbersOfNumbers)
    case .pointOfNumbers: entry(pointsOfNumbers)
    case .numberOfSection: entry(numbersOfSections)
    case .rectOfItem: entry(rectsOfItems)
    }
  }

  private func entry<Function>(_ functions: [Function]) -> Entry? {
    functions.indices.contains(slot) ? unsafeBitCast(functions[slot], to: Entry.self) : nil
  }
}

private func number(_ slot: Int, _ layout: OpaquePointer?) -> Double {
  publishedCall(layout, "f64()", slot, otherwise: 0) { (layout, body) throws(LayoutFailure) in
    guard case .number(let function) = body else { return nil }
    return try function(layout)
  }
}

private func number(_ slot: Int, _ layout: OpaquePointer?, _ first: Double) -> Double {
  publishedCall(layout, "f64(f64)", slot, otherwise: 0) { (layout, body) throws(LayoutFailure) in
    guard case .numberOfNumber(let function) = body else { return nil }
    return try function(layout, first)
  }
}

private func point(
  _ slot: Int, _ layout: OpaquePointer?, _ first: Double, _ second: Double
) -> tessera_point {
  publishedCall(layout, "point(f64,f64)", slot, otherwise: tessera_point()) {
    (layout, body) throws(LayoutFailure) in
    guard case .pointOfNumbers(let function) = body else { return nil }
    return tessera_point(try function(layout, first, second))
  }
}

private func number(
  _ slot: Int, _ layout: OpaquePointer?, _ section: UInt32, _ first: Double, _ second: Double
) -> Double {
  publishedCall(layout, "f64(u32,f64,f64)", slot, otherwise: 0) {
    (layout, body) throws(LayoutFailure) in
    guard case .numberOfSection(let function) = body else { return nil }
    return try function(layout, section, first, second)
  }
}

private func rect(
  _ slot: Int, _ layout: OpaquePointer?, _ first: UInt32, _ second: UInt32
) -> tessera_rect {
  publishedCall(layout, "rect(u32,u32)", slot, otherwise: tessera_rect()) {
    (layout, body) throws(LayoutFailure) in
    guard case .rectOfItem(let function) = body else { return nil }
    return tessera_rect(try function(layout, first, second))
  }
}

private func publishedCall<Result>(
  _ layout: OpaquePointer?, _ signature: String, _ slot: Int, otherwise: Result,
  _ call: (any Layout, PublishedFunction.Body) throws(LayoutFailure) -> Result?
) -> Result {
  guard let layout else { return otherwise }
  let bound = Unmanaged<BoundLayout>.fromOpaque(UnsafeRawPointer(layout)).takeUnretainedValue()
  let function = bound.published.first { $0.slot == slot && $0.body.signature == signature }
  guard let function else { return otherwise }
  do {
    return try call(bound.layout, function.body) ?? otherwise
  } catch {
    report(error, to: bound.host)
    return otherwise
  }
}
