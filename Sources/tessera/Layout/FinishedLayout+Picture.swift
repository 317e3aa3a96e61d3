import TesseraDrawing
import TesseraHost
import TesseraScenario

extension FinishedLayout {
  /// The layout as something to draw.
  var picture: Picture<Content> {
    var picture = Picture(
      engineName: subject.name, engineID: subject.id, contentSize: contentSize, viewport: viewport,
      elements: elements)
    picture.attributeNames = attributes.map(\.name)
    picture.contentInsets = scenario.contentInsets ?? .zero
    picture.scale = scenario.scale ?? 1
    picture.direction = scenario.direction ?? .leftToRight
    if let rect { picture.extent = rect == viewport ? .viewport : .rect(rect) }
    picture.label = scenario.label
    return picture
  }
}

extension Scenario {
  /// A cell's label by section and item, where the items came with labels.
  var label: ((_ section: Int, _ item: Int) -> String?)? {
    guard let labels else { return nil }
    var starts = [0]
    for count in itemCounts { starts.append(starts[starts.count - 1] + count) }
    return { section, item in
      guard starts.indices.contains(section) else { return nil }
      let index = starts[section] + item
      return labels.indices.contains(index) ? labels[index] : nil
    }
  }
}
