import CTessera
import TesseraGeometry

/// Items that are measured, as the engines of a chain want them.
extension LayoutChain {
  func sizing(_ given: Given) throws(HostError) -> SizingRule? {
    guard let (layer, table) = sizingLayer else { return nil }
    self.given = given
    values.fill(layers)
    var raw = tessera_size()
    let isOn = withInput(layer) { table.estimate(layer.instance, $0, &raw) } != 0
    guard isOn else { return nil }
    let name = ForeignText.repair(table.value)
    let number = place(of: layer)
    guard let index = layer.record.description.valueIndex(name, .item) else {
      throw broken("it measures \"\(name)\", which is no item value of its own")
    }
    return SizingRule(
      place: SessionValues.Place(layer: number, index: index),
      estimate: Size(width: raw.width, height: raw.height))
  }

  func proposals(_ given: Given, sections: Range<Int>) throws(HostError) -> [Size] {
    guard let (layer, table) = sizingLayer else { return [] }
    self.given = given
    return sections.map { section in
      let offer = withInput(layer) { table.proposal(layer.instance, $0, UInt32(section)) }
      return Size(width: offer.width, height: offer.height)
    }
  }

  /// The most derived engine whose items may be measured.
  private var sizingLayer: (Layer, tessera_sizing)? {
    for layer in layers {
      if let table = layer.sizing { return (layer, table) }
    }
    return nil
  }
}
