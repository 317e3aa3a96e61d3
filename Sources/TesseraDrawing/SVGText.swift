import TesseraGeometry
import TesseraHost

/// Lengths are in pixels.
struct SVGTypesetter {
  let size: Size
  let isReversed: Bool

  static let smallest = 6.5
  private static let indent = 10.0

  /// A large number with the label below, or both on one line in a cell like a row.
  func cell(number: Int, label: String?) -> [SVGLine] {
    let digits = String(number)
    if let label, !label.isEmpty {
      let isRow = size.height < 36 || size.width > 4 * size.height
      let lines = isRow ? row(digits, label: label) : stack(digits, label: label)
      if !lines.isEmpty { return lines }
    }
    let fitting = min(
      size.height * 0.45, size.width * 0.8 / estimatedWidth(of: digits, fontSize: 1), 24)
    guard fitting >= Self.smallest else { return [] }
    return [SVGLine(text: digits, fontSize: fitting, weight: 600)]
  }

  private func stack(_ digits: String, label: String) -> [SVGLine] {
    let room = size.width - Self.indent
    guard let text = fitted(label, width: room, fontSize: 11) else { return [] }
    let large = min(22, size.height * 0.36, room / estimatedWidth(of: digits, fontSize: 1))
    guard large >= Self.smallest else { return [] }
    return [
      SVGLine(text: digits, fontSize: large, weight: 600, dy: -8),
      SVGLine(text: text, fontSize: 11, weight: 400, dy: large / 2 + 2),
    ]
  }

  private func row(_ digits: String, label: String) -> [SVGLine] {
    let fontSize = min(13, size.height * 0.6)
    let taken = Self.indent + max(24, estimatedWidth(of: digits, fontSize: fontSize) + 8)
    guard fontSize >= Self.smallest,
      let text = fitted(label, width: size.width - taken - Self.indent, fontSize: fontSize)
    else { return [] }
    return [
      leading(SVGLine(text: digits, fontSize: fontSize, weight: 600), inset: Self.indent),
      leading(SVGLine(text: text, fontSize: fontSize, weight: 400), inset: taken),
    ]
  }

  /// A name along the leading edge, centred if short; else the kind, or nothing.
  ///
  /// - Parameter isLevel: Whether the text never turns.
  func bar(_ texts: [String], isLevel: Bool) -> [SVGLine] {
    let isUpright = !isLevel && size.height > size.width && size.width < 60
    let length = isUpright ? size.height : size.width
    let fontSize = min(12, (isUpright ? size.width : size.height) * 0.7)
    guard fontSize >= Self.smallest,
      let name = texts.first(where: { estimatedWidth(of: $0, fontSize: fontSize) <= length - 6 })
    else { return [] }
    let width = estimatedWidth(of: name, fontSize: fontSize)
    var line = SVGLine(text: name, fontSize: fontSize, weight: 600)
    if isUpright {
      line.isUpright = true
      line.anchor = "start"
      line.dx = -(length - width) / 2
      if length - width > 2 * Self.indent { line.dx = Self.indent - length / 2 }
    } else if length - width > 2 * Self.indent {
      line = leading(line, inset: Self.indent)
    }
    return [line]
  }

  /// At the first free place: top, bottom, middle or leading side.
  ///
  /// - Parameter isFree: Relative to the decoration's corner.
  func note(_ texts: [String], isFree: (Rect) -> Bool) -> [SVGLine] {
    let fontSize = 10.0
    let thickness = 15.0
    for name in texts {
      let width = estimatedWidth(of: name, fontSize: fontSize) + 8
      if size.width >= width, size.height >= thickness {
        let start = isReversed ? size.width - width : 0
        for y in [0, size.height - thickness, (size.height - thickness) / 2] {
          let room = Rect(x: start, y: y, width: width, height: thickness)
          guard isFree(room) else { continue }
          var line = SVGLine(text: name, fontSize: fontSize, weight: 400)
          line.dy = room.midY - size.height / 2
          return [leading(line, inset: 5)]
        }
      }
      let edge = isReversed ? size.width - thickness : 0
      let upright = Rect(x: edge, y: 0, width: thickness, height: width)
      if size.width >= thickness, size.height >= width, isFree(upright) {
        var line = SVGLine(text: name, fontSize: fontSize, weight: 400)
        line.isUpright = true
        line.anchor = "start"
        line.dx = 5 - size.height / 2
        line.dy = size.width / 2 - upright.midX
        return [line]
      }
    }
    return []
  }

  private func leading(_ line: SVGLine, inset: Double) -> SVGLine {
    var line = line
    line.dx = isReversed ? size.width / 2 - inset : inset - size.width / 2
    line.anchor = isReversed ? "end" : "start"
    return line
  }
}

/// Placed by its middle's distance from the element's centre, in pixels.
struct SVGLine {
  let text: String
  let fontSize: Double
  let weight: Int
  var dx = 0.0
  var dy = 0.0
  var anchor: Markup?
  /// dx then points down and dy to the left.
  var isUpright = false

  init(text: String, fontSize: Double, weight: Int, dy: Double = 0) {
    (self.text, self.fontSize, self.weight, self.dy) = (text, fontSize, weight, dy)
  }

  func markup(ink: String, pixel: Double, frame: Rect, tangent: PlaneTransform?) -> Markup {
    let anchoring: Markup = anchor.map { " text-anchor=\"\($0)\"" } ?? ""
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

/// Generous, as fonts are unknown; in the unit of `fontSize`.
func estimatedWidth(of text: String, fontSize: Double) -> Double {
  var ems = 0.0
  for character in text { ems += estimatedEms(of: character) }
  return ems * fontSize
}

/// Names often differ at their ends, so the ellipsis is in the middle; nil if unreadable.
func fitted(_ text: String, width: Double, fontSize: Double) -> String? {
  let room = width / fontSize
  var ems = 0.0
  // A text may be much longer than its space.
  for character in text {
    ems += estimatedEms(of: character)
    if ems > room { return shortened(text, room: room - estimatedEms(of: "…")) }
  }
  return text.isEmpty ? nil : text
}

/// The start may have one more character.
private func shortened(_ text: String, room: Double) -> String? {
  var (start, end) = (text.startIndex, text.endIndex)
  var (room, count) = (room, 0)
  while start < end {
    let isStart = count % 2 == 0
    let next = isStart ? start : text.index(before: end)
    room -= estimatedEms(of: text[next])
    guard room >= 0 else { break }
    if isStart { start = text.index(after: start) } else { end = next }
    count += 1
  }
  return count < 2 ? nil : "\(text[..<start])…\(text[end...])"
}

private func estimatedEms(of character: Character) -> Double {
  guard let scalar = character.unicodeScalars.first else { return 0 }
  switch scalar {
  case "i", "j", "l", "I", "'", ".", ",", ":", ";", "|", "!", " ", "·": return 0.36
  case "m", "w", "M", "W", "@", "%", "…": return 0.95
  case "A"..."Z": return 0.72
  case "\u{0}"..."\u{2FF}": return 0.6
  case "\u{370}"..."\u{10FF}": return 0.68
  default: return scalar.value < 0x1100 ? 0.68 : 1.05
  }
}
