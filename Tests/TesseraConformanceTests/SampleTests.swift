import TesseraGeometry
import TesseraHost
import TesseraScenario
import TestSupport
import Testing

@testable import TesseraConformance

@Suite struct SampleTests {
  static let host = Host(searchPath: SearchPath(folders: [BuiltProducts.folder.path]))
  static let ids = host.listing().engines.filter { $0.shadowedBy == nil }.map(\.description.id)

  @Test func textIsAScenario() {
    var sample = LayoutInput(counts: [2, 1])
    sample.bounds = Size(width: 320, height: 480.5)
    sample.offset = Point(x: 0, y: 40)
    sample.direction = .rightToLeft
    sample.parameters = ["spacing": .number(4), "mode": .choice("fill")]
    sample.itemValues = ["size": .sizes([1, 2, 3].map { Size(width: $0, height: 9) })]
    sample.sectionValues = ["inset": .constant(.number(7))]
    sample.delegate = ["modeForItem": JSONNode(text: "item%2", source: "delegate")]
    #expect(
      sample.json.line == """
        {"bounds":[320,480.5],"offset":[0,40],"direction":"rightToLeft","parameters":{"mode":"fill","spacing":4},\
        "sections":[{"items":2,"values":{"inset":7},"itemValues":{"size":[[1,9],[2,9]]}},\
        {"items":1,"values":{"inset":7},"itemValues":{"size":[[3,9]]}}],\
        "delegate":{"modeForItem":"item%2"}}
        """)
    #expect(
      sample.summary
        == "sections of 2 1 items, bounds 320x480.5, offset 0,40, rightToLeft, mode fill, spacing 4, "
        + "section inset 7, item size 1x9 2x9 3x9, modeForItem returns item%2")
  }

  @Test(arguments: ids)
  func textReadsBackToTheSameLayout(_ id: String) throws {
    let subject = try CheckSubject(id, host: Self.host)
    var sampling = Sampling(for: try subject.engine, random: SeededNumbers(seed: 7))
    var laidOut = 0
    let session = try Session(subject.engine)
    func image(_ sample: LayoutInput) throws -> LayoutImage {
      try session.renew()
      try sample.apply(to: session)
      return try LayoutImage(session)
    }
    for _ in 0..<30 {
      var sample = sampling.usual()
      var found: LayoutImage?
      // As in the suite, rejected values are dropped.
      for _ in 0..<4 where found == nil {
        do { found = try image(sample) } catch let error as HostError {
          sample = sample.without(namesIn: error.message) ?? sample
        }
      }
      guard let expected = found else { continue }
      let read = try LayoutInput(json: sample.json.line, for: subject.engine.chain)
      laidOut += 1
      let difference = try expected.difference(from: image(read))
      #expect(difference == nil, "\(sample.json.line)")
    }
    // Engines may reject contradictory parameters or unknown records.
    #expect(laidOut >= 1)
  }

  @Test(arguments: ids)
  func valuesAreWithinLimitsAndSeedsAreReproducible(_ id: String) throws {
    let engine = try Self.host.engine(id)
    var (one, other) = (
      Sampling(for: engine, random: SeededNumbers(seed: 3, name: "a")),
      Sampling(for: engine, random: SeededNumbers(seed: 3, name: "a"))
    )
    var different = Sampling(for: engine, random: SeededNumbers(seed: 3, name: "b"))
    let samples = (0..<50).map { _ in one.usual() }
    #expect(samples == (0..<50).map { _ in other.usual() })
    #expect(samples != (0..<50).map { _ in different.usual() })
    for sample in samples {
      for parameter in engine.settableParameters {
        guard let value = sample.parameters[parameter.name] else { continue }
        for (index, number) in value.numbers.enumerated() where index < parameter.minimum.count {
          #expect(number >= parameter.minimum[index] && number <= parameter.maximum[index])
        }
      }
    }
  }

  @Test(arguments: [
    ("plain", "plain"), ("a b", "'a b'"), ("", "''"), ("it's", #"'it'\''s'"#), ("{}", "'{}'"),
    ("~/x", "'~/x'"), ("./lib.so", "./lib.so"), ("a*", "'a*'"), ("ü", "'ü'"),
  ])
  func shellWordsAreQuoted(_ text: String, _ word: String) throws {
    #expect(text.shellWord == word)
    #expect(try Program.run("sh", ["-c", "printf %s \(word)"]).output == text)
  }
}
