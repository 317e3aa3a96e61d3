import TesseraGeometry
import TesseraHost

/// All that a session answers, to the last bit.
struct Snapshot: Equatable, Sendable {
  let identities: [ElementIdentity]
  let numbers: [UInt64]
  let attributes: [[Value]]

  init(_ session: Session) throws {
    let content = try session.contentSize()
    let elements = try session.elements()
    identities = elements.map(\.identity)
    attributes = elements.map(\.attributes)
    var numbers = [content.width.bitPattern, content.height.bitPattern]
    for element in elements {
      let frame = element.frame
      numbers += [frame.x, frame.y, frame.width, frame.height].map(\.bitPattern)
      numbers += element.transform.elements.map(\.bitPattern)
      numbers += [element.alpha.bitPattern, UInt64(bitPattern: Int64(element.zIndex))]
      numbers.append(element.isHidden ? 1 : 0)
    }
    self.numbers = numbers
  }
}
