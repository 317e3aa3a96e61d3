/// The animation elements of SVG that play along a timeline, over and over.
struct SVGMotion {
  private let timing: Markup
  private let ends: Markup
  private let samples: Markup
  private let start: Markup
  private let end: Markup

  init(_ timeline: Timeline) {
    timing = " dur=\"\(timeline.cycle)s\" repeatCount=\"indefinite\""
    start = "\(exact: timeline.moment(0))"
    end = "\(exact: timeline.moment(1))"
    ends = "0;\(start);\(end);1"
    var times: Markup = "0"
    for progress in Timeline.samples { times += ";\(exact: timeline.moment(progress))" }
    times += ";1"
    samples = times
  }

  /// An attribute that goes from one value to another in proportion; nothing where they are equal.
  func animate(_ attribute: Markup, from: Double, to: Double) -> Markup {
    guard from != to else { return "" }
    return animate(attribute, values: "\(from);\(from);\(to);\(to)", times: ends)
  }

  /// An attribute that takes one value at each of `Timeline.samples`, or goes from the first of two
  /// values to the second in proportion; nothing where all are equal.
  func animate(_ attribute: Markup, values: [Markup]) -> Markup {
    guard let first = values.first, values.contains(where: { $0 != first }) else { return "" }
    return animate(
      attribute, values: Self.list(values), times: values.count == 2 ? ends : samples)
  }

  /// A movement by offsets that ends where it is drawn; nothing where there is none.
  func move(fromX x: Double, y: Double) -> Markup {
    guard x != 0 || y != 0 else { return "" }
    return transform(
      "translate", values: "\(x) \(y);\(x) \(y);0 0;0 0", times: ends, isFirst: true)
  }

  /// One of several transforms on an element, with a value at each of `Timeline.samples`.
  func transform(_ type: Markup, samples values: [Markup], isFirst: Bool) -> Markup {
    transform(type, values: Self.list(values), times: samples, isFirst: isFirst)
  }

  /// Whether something is seen: before the movement, during it, and after it.
  func visibility(_ before: Bool, _ during: Bool, _ after: Bool) -> Markup {
    if before, during, after { return "" }
    let words = [before, during, after].map { $0 ? "visible" : "hidden" as Markup }
    return """
      <animate attributeName="visibility" calcMode="discrete" \
      values="\(words[0]);\(words[1]);\(words[2])" keyTimes="0;\(start);\(end)"\(timing)/>
      """
  }

  private func animate(_ attribute: Markup, values: Markup, times: Markup) -> Markup {
    """
    <animate attributeName="\(attribute)" values="\(values)" keyTimes="\(times)"\(timing)/>
    """
  }

  private func transform(
    _ type: Markup, values: Markup, times: Markup, isFirst: Bool
  ) -> Markup {
    """
    <animateTransform attributeName="transform" type="\(type)" \
    additive="\(isFirst ? "replace" : "sum")" values="\(values)" \
    keyTimes="\(times)"\(timing)/>
    """
  }

  /// Values with the first and the last held while the layouts rest.
  private static func list(_ values: [Markup]) -> Markup {
    var list: Markup = ""
    for value in values.prefix(1) + values { list += "\(value);" }
    return list + (values.last ?? "")
  }
}
