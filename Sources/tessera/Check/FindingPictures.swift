import Foundation
import TesseraConformance
import TesseraDrawing
import TesseraGeometry
import TesseraHost

/// The layouts of failures, drawn: what was expected beside what was found.
struct FindingPictures {
  let report: ConformanceReport
  let subject: CheckSubject

  /// Draws each finding that has pictures into CASE-expected.svg and CASE-found.svg of a folder,
  /// which is made where it is missing.
  func write(to folder: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw CommandFailure(
        .cannotCreate, "cannot make the folder \(folder): \(error.localizedDescription)")
    }
    for result in report.results {
      guard let pictures = result.verdict.finding?.pictures else { continue }
      for (name, image) in [("expected", pictures.expected), ("found", pictures.found)] {
        let path = "\(folder)/\(result.examined.id)-\(name).svg"
        try OutputFile.write(to: path) { file in
          try draw(image, result).writeSVG { bytes throws in try file.write(bytes) }
        }
      }
    }
  }

  private func draw(_ image: LayoutImage, _ result: CaseResult) -> Picture<[Element]> {
    var picture = Picture(
      engineName: report.engine?.name ?? report.subject, engineID: result.examined.id,
      contentSize: image.contentSize, viewport: image.viewport, elements: image.elements)
    picture.attributeNames = image.attributeNames
    picture.scale = result.verdict.finding?.sample?.scale ?? 1
    return picture
  }
}
