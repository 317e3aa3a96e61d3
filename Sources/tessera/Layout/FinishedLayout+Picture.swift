import TesseraDrawing
import TesseraHost
import TesseraScenario

extension FinishedLayout {
  /// The layout as something to draw.
  var picture: Picture<Elements> {
    var picture = Picture(
      engineName: engine.name, engineID: engine.id, contentSize: contentSize, viewport: viewport,
      elements: elements)
    picture.attributeNames = elements.attributes.map(\.name)
    picture.contentInsets = scenario.contentInsets ?? .zero
    picture.scale = scenario.scale ?? 1
    picture.direction = scenario.direction ?? .leftToRight
    if let rect { picture.extent = rect == viewport ? .viewport : .rect(rect) }
    picture.label = label
    return picture
  }

  /// A cell's label, where the items came with labels.
  private var label: ((_ section: Int, _ item: Int) -> String?)? {
    guard let labels = scenario.labels else { return nil }
    var starts = [0]
    for count in scenario.itemCounts { starts.append(starts[starts.count - 1] + count) }
    return { section, item in
      guard starts.indices.contains(section) else { return nil }
      let index = starts[section] + item
      return labels.indices.contains(index) ? labels[index] : nil
    }
  }
}
