/// How a sort of element looks: its class, its paint, the colour of its text, its corners.
struct SVGLook {
  let name: String
  let paint: Markup
  let ink: String
  /// How round its corners are, in pixels.
  let radius: Double

  static func cell(fill: String, ink: String) -> SVGLook {
    SVGLook(
      name: "cell", paint: " fill=\"\(fill)\" stroke=\"\(ink)\" stroke-opacity=\"0.22\"", ink: ink,
      radius: 4)
  }

  /// A picture in a cell.
  static func picture(fill: String, ink: String) -> SVGLook {
    SVGLook(
      name: "picture", paint: " fill=\"\(fill)\" pointer-events=\"none\"", ink: ink, radius: 2)
  }

  /// What dims an element.
  static func mask(opacity: Double, radius: Double) -> SVGLook {
    SVGLook(
      name: "mask",
      paint: " fill=\"#3d4552\" fill-opacity=\"\(opacity)\" pointer-events=\"none\"",
      ink: "#3d4552", radius: radius)
  }

  /// A dark bar.
  static let header = SVGLook(
    name: "header", paint: " fill=\"#3b4758\"", ink: "#ffffff", radius: 0)
  /// A light bar with a dark edge.
  static let footer = SVGLook(
    name: "footer", paint: " fill=\"#ffffff\" stroke=\"#3b4758\"", ink: "#3b4758", radius: 0)
  /// Any other supplementary element: a dark plate with round ends.
  static let badge = SVGLook(
    name: "supplementary", paint: " fill=\"#5d6878\"", ink: "#ffffff", radius: 12)
  /// A hatched ground.
  static let decoration = SVGLook(
    name: "decoration",
    paint: " fill=\"url(#\(SVGPatterns.decoration))\" stroke=\"#aab3c0\"", ink: "#566173",
    radius: 0)
  /// A decoration too thin for hatching.
  static let line = SVGLook(
    name: "decoration", paint: " fill=\"#7b8797\"", ink: "#566173", radius: 0)
}
