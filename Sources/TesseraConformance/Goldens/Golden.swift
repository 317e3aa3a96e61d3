import Foundation
import TesseraGeometry
import TesseraHost
import TesseraScenario

/// One stored layout.
struct Golden {
  /// What a scenario comes to: as a document to compare, and as something to draw.
  struct Layout {
    let document: LayoutDocument
    let image: LayoutImage
  }

  let name: String
  let folder: String

  var scenarioPath: String { "\(folder)/scenario.json" }
  private var expectedPath: String { "\(folder)/expected.json" }

  /// The case that reports show.
  var examined: ConformanceCase {
    ConformanceCase(
      "golden-\(name)", .golden, .quick,
      rule: "The layout is the one that is stored in \(folder)",
      why: "Whoever relies on the layout sees that it changed",
      remedy: "Mend the engine, or store the layout anew where the change is wanted",
      examineOnce: { _ in })
  }

  /// The stored layout, or nil where none is stored yet.
  func expected() throws(HostError) -> LayoutDocument? {
    guard let bytes = FileManager.default.contents(atPath: expectedPath) else { return nil }
    return try LayoutDocument.read(bytes, name: expectedPath)
  }

  /// How far a number may be off.
  func tolerance() throws(HostError) -> Double {
    let path = "\(folder)/tolerance.txt"
    guard let bytes = FileManager.default.contents(atPath: path) else { return Goldens.tolerance }
    let text = String(decoding: bytes, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    guard let number = Double(text), number >= 0, number.isFinite else {
      throw HostError(.invalidInput, "\(path) holds \"\(text)\"; expected one number of points")
    }
    return number
  }

  /// What the scenario comes to now, and its text.
  func layout(_ subject: CheckSubject) throws(HostError) -> (layout: Layout, text: [UInt8]) {
    let engine = try subject.engine
    let session = try Session(engine)
    let scenario = try Scenario(contentsOf: scenarioPath)
    try scenario.apply(to: session)
    let elements = try scenario.rect.map { rect throws(HostError) in try session.elements(in: rect)
    }
    let all = if let elements { elements } else { try session.elements() }
    let size = try session.contentSize()
    let document = LayoutDocument(
      engine: engine.description.id, contentSize: size, elements: all, attributes: all.attributes)
    var text: [UInt8] = []
    LayoutWriter(engine: engine.description.id, contentSize: size, attributes: all.attributes)
      .write(all, as: .json) { text += $0 }
    let image = LayoutImage(
      contentSize: size, elements: Array(all), viewport: session.visibleRect,
      attributeNames: all.attributes.map(\.name))
    return (Layout(document: document, image: image), text)
  }

  /// Stores a layout in place of what was stored; the file appears whole or not at all.
  func store(_ text: [UInt8]) throws(HostError) {
    do {
      try Data(text).write(to: URL(fileURLWithPath: expectedPath), options: .atomic)
    } catch {
      throw HostError(
        .invalidInput, "\(expectedPath) cannot be written: \(error.localizedDescription)")
    }
  }
}

extension LayoutDocument {
  /// The layout as something to draw; nil where a number of it is unknown.
  func image(viewport: Rect) -> LayoutImage? {
    guard contentSize.count == 2, let width = contentSize[0], let height = contentSize[1] else {
      return nil
    }
    var drawn: [Element] = []
    for entry in elements {
      let frame = entry.frame.compactMap(\.self)
      guard frame.count == 4 else { return nil }
      drawn.append(
        Element(
          identity: entry.identity,
          frame: Rect(x: frame[0], y: frame[1], width: frame[2], height: frame[3]),
          transform: Transform(elements: entry.transform) ?? .identity, alpha: entry.alpha,
          zIndex: entry.zIndex, isHidden: entry.isHidden))
    }
    return LayoutImage(
      contentSize: Size(width: width, height: height), elements: drawn, viewport: viewport)
  }
}
