import TesseraGeometry

/// Finds room for an element's text; all lengths are in pixels as drawn.
struct SVGTypesetter {
  /// The element's extent.
  let size: Size

  private static let smallest = 6.5

  /// A cell's number in its middle, as large as suits, with the label below it or beside it.
  func cell(number: Int, label: String?) -> [SVGLine] {
    let digits = String(number)
    if let label, !label.isEmpty {
      let lines = labelled(digits, label: label)
      if !lines.isEmpty { return lines }
    }
    let fitting = min(
      size.height * 0.45, size.width * 0.8 / estimatedWidth(of: digits, fontSize: 1), 24)
    guard fitting >= Self.smallest else { return [] }
    return [SVGLine(text: digits, fontSize: fitting, weight: 600)]
  }

  private func labelled(_ digits: String, label: String) -> [SVGLine] {
    let room = size.width - 10
    if size.height >= 36 {
      guard let text = fitted(label, width: room, fontSize: 11) else { return [] }
      let large = min(22, size.height * 0.36, room / estimatedWidth(of: digits, fontSize: 1))
      guard large >= Self.smallest else { return [] }
      return [
        SVGLine(text: digits, fontSize: large, weight: 600, dy: -8),
        SVGLine(text: text, fontSize: 11, weight: 400, dy: large / 2 + 2),
      ]
    }
    guard size.height >= 10, size.width > 60,
      let text = fitted("\(digits) · \(label)", width: room, fontSize: min(11, size.height * 0.75))
    else { return [] }
    return [SVGLine(text: text, fontSize: min(11, size.height * 0.75), weight: 400)]
  }

  /// A name along the leading edge of a bar, upright where the bar is, or in its middle where it is
  /// short; nothing where it does not fit.
  ///
  /// - Parameter isAtTop: whether it goes to the top edge, since the middle is covered by others.
  func bar(_ name: String, isReversed: Bool, isAtTop: Bool) -> [SVGLine] {
    let isUpright = size.height > size.width && size.width < 60
    let length = isUpright ? size.height : size.width
    let thickness = isUpright ? size.width : size.height
    let fontSize = min(isAtTop ? 10 : 12, thickness * 0.7)
    guard fontSize >= Self.smallest else { return [] }
    let width = estimatedWidth(of: name, fontSize: fontSize)
    guard width <= length - 6 else { return [] }
    var line = SVGLine(text: name, fontSize: fontSize, weight: isAtTop ? 400 : 600)
    line.isUpright = isUpright
    if length - width > 20 {
      let toEdge = length / 2 - 10
      line.dx = isReversed && !isUpright ? toEdge : -toEdge
      line.anchor = isReversed && !isUpright ? "end" : "start"
    }
    if isAtTop && thickness > 30 { line.dy = -(thickness / 2 - 10) }
    return [line]
  }
}

/// One line of text, placed by its middle's distance from the element's centre.
struct SVGLine {
  let text: String
  let fontSize: Double
  let weight: Int
  var dx = 0.0
  var dy = 0.0
  var anchor = "middle"
  /// Whether it reads downward.
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
    let x = dx * pixel
    let y = (dy + fontSize * 0.36) * pixel
    let anchoring: Markup = anchor == "middle" ? "" : " text-anchor=\"\(anchor)\""
    let place: Markup
    if let tangent {
      place = """
         transform="matrix(\(tangent.a) \(tangent.b) \(tangent.c) \(tangent.d) \
        \(tangent.origin.x) \(tangent.origin.y))\(isUpright ? " rotate(90)" : "")" \
        x="\(x)" y="\(y)"
        """
    } else if isUpright {
      place =
        " transform=\"translate(\(frame.midX) \(frame.midY)) rotate(90)\" x=\"\(x)\" y=\"\(y)\""
    } else {
      place = " x=\"\(frame.midX + x)\" y=\"\(frame.midY + y)\""
    }
    return """
      <text\(place) font-size="\(fontSize * pixel)" font-weight="\(weight)"\(anchoring) \
      fill="\(ink)">\(text)</text>
      """
  }
}
