import TestSupport
import Testing

@Suite struct ListTests {
  /// A half-width band, a band on the right, and its child, indented by ten points.
  private static let bands = """
    [
      { "height": 20, "share": 0.5 },
      { "height": 30, "side": "right", "share": 0.4, "children": [{ "height": 10 }] }
    ]
    """

  private func table(
    _ compiler: WrapperCompiler, _ engine: String, _ bounds: String, _ more: String...
  ) throws -> Table {
    let folder = try TemporaryFolder()
    let file = try folder.write("bands.json", Self.bands)
    return try Table(
      compiler.tessera(
        "layout", engine,
        ["--items", "4", "--list", "bands=\(file)", "--bounds", bounds, "--format", "csv"] + more))
  }

  @Test(arguments: WrapperCompiler.tested)
  func recordsOfEveryTypeAreRead(_ compiler: WrapperCompiler) throws {
    #expect(
      try table(compiler, "bands", "300x200").frames == [
        [0, 0, 150, 20], [180, 20, 120, 30], [10, 50, 290, 10], [0, 60, 150, 20],
      ])
    #expect(
      try table(compiler, "bands", "300x200", "--direction", "rightToLeft").frames == [
        [150, 0, 150, 20], [0, 20, 120, 30], [0, 50, 290, 10], [150, 60, 150, 20],
      ])
  }

  @Test(arguments: WrapperCompiler.tested)
  func derivedEngineGivesItsBaseAnotherList(_ compiler: WrapperCompiler) throws {
    #expect(
      try table(compiler, "halved", "300x200").frames
        == table(compiler, "bands", "300x200").frames)
    #expect(
      try table(compiler, "halved", "100x200").frames == [
        [0, 0, 50, 10], [50, 10, 50, 10], [0, 20, 40, 15], [60, 35, 40, 15],
      ])
  }

  @Test(arguments: WrapperCompiler.tested, ["noSuchList", "columnFirst"])
  func mistakesAreReported(_ compiler: WrapperCompiler, mistake: String) throws {
    let result = try compiler.tessera(
      "layout", "halved", "--items", "1", "--set", "wrong=\(mistake)")
    #expect(result.status != 0)
    let verb = compiler == .rust ? "have" : "take"
    let sentences = [
      "noSuchList": "the base does not \(verb) stripes as this type",
      "columnFirst": "the column height of bands of the base was set without the list; call "
        + "set_list first, in prepare or still_valid",
    ]
    #expect(result.errors.contains(sentences[mistake] ?? "?"), "\(result.errors)")
  }
}
