import Foundation
import TestSupport
import Testing

@Suite struct LibraryTests {
  @Test(arguments: WrapperCompiler.tested, ["engines", "failing"])
  func oneFunctionIsExported(_ compiler: WrapperCompiler, _ name: String) throws {
    let library = try compiler.library(name)
    let symbols = try Program.run("nm", ["-D", "--defined-only", "-j", library])
    #expect(symbols.status == 0, "\(symbols.errors)")
    #expect(symbols.output == "tessera_register\n")
  }

  /// Each language and each engine once, since engines are the same in all languages.
  @Test(arguments: zip(WrapperCompiler.tested, ["shelf", "lifted", "alternating"]))
  func enginesPassTheSuite(_ compiler: WrapperCompiler, _ engine: String) throws {
    let result = try compiler.tessera(
      "check", engine, "--level", "quick")
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains(" passed at quick"))
  }

  @Test(.secondRing, arguments: ["shelf", "lifted", "alternating", "ticks", "list"])
  func languagesAgree(_ engine: String) throws {
    let values =
      switch engine {
      case "ticks": [String]()
      case "list": ["--item", "height=20+noise(index)*31"]
      default: ["--item", "size=30+noise(index)*90,20+noise(index+99)*40"]
      }
    let answers = try WrapperCompiler.tested.map { compiler in
      let result = try compiler.tessera(
        "layout", engine,
        ["--sections", "23,0,57,1", "--bounds", "333x400", "--direction", "rightToLeft"]
          + ["--format", "csv"] + values)
      #expect(try Table(result).frames.count >= 81)
      return result.output
    }
    #expect(answers.count >= 2)
    #expect(Set(answers).count == 1)
  }

  /// Only id and library differ.
  @Test(.secondRing, arguments: ["shelf", "lifted", "alternating", "ticks", "list"])
  func descriptionsAgree(_ engine: String) throws {
    let descriptions = try WrapperCompiler.tested.map { compiler in
      let result = try compiler.tessera("info", engine)
      try #require(result.status == 0, "\(result.errors)")
      return result.output.split(separator: "\n")
        .filter { !$0.hasPrefix("id ") && !$0.hasPrefix("library ") }.joined(separator: "\n")
    }
    #expect(Set(descriptions).count == 1)
  }
}
