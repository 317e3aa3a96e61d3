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
  /// The arguments and the result of any signature; what it lacks is 0.
  typealias Arguments = (integers: (UInt32, UInt32), numbers: (Double, Double))
  typealias Body = (any Layout, Arguments) throws(LayoutFailure) -> Rect

  let help: String
  let signature: String
  let body: Body
  private let name: String?
  private(set) var slot = 0

  private init<Root: Layout>(
    _ help: String, _ name: String?, _ signature: String,
    _ body: @escaping (Root, Arguments) throws(LayoutFailure) -> Rect
  ) {
    (self.help, self.name, self.signature) = (help, name, signature)
    self.body = { (layout, arguments) throws(LayoutFailure) in
      guard let root = layout as? Root else {
        throw .failed("the function belongs to \(Root.self); publish a method of the layout itself")
      }
      return try body(root, arguments)
    }
  }

  /// Publishes a method without arguments that returns a number: `f64()`.
  public convenience init<Root: Layout>(
    _ help: String, named name: String? = nil,
    _ method: @escaping (Root) -> () throws(LayoutFailure) -> Double
  ) {
    self.init(help, name, "f64()") { (root: Root, _) throws(LayoutFailure) in
      Rect(number: try method(root)())
    }
  }

  /// Publishes a method of a number that returns a number: `f64(f64)`.
  public convenience init<Root: Layout>(
    _ help: String, named name: String? = nil,
    _ method: @escaping (Root) -> (Double) throws(LayoutFailure) -> Double
  ) {
    self.init(help, name, "f64(f64)") { (root: Root, given) throws(LayoutFailure) in
      Rect(number: try method(root)(given.numbers.0))
    }
  }

  /// Publishes a method of two numbers that returns a point: `point(f64,f64)`.
  public convenience init<Root: Layout>(
    _ help: String, named name: String? = nil,
    _ method: @escaping (Root) -> (Double, Double) throws(LayoutFailure) -> Point
  ) {
    self.init(help, name, "point(f64,f64)") { (root: Root, given) throws(LayoutFailure) in
      Rect(origin: try method(root)(given.numbers.0, given.numbers.1), size: .zero)
    }
  }

  /// Publishes a method of a section and two numbers that returns a number: `f64(u32,f64,f64)`.
  public convenience init<Root: Layout>(
    _ help: String, named name: String? = nil,
    _ method: @escaping (Root) -> (UInt32, Double, Double) throws(LayoutFailure) -> Double
  ) {
    self.init(help, name, "f64(u32,f64,f64)") { (root: Root, given) throws(LayoutFailure) in
      Rect(number: try method(root)(given.integers.0, given.numbers.0, given.numbers.1))
    }
  }

  /// Publishes a method of a section and an item that returns a rectangle: `rect(u32,u32)`.
  public convenience init<Root: Layout>(
    _ help: String, named name: String? = nil,
    _ method: @escaping (Root) -> (UInt32, UInt32) throws(LayoutFailure) -> Rect
  ) {
    self.init(help, name, "rect(u32,u32)") { (root: Root, given) throws(LayoutFailure) in
      try method(root)(given.integers.0, given.integers.1)
    }
  }
}

extension Rect {
  fileprivate init(number: Double) { self.init(x: number, y: 0, width: 0, height: 0) }
}

extension PublishedFunction: Declared {
  func declare(as name: String, in declarations: inout Declarations) {
    slot = declarations.published.count { $0.function.signature == signature }
    declarations.published.append((self.name ?? name, self))
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
    switch signature {
    case "f64()": entry(numbers)
    case "f64(f64)": entry(numbersOfNumbers)
    case "point(f64,f64)": entry(pointsOfNumbers)
    case "f64(u32,f64,f64)": entry(numbersOfSections)
    default: entry(rectsOfItems)
    }
  }

  private func entry<Function>(_ functions: [Function]) -> Entry? {
    functions.indices.contains(slot) ? unsafeBitCast(functions[slot], to: Entry.self) : nil
  }
}

private func number(_ slot: Int, _ layout: OpaquePointer?) -> Double {
  publishedCall(layout, "f64()", slot, ((0, 0), (0, 0))).x
}

private func number(_ slot: Int, _ layout: OpaquePointer?, _ first: Double) -> Double {
  publishedCall(layout, "f64(f64)", slot, ((0, 0), (first, 0))).x
}

private func point(
  _ slot: Int, _ layout: OpaquePointer?, _ first: Double, _ second: Double
) -> tessera_point {
  tessera_point(publishedCall(layout, "point(f64,f64)", slot, ((0, 0), (first, second))).origin)
}

private func number(
  _ slot: Int, _ layout: OpaquePointer?, _ section: UInt32, _ first: Double, _ second: Double
) -> Double {
  publishedCall(layout, "f64(u32,f64,f64)", slot, ((section, 0), (first, second))).x
}

private func rect(
  _ slot: Int, _ layout: OpaquePointer?, _ first: UInt32, _ second: UInt32
) -> tessera_rect {
  tessera_rect(publishedCall(layout, "rect(u32,u32)", slot, ((first, second), (0, 0))))
}

private func publishedCall(
  _ layout: OpaquePointer?, _ signature: String, _ slot: Int,
  _ arguments: PublishedFunction.Arguments
) -> Rect {
  guard let layout else { return .zero }
  let bound = Unmanaged<BoundLayout>.fromOpaque(UnsafeRawPointer(layout)).takeUnretainedValue()
  let function = bound.published.first { $0.slot == slot && $0.signature == signature }
  guard let function else { return .zero }
  do {
    return try function.body(bound.layout, arguments)
  } catch {
    report(error, to: bound.host)
    return .zero
  }
}
