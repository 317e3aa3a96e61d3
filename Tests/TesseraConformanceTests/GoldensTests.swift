import TesseraHost
import TestSupport
import Testing

@testable import TesseraConformance

@Suite struct GoldensTests {
  private let folder: TemporaryFolder
  private let goldens: Goldens

  init() throws {
    folder = try TemporaryFolder()
    goldens = Goldens(folder: folder.path)
  }

  private func subject(_ id: String = "org.tessera.mosaic") throws -> CheckSubject {
    try CheckSubject(
      id, host: Host(searchPath: SearchPath(folders: [BuiltProducts.folder.path])))
  }

  private func expected(_ name: String) throws -> String {
    String(decoding: try folder.bytes("\(name)/expected.json"), as: UTF8.self)
  }

  @Test func differenceIsReportedWithNumbersAndBothLayouts() throws {
    try folder.write("one/scenario.json", #"{"sections": [{"items": 1}]}"#)
    _ = try goldens.record(subject())
    let changed = try expected("one").replacing("[0,1,375,200]", with: "[0,1,375,210]")
    try folder.write("one/expected.json", changed)
    let finding = try #require(try goldens.compare(subject())[0].verdict.finding)
    #expect(
      finding.found == "cell 0 of section 0: frame is [0, 1, 375, 200], expected [0, 1, 375, 210]")
    #expect(finding.pictures?.expected.elements[0].frame.height == 210)
    #expect(finding.pictures?.found.elements[0].frame.height == 200)
    #expect(finding.command.hasSuffix("--golden \(folder.path) --filter golden-one"))
    #expect(
      try goldens.compare(subject(), matching: ["golden"]).map(\.examined.id) == ["golden-one"])
    #expect(throws: HostError.self) { try goldens.compare(subject(), matching: ["golden-two"]) }
    #expect(try Catalogue.cases(upTo: .thorough, matching: ["golden", "golden-*"]).isEmpty)
    #expect(
      try goldens.record(subject()) == [
        "one: changed in 1 place",
        "  cell 0 of section 0: frame is [0, 1, 375, 200], expected [0, 1, 375, 210]",
      ])
    #expect(try goldens.compare(subject()).map(\.verdict.name) == ["passed"])
  }

  @Test func toleranceFileIsUsed() throws {
    try folder.write("one/scenario.json", #"{"sections": [{"items": 1}]}"#)
    _ = try goldens.record(subject())
    let changed = try expected("one").replacing("[0,1,375,200]", with: "[0,1,375,200.4]")
    try folder.write("one/expected.json", changed)
    #expect(try goldens.compare(subject()).map(\.verdict.name) == ["failed"])
    try folder.write("one/tolerance.txt", "0.5\n")
    #expect(try goldens.compare(subject()).map(\.verdict.name) == ["passed"])
    try folder.write("one/tolerance.txt", "much")
    let error = #expect(throws: HostError.self) { try goldens.compare(subject()) }
    #expect(error?.message.contains("\"much\"; expected one number") == true)
  }

  @Test func layoutsOfOtherEnginesAreSkipped() throws {
    try folder.write("three/scenario.json", #"{"sections": [{"items": 3}]}"#)
    _ = try goldens.record(subject())
    let before = try expected("three")
    let other = try subject("org.tessera.flow")
    #expect(
      try goldens.record(other) == ["three: skipped, since it is a layout of org.tessera.mosaic"])
    #expect(try expected("three") == before)
    #expect(try goldens.compare(other).map(\.verdict.name) == ["skipped"])
  }
}
