import TestSupport
import Testing

/// Results of every type, as `tessera call` prints them.
@Suite struct ResultTests {
  static let engine = CEngine(
    declarations: """
      static uint64_t most(tessera_layout *l) { (void)l; return UINT64_MAX; }
      static int8_t least(tessera_layout *l, int8_t v) { (void)l; return v; }
      static float tenth(tessera_layout *l) { (void)l; return 0.1f; }
      static _Bool not(tessera_layout *l, _Bool v) { (void)l; return !v; }
      static void nothing(tessera_layout *l) { (void)l; }
      static tessera_size twice(tessera_layout *l, tessera_size s) {
        (void)l;
        return (tessera_size){2 * s.width, 2 * s.height};
      }
      static const tessera_function_declaration functions[] = {
          {"most", "u64()", "", (void (*)(void))most},
          {"least", "i8(i8)", "", (void (*)(void))least},
          {"tenth", "f32()", "", (void (*)(void))tenth},
          {"not", "bool(bool)", "", (void (*)(void))not},
          {"nothing", "void()", "", (void (*)(void))nothing},
          {"twice", "size(size)", "", (void (*)(void))twice}};
      """,
    members: ".functions = functions, .function_count = 6,")

  static let calls: [(arguments: [String], text: String, json: String)] = [
    (["most"], "18446744073709551615\n", "18446744073709551615"),
    (["least", "-128"], "-128\n", "-128"),
    (["tenth"], "0.1\n", "0.10000000149011612"),
    (["not", "scale > 1"], "false\n", "false"),
    (["not", "false"], "true\n", "true"),
    (["nothing"], "", "null"),
    (["twice", "100x90"], "200x180\n", "[200, 180]"),
    (["twice", "-1,width"], "-2x750\n", "[-2, 750]"),
  ]

  @Test func everyResultTypeIsPrinted() throws {
    let folder = try TemporaryFolder()
    let library = try Self.engine.build(in: folder)
    for (arguments, text, json) in Self.calls {
      let plain = try Program.tessera(["call", library] + arguments, in: folder)
      #expect(plain.status == 0, "\(plain.errors)")
      #expect(plain.output == text)
      let structured = try Program.tessera(
        ["call", library] + arguments + ["--format", "json"], in: folder)
      #expect(structured.output.hasSuffix("\"result\": \(json)\n}\n"), "\(structured.output)")
    }
    let refused = try Program.tessera("call", library, "least", "128", in: folder)
    #expect(refused.status == 65)
    #expect(refused.errors.contains("argument 1 of least"))
    #expect(refused.errors.contains("a whole number from -128 to 127"))
  }
}
