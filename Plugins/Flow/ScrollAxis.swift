import TesseraSDK

/// Which of x and y is the scroll axis, called main, and which lies across it.
///
/// A type rather than a value, so that a layout is compiled for each and tests nothing an item.
protocol ScrollAxis {
  static func main(_ size: Size) -> Double
  static func cross(_ size: Size) -> Double
  static func size(main: Double, cross: Double) -> Size
  static func origin(main: Double, cross: Double) -> SIMD2<Double>
  static func leadingMain(_ insets: Insets) -> Double
  static func trailingMain(_ insets: Insets) -> Double
  static func leadingCross(_ insets: Insets) -> Double
  static func trailingCross(_ insets: Insets) -> Double
}

enum Vertical: ScrollAxis {
  static func main(_ size: Size) -> Double { size.height }
  static func cross(_ size: Size) -> Double { size.width }
  static func size(main: Double, cross: Double) -> Size { Size(width: cross, height: main) }
  static func origin(main: Double, cross: Double) -> SIMD2<Double> { SIMD2(x: cross, y: main) }
  static func leadingMain(_ insets: Insets) -> Double { insets.top }
  static func trailingMain(_ insets: Insets) -> Double { insets.bottom }
  static func leadingCross(_ insets: Insets) -> Double { insets.left }
  static func trailingCross(_ insets: Insets) -> Double { insets.right }
}

enum Horizontal: ScrollAxis {
  static func main(_ size: Size) -> Double { size.width }
  static func cross(_ size: Size) -> Double { size.height }
  static func size(main: Double, cross: Double) -> Size { Size(width: main, height: cross) }
  static func origin(main: Double, cross: Double) -> SIMD2<Double> { SIMD2(x: main, y: cross) }
  static func leadingMain(_ insets: Insets) -> Double { insets.left }
  static func trailingMain(_ insets: Insets) -> Double { insets.right }
  static func leadingCross(_ insets: Insets) -> Double { insets.top }
  static func trailingCross(_ insets: Insets) -> Double { insets.bottom }
}
