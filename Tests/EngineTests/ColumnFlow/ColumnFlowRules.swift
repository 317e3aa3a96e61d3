import TesseraGeometry
import TesseraHost

/// The rules of the column-flow engine as they are written down: what it gives flow, whose rules are
/// followed from there on.
struct ColumnFlowRules {
  var minColumnWidth = 300.0
  var cellHeight = 70.0
  /// The parameter, from which columns are counted.
  var interitemSpacing = 10.0
  /// Bounds, insets, scale and, for each section, what column-flow leaves to the user.
  var flow = FlowRules()

  /// Counted one by one until the next does not fit.
  var columns: Int {
    let margins = flow.layoutMargins
    let available = max(0, flow.bounds.width - margins.left - margins.right)
    var count = 1
    while Double(count + 1) * minColumnWidth <= available { count += 1 }
    return count
  }

  /// What of the extent the safe area leaves.
  var line: Double {
    let (insets, safeArea) = (flow.contentInsets, flow.safeArea)
    return max(0, flow.bounds.width - insets.left - insets.right)
      - max(0, safeArea.left - insets.left) - max(0, safeArea.right - insets.right)
  }

  var cellWidth: Double {
    let margins = flow.layoutMargins
    let available = max(0, flow.bounds.width - margins.left - margins.right)
    let count = Double(columns)
    let width = (available / count).rounded(.down)
    let gaps = (count - 1) * interitemSpacing
    if count * width + gaps <= line { return width }
    return max(0, ((line - gaps) / count).rounded(.down))
  }

  func place() -> Placement {
    var rules = flow
    rules.reference = "safeArea"
    rules.sections = flow.sections.map { section in
      var section = section
      section.inset = Insets(top: interitemSpacing)
      let size = Size(width: cellWidth, height: cellHeight)
      section.sizes = Array(repeating: size, count: section.sizes.count)
      return section
    }
    return rules.place()
  }

  /// Gives a session of the engine what the rules are followed for.
  func apply(to session: Session) throws {
    session.bounds = flow.bounds
    session.contentInsets = flow.contentInsets
    session.safeAreaInsets = flow.safeArea
    session.layoutMargins = flow.layoutMargins
    session.scale = flow.scale
    let sections = flow.sections
    for (name, value) in [
      ("minColumnWidth", Value.number(minColumnWidth)), ("cellHeight", .number(cellHeight)),
      ("minimumInteritemSpacing", .number(interitemSpacing)),
      ("scrollDirection", .choice(flow.isHorizontal ? "horizontal" : "vertical")),
    ] {
      try session.setParameter(name, to: value)
    }
    try session.setSections(sections.map(\.sizes.count))
    try session.setSectionValues("minimumLineSpacing", .numbers(sections.map(\.lineSpacing)))
    try session.setSectionValues(
      "minimumInteritemSpacing", .numbers(sections.map(\.interitemSpacing)))
    try session.setSectionValues("headerReferenceSize", .sizes(sections.map(\.header)))
    try session.setSectionValues("footerReferenceSize", .sizes(sections.map(\.footer)))
    // What the engine decides itself hides what the user gives for it.
    try session.setItemValues("size", .sizes(sections.flatMap(\.sizes)))
    try session.setSectionValues("sectionInset", .insets(sections.map(\.inset)))
  }
}
