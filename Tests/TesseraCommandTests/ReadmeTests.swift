import Foundation
import TestSupport
import Testing

@Suite struct ReadmeTests {
  private let readme: MarkdownPage

  init() throws { readme = try MarkdownPage("README.md") }

  private func clone() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in ["Sources", "Plugins", "Tests"] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path(name), withDestinationPath: "\(BuiltProducts.repository.path)/\(name)")
    }
    try folder.write("diagonal.c", try #require(readme.blocks(in: "c").first))
    return folder
  }

  @Test func everyCommandRunsAndDrawsItsPicture() throws {
    let folder = try clone()
    let commands = readme.blocks(in: "sh").joined(separator: "\n")
      .replacing("Tools/test\n", with: "").replacing("Tools/tessera", with: "'\(Program.tessera)'")
    let result = try Program.shell("set -eo pipefail\n\(commands)", in: folder)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    #expect(
      try folder.read("mosaic.svg") == folder.read("Plugins/Mosaic/mosaic.svg"),
      "Plugins/Mosaic/mosaic.svg is not what the README's command draws; draw it again")
    #expect(try folder.read("screen.json").contains("\"engine\":\"org.tessera.grid\""))
    #expect(try folder.read("frames.csv").hasPrefix("category,kind,"))
    #expect(try folder.read("moment.svg").contains("org.tessera.cover-flow"))
    #expect(FileManager.default.fileExists(atPath: folder.path("shelf/shelf.c")))
    #expect(try folder.read("diagonal.svg").contains("org.example.diagonal"))
  }

  private static let engines =
    (try? BuiltProducts.engineFolders)?.filter { !BuiltProducts.isLeftOut($0) } ?? []

  @Test("an engine's own commands run, and the first draws its picture", arguments: engines)
  func engineReadmes(engine: String) throws {
    let text = try String(
      contentsOfFile: "\(BuiltProducts.repository.path)/Plugins/\(engine)/README.md",
      encoding: .utf8)
    let commands = text.components(separatedBy: "\n\n")
      .filter { $0.hasPrefix("    ") && $0.contains("Tools/tessera") }
      .joined(separator: "\n").replacing("Tools/tessera", with: "'\(Program.tessera)'")
    #expect(commands.contains(" layout "))
    let folder = try clone()
    let result = try Program.shell("set -eo pipefail\n\(commands)", in: folder)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    let picture = try #require(text.firstMatch(of: /src="(\w+)\.svg"/)).output.1
    let drawn = try #require(text.firstMatch(of: /\s-o (\w+\.svg)/)).output.1
    #expect(
      try folder.read(String(drawn)) == folder.read("Plugins/\(engine)/\(picture).svg"),
      "the picture of \(engine) is not what its command draws; run Tools/record-pictures")
  }

  /// From Documentation/EagerEngines.md.
  @Test func theEngineInSwiftLaysOut() throws {
    let folder = try clone()
    let page = try MarkdownPage("Documentation/EagerEngines.md")
    try folder.write("Diagonal.swift", try #require(page.blocks(in: "swift Diagonal.swift").first))
    try compileEngine("Diagonal", to: "libdiagonal.so", in: folder)
    let answer = try Program.tessera(
      "layout", "./libdiagonal.so", "--sections", "1,2", in: folder
    ).layout()
    #expect(answer.engine == "org.example.swift-diagonal")
    #expect(answer.frames == [[0, 0, 50, 50], [30, 30, 50, 50], [60, 60, 50, 50]])
    #expect(answer.contentSize == [110, 110])
  }

  /// From Documentation/FromUIKit.md.
  @Test func theLayoutFromUIKitLaysOut() throws {
    let folder = try clone()
    try folder.write("Circle.swift", try folder.read("Tests/Fixtures/engines/Circle.swift"))
    try compileEngine("Circle", to: "libcircle.so", in: folder)
    let answer = try Program.tessera(
      "layout", "./libcircle.so", "--sections", "3,1", "--bounds", "300x200", in: folder
    ).layout()
    // A quarter circle apart around (150, 100), radius (200 - 70) / 2; frames of 70.
    #expect(answer.contentSize == [300, 200])
    #expect(
      answer.frames.map { $0.map { ($0 * 1e9).rounded() / 1e9 } }
        == [[180, 65, 70, 70], [115, 130, 70, 70], [50, 65, 70, 70], [115, 0, 70, 70]])
  }

  /// From Documentation/Recording.md.
  @Test func recordingsOfTheDocumentationAreReplayed() throws {
    let folder = try TemporaryFolder()
    let page = try MarkdownPage("Documentation/Recording.md")
    let recordings = page.blocks(in: "jsonl")
    #expect(recordings.count == 2)
    for recording in recordings {
      try folder.write("r.jsonl", recording)
      let result = try Program.tessera("replay", "r.jsonl", in: folder)
      #expect(result.status == 0, "\(result.output)\(result.errors)")
    }
  }

  @Test func embeddingProgramRuns() throws {
    let folder = try clone()
    let program = try #require(readme.blocks(in: "swift").first)
    #expect(program.split(separator: "\n").count <= 12)
    try folder.write("main.swift", program)
    try compile(
      "main.swift", against: BuiltProducts.hostModules,
      options: "-o embed", in: folder)
    let built = try Program.shell(
      "mkdir engines && gcc -shared -fPIC -I Sources/CTessera/include diagonal.c "
        + "-o engines/libdiagonal.so && ln -s '\(BuiltProducts.folder.path)/tessera-worker' . "
        + "&& ./embed", in: folder)
    #expect(built.status == 0, "\(built.errors)")
    let lines = built.output.split(separator: "\n")
    #expect(lines.count == 17)
    #expect(lines.first == "content Size(width: 525.0, height: 525.0)")
    #expect(lines.last == "0 15 Rect(x: 375.0, y: 375.0, width: 50.0, height: 50.0)")
  }

  private func compileEngine(
    _ name: String, to library: String, in folder: TemporaryFolder
  ) throws {
    try compile(
      "\(name).swift", against: ["TesseraSDK", "TesseraGeometry", "CTessera", "CTesseraNote"],
      options: "-emit-library -o \(library) -module-name \(name) -parse-as-library", in: folder)
  }

  private func compile(
    _ file: String, against modules: [String], options: String, in folder: TemporaryFolder
  ) throws {
    let built = BuiltProducts.folder.path
    let objects = modules.flatMap(BuiltProducts.objects(of:)).map { "'\($0)'" }
      .joined(separator: " ")
    let maps = modules.filter { $0.hasPrefix("C") }.map { module in
      let made = "\(built)/\(module).build/module.modulemap"
      let map =
        FileManager.default.fileExists(atPath: made)
        ? made : "Sources/\(module)/include/module.modulemap"
      return "-Xcc '-fmodule-map-file=\(map)'"
    }
    let result = try Program.shell(
      """
      swiftc -swift-version 6 \(options) '\(file)' -I '\(built)/Modules' \
      -I Sources/CTessera/include \
      \(maps.joined(separator: " ")) \(objects) -lffi
      """, in: folder)
    try #require(result.status == 0, "\(result.errors)")
  }
}

private struct MarkdownPage {
  let text: String

  init(_ path: String) throws {
    text = try String(
      contentsOfFile: "\(BuiltProducts.repository.path)/\(path)", encoding: .utf8)
  }

  /// Blocks with this info string: "sh", or "c circle.c".
  func blocks(in language: String) -> [String] {
    text.components(separatedBy: "\n```").enumerated().filter { $0.offset % 2 == 1 }
      .map { $0.element.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false) }
      .filter { $0[0] == language }.map { "\($0.last ?? "")\n" }
  }
}
