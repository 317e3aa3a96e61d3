import TesseraGeometry
import TesseraHost

/// The rules of the even-flow engine as they are written down, over what the rules of flow come to.
///
/// Lines must be further apart than a pixel.
struct EvenFlowRules {
  /// What even-flow leaves to the user.
  var flow = FlowRules()

  /// An element and where it goes before its edges are put on whole points.
  struct Place {
    var frame: Rect
    var zIndex = 0
    var isIntegral = false
  }

  func places() -> [ElementIdentity: Place] {
    let placement = flow.place()
    var places: [ElementIdentity: Place] = [:]
    for entry in placement.entries { places[entry.identity] = Place(frame: entry.frame) }
    for (number, section) in flow.sections.enumerated() {
      let entries = placement.entries.filter {
        $0.identity.section == number && $0.identity.category == .cell
      }
      let width = placement.contentSize.width - section.inset.left - section.inset.right
      // Before rounding, the cells of a line have one centre.
      var lines: [[Placement.Entry]] = []
      for entry in entries {
        if let last = lines.last?.last, abs(last.frame.midY - entry.frame.midY) < 1e-6 {
          lines[lines.count - 1].append(entry)
        } else {
          lines.append([entry])
        }
      }
      for line in lines {
        let f = width / (2 * Double(line.count))
        for (j, entry) in line.enumerated() {
          var frame = entry.frame
          let centre = section.inset.left + f + 2 * f * Double(j)
          frame.x = centre - frame.width / 2
          frame.y = (frame.y * flow.scale + 0.5).rounded(.down) / flow.scale
          places[entry.identity] = Place(frame: frame, isIntegral: true)
        }
      }
    }
    return places
  }

  /// Where the binder of a section lies behind cells that are placed; nil: it has none.
  func binder(ofSection section: Int, behind cells: [Rect], contentWidth: Double) -> Rect? {
    let header = flow.sections[section].header.height
    guard header > 0, var tallest = cells.first else { return nil }
    for cell in cells where cell.height > tallest.height { tallest = cell }
    let height = tallest.height + header
    return Rect(
      x: 0, y: tallest.y + tallest.height / 2 - height / 2, width: contentWidth, height: height)
  }

  /// Gives a session of the engine what the rules are followed for.
  func apply(to session: Session) throws {
    session.bounds = flow.bounds
    session.contentInsets = flow.contentInsets
    session.scale = flow.scale
    let sections = flow.sections
    try session.setSections(sections.map(\.sizes.count))
    try session.setItemValues("size", .sizes(sections.flatMap(\.sizes)))
    try session.setSectionValues("sectionInset", .insets(sections.map(\.inset)))
    try session.setSectionValues("minimumLineSpacing", .numbers(sections.map(\.lineSpacing)))
    try session.setSectionValues(
      "minimumInteritemSpacing", .numbers(sections.map(\.interitemSpacing)))
    try session.setSectionValues("headerReferenceSize", .sizes(sections.map(\.header)))
    try session.setSectionValues("footerReferenceSize", .sizes(sections.map(\.footer)))
  }
}
