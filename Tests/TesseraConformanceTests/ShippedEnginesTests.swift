import TesseraConformance
import TesseraHost
import TestSupport
import Testing

@Suite struct ShippedEnginesTests {
  static let host = Host(searchPath: SearchPath(folders: [BuiltProducts.folder.path]))
  static let ids = host.listing().engines.filter { $0.shadowedBy == nil }.map(\.description.id)

  @Test(arguments: ids)
  func passesAtQuick(_ id: String) throws {
    var options = ConformanceSuite.Options()
    options.level = .quick
    let report = try ConformanceSuite(CheckSubject(id, host: Self.host), options).run()
    #expect(report.isPassed, "\(report)")
    #expect(report.count("passed") > 30)
    print("\(id): \(report.count("passed")) cases passed at quick in \(report.duration)")
  }

  /// Once false positives: sections that scroll beside a wider one, badges on cells wider than the
  /// bounds, items measured through a base's list.
  @Test(arguments: [
    (
      "org.tessera.compositional", "geometry-content-contains-elements",
      """
      {"lists": {"nodes": [{"kind": "horizontal", "widthIs": "fractionalHeight", "width": 3, "heightIs": "absolute",
        "height": 60, "count": 4, "spacing": 8, "children": [{"heightIs": "fractionalHeight"}]}]},
       "sections": [{"items": 2}, {"items": 3, "values": {"orthogonal": "continuous"}}]}
      """
    ),
    (
      "org.example.badges", "geometry-content-contains-elements",
      #"{"bounds": [12, 0], "sections": [{"items": 1}]}"#
    ),
    ("org.example.given", "lifecycle-calls-answer-alike", #"{"sections": [{"items": 1}]}"#),
  ])
  func unusualLayoutsPass(id: String, filter: String, sample: String) throws {
    let folder = try TemporaryFolder()
    try CCompiler("gcc").compile(FixtureEngine.source("giving"), to: folder.path("libgiving.so"))
    let host = Host(
      searchPath: SearchPath(folders: [folder.path, BuiltProducts.folder.path]))
    let subject = try CheckSubject(id, host: host)
    var options = ConformanceSuite.Options()
    options.level = .quick
    options.filters = [filter]
    options.sample = try LayoutInput(json: sample, for: subject.engine.chain)
    let report = try ConformanceSuite(subject, options).run()
    #expect(report.isPassed && report.count("passed") == 1, "\(report)")
  }
}
