import TesseraDrawing
import TesseraHost
import Testing

@Suite struct StreamingTests {
  private struct Full: Error {}

  private static var large: Picture<[Element]> {
    Sample.picture(
      (0..<5000).map { Sample.cell($0, Double($0 % 50) * 7, Double($0 / 50) * 7, 6, 6) })
  }

  @Test func piecesFormTheDocument() {
    var svg: [UInt8] = []
    var html: [UInt8] = []
    var count = 0
    Self.large.writeSVG { piece in
      count += 1
      svg.append(contentsOf: piece)
    }
    Self.large.writeHTML { piece in html.append(contentsOf: piece) }
    #expect(count > 1)
    #expect(String(decoding: svg, as: UTF8.self) == Self.large.svg())
    #expect(String(decoding: html, as: UTF8.self) == Self.large.html())
  }

  @Test func errorOfTheSinkEndsTheWriting() {
    var count = 0
    let refuse = { (_: UnsafeRawBufferPointer) throws(Full) in
      count += 1
      throw Full()
    }
    #expect(throws: Full.self) { try Self.large.writeSVG(to: refuse) }
    #expect(throws: Full.self) { try Self.large.writeHTML(to: refuse) }
    #expect(count == 2)
  }
}
