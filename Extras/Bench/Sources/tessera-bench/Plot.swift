import Glibc
import TesseraGeometry

/// A plot of times over counts, both on a logarithmic scale.
public struct Plot {
  /// A line through points, with its name at the end.
  public struct Line {
    /// The name at the end of the line, unless it is dashed.
    public var name: String
    /// The number of its colour; nil for a thin grey line.
    public var colour: Int?
    /// Whether it is dashed.
    public var isDashed: Bool
    /// Counts and seconds, all above 0, by ascending count.
    public var points: [Point]

    /// A line through points.
    public init(name: String, colour: Int?, isDashed: Bool = false, points: [Point]) {
      (self.name, self.colour, self.isDashed, self.points) = (name, colour, isDashed, points)
    }
  }

  /// The title.
  public var title: String
  /// What the looks of the lines mean.
  public var note: String
  /// What is counted.
  public var axis: String
  /// The lines.
  public var lines: [Line]

  /// A plot of lines.
  public init(title: String, note: String, axis: String, lines: [Line]) {
    (self.title, self.note, self.axis, self.lines) = (title, note, axis, lines)
  }

  /// Writes the plot as an SVG document in UTF-8.
  public func writeSVG<Failure: Error>(
    to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    try Markup.stream(head: head + grid, lines, tail: labels + "</svg>\n", to: sink) {
      $1 += drawing(of: $0)
    }
  }

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

  /// The powers of ten that the points lie between, at least one decade.
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

  private var head: Markup {
    """
    <svg xmlns="http://www.w3.org/2000/svg" width="\(Self.size.width)" height="\(Self.size.height)" \
    viewBox="0 0 \(Self.size.width) \(Self.size.height)" role="img" font-family="\(Self.fonts)">
    <title>\(title)</title>
    <rect x="0.5" y="0.5" width="\(Self.size.width - 1)" height="\(Self.size.height - 1)" rx="12" \
    fill="#ffffff" stroke="#d8dce3"/>
    <text x="24" y="36" font-size="16" font-weight="600" fill="#1f2733">\(title)</text>
    <text x="24" y="56" font-size="12" fill="#5d6878">\(note)</text>

    """
  }

  /// A line and a label for each power of ten.
  private var grid: Markup {
    let frame = Self.frame
    var grid: Markup = "<g stroke=\"#e3e6eb\" font-size=\"12\">\n"
    for power in decades(\.x) {
      let x = x(pow(10, Double(power)))
      grid += """
        <line x1="\(x)" y1="\(frame.minY)" x2="\(x)" y2="\(frame.maxY)"/>\
        <text x="\(x)" y="\(frame.maxY + 20)" text-anchor="middle" stroke="none" \
        fill="#5d6878">\(Self.count(power))</text>

        """
    }
    for power in decades(\.y) {
      let y = y(pow(10, Double(power)))
      grid += """
        <line x1="\(frame.minX)" y1="\(y)" x2="\(frame.maxX)" y2="\(y)"/>\
        <text x="\(frame.minX - 8)" y="\(y + 4)" text-anchor="end" stroke="none" \
        fill="#5d6878">\(Self.time(power))</text>

        """
    }
    return grid + """
      <text x="\(frame.midX)" y="\(frame.maxY + 40)" text-anchor="middle" stroke="none" \
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

  private func drawing(of line: Line) -> Markup {
    let colour = colour(line)
    let points = line.points.map { "\(x($0.x)),\(y($0.y))" as Markup }.joined(" ")
    let dash: Markup = line.isDashed ? " stroke-dasharray=\"5 4\"" : ""
    let width = line.colour == nil || line.isDashed ? 1.5 : 2.0
    var drawing: Markup = """
      <polyline points="\(points)" fill="none" stroke="\(colour)" stroke-width="\(width)" \
      stroke-linejoin="round"\(dash)/>

      """
    for point in line.points where !line.isDashed {
      drawing += """
        <circle cx="\(x(point.x))" cy="\(y(point.y))" r="2.5" fill="\(colour)"/>

        """
    }
    return drawing
  }

  /// The names at the ends of the lines, moved apart where they would overlap.
  private var labels: Markup {
    let named = lines.filter { !$0.isDashed && !$0.points.isEmpty }
    var places = named.map { (line: $0, end: y($0.points[$0.points.count - 1].y), y: 0.0) }
    places.sort { $0.end < $1.end }
    let gap = 14.0
    var least = -Double.infinity
    for index in places.indices {
      places[index].y = max(places[index].end, least)
      least = places[index].y + gap
    }
    // Back into the frame from below.
    var most = Self.frame.maxY
    for index in places.indices.reversed() {
      places[index].y = min(places[index].y, most)
      most = places[index].y - gap
    }
    var labels: Markup = "<g font-size=\"12\">\n"
    for place in places {
      let x = x(place.line.points[place.line.points.count - 1].x)
      let colour = colour(place.line)
      labels += """
        <path d="M\(x + 4) \(place.end)L\(x + 12) \(place.y)" stroke="\(colour)" fill="none"/>\
        <text x="\(x + 16)" y="\(place.y + 4)" fill="\(colour)">\(place.line.name)</text>

        """
    }
    return labels + "</g>\n"
  }
}
