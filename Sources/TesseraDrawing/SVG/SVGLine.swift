import TesseraGeometry

/// One line of text, placed by its middle's distance from the element's centre, in pixels.
struct SVGLine {
  enum Anchor: String {
    case start, middle, end
  }

  let text: String
  let fontSize: Double
  let weight: Int
  var dx = 0.0
  var dy = 0.0
  var anchor = Anchor.middle
  /// Whether it reads downward; dx then goes down and dy to the left.
  var isUpright = false

  init(text: String, fontSize: Double, weight: Int, dy: Double = 0) {
    self.text = text
    self.fontSize = fontSize
    self.weight = weight
    self.dy = dy
  }

  /// - Parameters:
  ///   - pixel: what a pixel is in the units of the frame.
  ///   - tangent: where the frame's neighbourhood of its centre goes; nil where it stays.
  func markup(ink: String, pixel: Double, frame: Rect, tangent: PlaneTransform?) -> Markup {
    let anchoring: Markup = anchor == .middle ? "" : " text-anchor=\"\(anchor.rawValue)\""
    return """
      <text \(place(pixel: pixel, frame: frame, tangent: tangent)) \
      font-size="\(fontSize * pixel)" font-weight="\(weight)"\(anchoring) \
      fill="\(ink)">\(text)</text>
      """
  }

  private func place(pixel: Double, frame: Rect, tangent: PlaneTransform?) -> Markup {
    let x = dx * pixel
    let y = (dy + fontSize * 0.36) * pixel
    let turn: Markup = isUpright ? " rotate(90)" : ""
    if let tangent {
      return """
        transform="matrix(\(tangent.a) \(tangent.b) \(tangent.c) \(tangent.d) \
        \(tangent.origin.x) \(tangent.origin.y))\(turn)" x="\(x)" y="\(y)"
        """
    }
    if isUpright {
      return "transform=\"translate(\(frame.midX) \(frame.midY))\(turn)\" x=\"\(x)\" y=\"\(y)\""
    }
    return "x=\"\(frame.midX + x)\" y=\"\(frame.midY + y)\""
  }
}
