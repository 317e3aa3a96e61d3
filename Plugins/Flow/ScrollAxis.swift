import TesseraSDK

/// Which of x and y is the scroll axis, called main, and which lies across it.
///
/// A type rather than a value, so that the compiler specializes the layout and no item costs a
/// branch.
protocol ScrollAxis {
  static func main(_ size: Size) -> Double
  static func cross(_ size: Size) -> Double
  static func size(main: Double, cross: Double) -> Size
  static func rect(_ origin: AxisVector, size: Size) -> Rect
  static func setMain(_ main: Double, of rect: inout Rect)
  static func leadingMain(_ insets: Insets) -> Double
  static func trailingMain(_ insets: Insets) -> Double
  static func leadingCross(_ insets: Insets) -> Double
  static func trailingCross(_ insets: Insets) -> Double
}

/// A length along the scroll axis and one across it, for arithmetic on both at once.
typealias AxisVector = SIMD2<Double>

extension AxisVector {
  var main: Double { x }
  var cross: Double { y }

  init(main: Double, cross: Double) {
    self.init(x: main, y: cross)
  }
}

extension ScrollAxis {
  static func vector(_ size: Size) -> AxisVector {
    AxisVector(main: main(size), cross: cross(size))
  }
}

enum Vertical: ScrollAxis {
  static func main(_ size: Size) -> Double { size.height }
  static func cross(_ size: Size) -> Double { size.width }
  static func size(main: Double, cross: Double) -> Size { Size(width: cross, height: main) }
  static func rect(_ origin: AxisVector, size: Size) -> Rect {
    Rect(x: origin.cross, y: origin.main, width: size.width, height: size.height)
  }
  static func setMain(_ main: Double, of rect: inout Rect) { rect.y = main }
  static func leadingMain(_ insets: Insets) -> Double { insets.top }
  static func trailingMain(_ insets: Insets) -> Double { insets.bottom }
  static func leadingCross(_ insets: Insets) -> Double { insets.left }
  static func trailingCross(_ insets: Insets) -> Double { insets.right }
}

enum Horizontal: ScrollAxis {
  static func main(_ size: Size) -> Double { size.width }
  static func cross(_ size: Size) -> Double { size.height }
  static func size(main: Double, cross: Double) -> Size { Size(width: main, height: cross) }
  static func rect(_ origin: AxisVector, size: Size) -> Rect {
    Rect(x: origin.main, y: origin.cross, width: size.width, height: size.height)
  }
  static func setMain(_ main: Double, of rect: inout Rect) { rect.x = main }
  static func leadingMain(_ insets: Insets) -> Double { insets.left }
  static func trailingMain(_ insets: Insets) -> Double { insets.right }
  static func leadingCross(_ insets: Insets) -> Double { insets.top }
  static func trailingCross(_ insets: Insets) -> Double { insets.bottom }
}
