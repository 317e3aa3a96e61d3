import TesseraGeometry

/// Finds room for an element's text; all lengths are in pixels as drawn.
struct SVGTypesetter {
  /// The element's extent.
  let size: Size
  /// Whether lines start at the right.
  let isReversed: Bool

  private static let smallest = 6.5
  private static let indent = 10.0

  /// A cell's number in its middle, as large as suits, with the label below it, or both from the
  /// leading edge where the cell is a row.
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

  /// A name along the leading edge of a bar, upright where the bar is, or in its middle where it is
  /// short; nothing where it does not fit.
  func bar(_ name: String) -> [SVGLine] {
    let isUpright = size.height > size.width && size.width < 60
    let length = isUpright ? size.height : size.width
    let fontSize = min(12, (isUpright ? size.width : size.height) * 0.7)
    let width = estimatedWidth(of: name, fontSize: fontSize)
    guard fontSize >= Self.smallest, width <= length - 6 else { return [] }
    var line = SVGLine(text: name, fontSize: fontSize, weight: 600)
    if isUpright {
      line.isUpright = true
      line.anchor = .start
      line.dx = -(length - width) / 2
      if length - width > 2 * Self.indent { line.dx = Self.indent - length / 2 }
    } else if length - width > 2 * Self.indent {
      line = leading(line, inset: Self.indent)
    }
    return [line]
  }

  /// Small text for a decoration: along its top, its foot, its middle or its leading side, on
  /// the first of them that nothing lies on.
  ///
  /// - Parameter isFree: whether a rectangle, from the decoration's own corner, is not covered.
  func note(_ name: String, isFree: (Rect) -> Bool) -> [SVGLine] {
    let fontSize = 10.0
    let thickness = 15.0
    let width = estimatedWidth(of: name, fontSize: fontSize) + 8
    let edge = isReversed ? size.width - thickness : 0
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
    let upright = Rect(x: edge, y: 0, width: thickness, height: width)
    guard size.width >= thickness, size.height >= width, isFree(upright) else { return [] }
    var line = SVGLine(text: name, fontSize: fontSize, weight: 400)
    line.isUpright = true
    line.anchor = .start
    line.dx = 5 - size.height / 2
    line.dy = size.width / 2 - upright.midX
    return [line]
  }

  private func leading(_ line: SVGLine, inset: Double) -> SVGLine {
    var line = line
    line.dx = isReversed ? size.width / 2 - inset : inset - size.width / 2
    line.anchor = isReversed ? .end : .start
    return line
  }
}
