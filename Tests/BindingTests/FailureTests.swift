import TestSupport
import Testing

@Suite struct FailureTests {
  private static let thrown = [
    ("failure", "what is failure; say nothing"),
    ("exception", "the shelf gave way"),
    ("memory", "the engine found no memory left; lay out fewer items"),
    ("number", "the engine threw something that is no std::exception"),
    ("index", "the engine asked for element 2 of 2; this is a fault of the engine"),
  ]
  private static let panicked = [
    ("failure", "what is failure; say nothing"),
    ("error", "invalid digit found in string"),
    ("panic", "the engine panicked: the shelf gave way; this is a fault of the engine"),
    ("index", "the engine panicked: index out of bounds: the len is 2 but the index is 2"),
    ("other", "the engine panicked: no reason given"),
  ]

  private func outcome(
    _ compiler: WrapperCompiler, _ engine: String, _ what: String
  ) throws -> ProgramResult {
    try compiler.tessera(
      "layout", engine, "--items", "2", "--set", "what=\(what)")
  }

  @Test(arguments: WrapperCompiler.tested.filter { $0 != .rust }, thrown)
  func exceptionsEndACall(_ compiler: WrapperCompiler, _ case: (String, String)) throws {
    let result = try outcome(compiler, "throwing", `case`.0)
    #expect(result.status == 69)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains("org.example.cpp-throwing: \(`case`.1)"), "\(result.errors)")
  }

  @Test(.secondRing, arguments: panicked)
  func panicsEndACall(_ case: (String, String)) throws {
    let result = try outcome(.rust, "panicking", `case`.0)
    #expect(result.status == 69)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains("org.example.rust-panicking: \(`case`.1)"), "\(result.errors)")
  }

  @Test(arguments: WrapperCompiler.tested)
  func warningsDoNotStop(_ compiler: WrapperCompiler) throws {
    let engine = compiler == .rust ? "panicking" : "throwing"
    let warned = try outcome(compiler, engine, "told")
    #expect(warned.status == 0)
    #expect(warned.errors.contains("what is told; say nothing"))
    let quiet = try outcome(compiler, engine, "nothing")
    #expect(quiet.status == 0 && quiet.errors.isEmpty)
  }
}
