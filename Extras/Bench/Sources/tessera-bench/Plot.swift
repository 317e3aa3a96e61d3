import Glibc
import TesseraHost

/// Times over counts, on logarithmic scales.
struct Plot {
  struct Line {
    /// At the end of the line, unless it is dashed.
    var name: String
    /// Palette index; nil for a thin grey line.
    var colour: Int?
    var isDashed: Bool
    /// Counts and seconds, all above 0, by ascending count.
    var points: [Point]

    init(name: String, colour: Int?, isDashed: Bool = false, points: [Point]) {
      (self.name, self.colour, self.isDashed, self.points) = (name, colour, isDashed, points)
    }
  }

  var title: String
  var note: String
  var axis: String
  var lines: [Line]

  init(title: String, note: String, axis: String, lines: [Line]) {
    (self.title, self.note, self.axis, self.lines) = (title, note, axis, lines)
  }

  var svg: String { head + grid + lines.map(drawing).joined() + labels + "</svg>\n" }

  private static let size = Size(width: 760, height: 520)
  private static let frame = Rect(x: 76, y: 72, width: 560, height: 396)
  private static let colours = [
    "#1864ab", "#c92a2a", "#2b8a3e", "#d9480f", "#862e9c", "#0b7285", "#a61e4d", "#364fc7",
  ]
  private static let fonts =
    "ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif"

  private func colour(_ line: Line) -> String {
    line.colour.map { Self.colours[abs($0) % Self.colours.count] } ?? "#868e96"
  }

  /// Powers of ten around the points, at least one decade.
  private func decades(_ value: (Point) -> Double) -> ClosedRange<Int> {
    let values = lines.flatMap(\.points).map(value).filter { $0 > 0 && $0.isFinite }
    guard let low = values.min(), let high = values.max() else { return 0...1 }
    let first = Int(log10(low).rounded(.down))
    return first...max(first + 1, Int(log10(high).rounded(.up)))
  }

  private func x(_ count: Double) -> Double {
    let range = decades(\.x)
    return Self.frame.x + Self.frame.width * (log10(count) - Double(range.lowerBound))
      / Double(range.upperBound - range.lowerBound)
  }

  private func y(_ seconds: Double) -> Double {
    let range = decades(\.y)
    return Self.frame.y + Self.frame.height * (Double(range.upperBound) - log10(seconds))
      / Double(range.upperBound - range.lowerBound)
  }

  private var head: String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" width="\(text: Self.size.width)" height="\(text: Self.size.height)" \
    viewBox="0 0 \(text: Self.size.width) \(text: Self.size.height)" role="img" font-family="\(Self.fonts)">
    <title>\(title.escaped)</title>
    <rect x="0.5" y="0.5" width="\(text: Self.size.width - 1)" height="\(text: Self.size.height - 1)" rx="12" \
    fill="#ffffff" stroke="#d8dce3"/>
    <text x="24" y="36" font-size="16" font-weight="600" fill="#1f2733">\(title.escaped)</text>
    <text x="24" y="56" font-size="12" fill="#5d6878">\(note.escaped)</text>

    """
  }

  private var grid: String {
    let frame = Self.frame
    var grid: String = "<g stroke=\"#e3e6eb\" font-size=\"12\">\n"
    for power in decades(\.x) {
      let x = x(pow(10, Double(power)))
      grid += """
        <line x1="\(text: x)" y1="\(text: frame.minY)" x2="\(text: x)" y2="\(text: frame.maxY)"/>\
        <text x="\(text: x)" y="\(text: frame.maxY + 20)" text-anchor="middle" stroke="none" \
        fill="#5d6878">\(Self.count(power))</text>

        """
    }
    for power in decades(\.y) {
      let y = y(pow(10, Double(power)))
      grid += """
        <line x1="\(text: frame.minX)" y1="\(text: y)" x2="\(text: frame.maxX)" y2="\(text: y)"/>\
        <text x="\(text: frame.minX - 8)" y="\(text: y + 4)" text-anchor="end" stroke="none" \
        fill="#5d6878">\(Self.time(power))</text>

        """
    }
    return grid + """
      <text x="\(text: frame.midX)" y="\(text: frame.maxY + 40)" text-anchor="middle" stroke="none" \
      fill="#5d6878">\(axis)</text>
      </g>

      """
  }

  private static func count(_ power: Int) -> String {
    guard 0...12 ~= power else { return "1e\(power)" }
    let unit = ["", "k", "M", "G", "T"][power / 3]
    return "1\(String(repeating: "0", count: power % 3))\(unit)"
  }

  private static func time(_ power: Int) -> String {
    guard -12...2 ~= power else { return "1e\(power) s" }
    let group = (power + 12) / 3
    let unit = ["ps", "ns", "µs", "ms", "s"][group]
    return "1\(String(repeating: "0", count: power + 12 - 3 * group)) \(unit)"
  }

  private func drawing(of line: Line) -> String {
    let colour = colour(line)
    let points = line.points.map { "\(text: x($0.x)),\(text: y($0.y))" }.joined(separator: " ")
    let dash: String = line.isDashed ? " stroke-dasharray=\"5 4\"" : ""
    let width = line.colour == nil || line.isDashed ? 1.5 : 2.0
    var drawing: String = """
      <polyline points="\(points)" fill="none" stroke="\(colour)" stroke-width="\(text: width)" \
      stroke-linejoin="round"\(dash)/>

      """
    for point in line.points where !line.isDashed {
      drawing += """
        <circle cx="\(text: x(point.x))" cy="\(text: y(point.y))" r="2.5" fill="\(colour)"/>

        """
    }
    return drawing
  }

  /// Line names, moved apart where they would overlap.
  private var labels: String {
    let named = lines.filter { !$0.isDashed && !$0.points.isEmpty }
    var places = named.map { (line: $0, end: y($0.points[$0.points.count - 1].y), y: 0.0) }
    places.sort { $0.end < $1.end }
    let gap = 14.0
    var least = -Double.infinity
    for index in places.indices {
      places[index].y = max(places[index].end, least)
      least = places[index].y + gap
    }
    var most = Self.frame.maxY
    for index in places.indices.reversed() {
      places[index].y = min(places[index].y, most)
      most = places[index].y - gap
    }
    var labels: String = "<g font-size=\"12\">\n"
    for place in places {
      let x = x(place.line.points[place.line.points.count - 1].x)
      let colour = colour(place.line)
      labels += """
        <path d="M\(text: x + 4) \(text: place.end)L\(text: x + 12) \(text: place.y)" stroke="\(colour)" fill="none"/>\
        <text x="\(text: x + 16)" y="\(text: place.y + 4)" fill="\(colour)">\(place.line.name.escaped)</text>

        """
    }
    return labels + "</g>\n"
  }
}

extension String {
  fileprivate var escaped: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}

extension DefaultStringInterpolation {
  /// A coordinate, to a thousandth.
  fileprivate mutating func appendInterpolation(text number: Double) {
    appendInterpolation(((number * 1000).rounded() / 1000).shortText)
  }
}
