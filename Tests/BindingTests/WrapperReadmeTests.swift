import Foundation
import TestSupport
import Testing

/// The example in each wrapper's README compiles without warnings and runs with its commands.
@Suite struct WrapperReadmeTests {
  @Test(arguments: WrapperCompiler.tested)
  func theEngineLaysOut(_ compiler: WrapperCompiler) throws {
    let (binding, name, language) =
      compiler == .rust
      ? ("Rust", "stairs.rs", "rust") : ("Cpp", "stairs.cpp", "cpp")
    let readme = try String(
      contentsOf: BuiltProducts.repository.appendingPathComponent(
        "Sources/Bindings/\(binding)/README.md"),
      encoding: .utf8)
    let blocks = readme.matches(of: /\n```(\w+)\n((?s:.*?))```/)
    let engine = try #require(blocks.first { $0.1 == language }).2
    let commands = try #require(blocks.first { $0.1 == "sh" }).2

    let folder = try TemporaryFolder()
    for name in ["Sources", "Plugins"] {
      try folder.link(name, to: BuiltProducts.repository.appendingPathComponent(name).path)
    }
    let source = try folder.write(name, String(engine))
    var script = "set -e\n" + commands.replacing("Tools/tessera", with: "tessera")
    if compiler == .rust {
      try folder.link("tessera.rs", to: folder.path("Sources/Bindings/Rust/tessera.rs"))
      try folder.makeFolder("engines")
      try compiler.compileLibrary(source, to: folder.path("engines/libstairs.so"))
      // Compiled above: rustup's rustc may not find its toolchain when HOME changes.
      script = String(script.split(separator: "\n").last ?? "")
    } else {
      let strict = ([compiler.rawValue] + WrapperCompiler.strictness).joined(separator: " ")
      script = script.replacing("g++", with: strict)
    }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let result = try Program.run(
      "bash", ["-c", script], in: folder.path,
      environment: ["PATH": "\(BuiltProducts.folder.path):\(path)"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.output == """
        {"engine":"org.example.stairs","contentSize":[375,667],"bounds":[375,667],"elements":[
        {"category":"cell","section":0,"item":0,"frame":[0,0,50,40]},
        {"category":"cell","section":0,"item":1,"frame":[30,30,50,40]},
        {"category":"cell","section":0,"item":2,"frame":[60,60,50,40]}
        ]}

        """)
  }
}
