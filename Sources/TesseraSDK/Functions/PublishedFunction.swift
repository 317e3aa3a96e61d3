import CTessera
public import TesseraGeometry

/// A function of the layout that the host can call by name once the layout is prepared.
///
/// ```swift
/// let density = PublishedFunction("Items for each point of height.", Spiral.density)
/// ```
///
/// Its name is the property's, or `named`; its signature is read off the method's type, which is one
/// of those below. A method that throws gives zero, and the host is told why. Parameters hold what
/// the last call from the host gave; there is no input, and values of sections and items are empty.
public final class PublishedFunction {
  enum Body {
    case number((any Layout) throws(LayoutFailure) -> Double)
    case numberOfNumber((any Layout, Double) throws(LayoutFailure) -> Double)
    case pointOfNumbers((any Layout, Double, Double) throws(LayoutFailure) -> Point)
    case rectOfItem((any Layout, UInt32, UInt32) throws(LayoutFailure) -> Rect)
  }

  let help: String
  let body: Body
  private let name: String?
  /// The function's number among those of its signature, known once it is declared.
  private(set) var slot = 0

  private init(_ help: String, named name: String?, _ body: Body) {
    self.help = help
    self.name = name
    self.body = body
  }

  /// Publishes a method without arguments that gives a number: `f64()`.
  public convenience init<Root: Layout>(
    _ help: String, named name: String? = nil,
    _ method: @escaping (Root) -> () throws(LayoutFailure) -> Double
  ) {
    self.init(
      help, named: name,
      .number { (layout) throws(LayoutFailure) in try method(Self.cast(layout))() })
  }

  /// Publishes a method of a number that gives a number: `f64(f64)`.
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

  /// Publishes a method of two numbers that gives a point: `point(f64,f64)`.
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

  /// Publishes a method of a section and an item that gives a rectangle: `rect(u32,u32)`.
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
  /// The contract's signature.
  var signature: String {
    switch self {
    case .number: "f64()"
    case .numberOfNumber: "f64(f64)"
    case .pointOfNumbers: "point(f64,f64)"
    case .rectOfItem: "rect(u32,u32)"
    }
  }
}
