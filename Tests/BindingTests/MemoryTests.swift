import TestSupport
import Testing

@Suite struct MemoryTests {
  @Test(.secondRing) func enginesAndExceptionsLeaveMemoryAsItWas() throws {
    let folder = try TemporaryFolder()
    let sanitizers = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    try CCompiler("gcc").compile(
      "\(WrapperCompiler.fixtures)/harness.c", to: folder.path("harness"),
      flags: ["-std=c11"] + sanitizers + CCompiler.strictness + ["-ldl"])
    for name in ["engines", "throwing"] {
      try Program.compile(
        "\(WrapperCompiler.fixtures)/cpp/\(name).cpp", to: folder.path("lib\(name).so"),
        WrapperCompiler.gcc.rawValue,
        WrapperCompiler.strictness + WrapperCompiler.headers + sanitizers + ["-shared"])
    }
    for engine in ["shelf", "ticks", "list", "bands"] {
      let result = try Program.run(
        folder.path("harness"),
        [folder.path("libengines.so"), "org.example.cpp-\(engine)", "100", "3"])
      #expect(result.status == 0, "\(result.output)\(result.errors)")
      #expect(result.output.contains("own status 0"))
      let asked = engine == "ticks" ? "queried status 0 rows 103 " : "own status 0 rows 10"
      #expect(result.output.contains(asked), "\(result.output)")
    }
    for what in 0...6 {
      let result = try Program.run(
        folder.path("harness"),
        [folder.path("libthrowing.so"), "org.example.cpp-throwing", "5", "2", "\(what)"])
      #expect(result.status == 0, "\(result.output)\(result.errors)")
      let status = [0, 1, 7, 3, 7, 7, 0][what]
      #expect(result.output.contains("own status \(status) "))
    }
  }
}
