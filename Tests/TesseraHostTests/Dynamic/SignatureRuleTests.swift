import TestSupport
import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// What a library may declare as a signature.
@Suite struct SignatureRuleTests {
  /// An engine that declares a delegate function of some signature.
  private func listing(declaring signature: String) throws -> Listing {
    let source = """
      #include <tessera/tessera.h>
      TESSERA_NOTE;
      static const tessera_function_declaration functions[] = {
          {.name = "layoutModeForItem", .signature = "\(signature)", .help = "A mode."}};
      static tessera_status prepare(tessera_layout *l, const tessera_input *i, tessera_output *o) {
        (void)l, (void)i, (void)o;
        return TESSERA_OK;
      }
      static const tessera_engine engine = {
          .struct_size = sizeof engine, .id = "org.example.asking", .name = "Asking",
          .version = "1.0.0", .author = "A", .license = "MIT", .summary = "S.",
          .function_count = 1, .function_size = sizeof functions[0], .functions = functions,
          .prepare = prepare};
      tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
        (void)host;
        return registry->add_engine(registry, &engine);
      }
      """
    let folder = try TemporaryFolder()
    try CCompiler("gcc").compile(
      folder.write("asking.c", source), to: folder.path("libasking.so"))
    return Host(
      searchPath: SearchPath(folders: [folder.path]),
      configuration: HostConfiguration(isolation: .none)
    ).listing()
  }

  @Test func refusesALibraryWhoseSignatureDoesNotParse() throws {
    let listing = try listing(declaring: "u8(u33)")
    #expect(listing.engines.isEmpty)
    #expect(listing.refused.map(\.error.kind) == [.cannotLoad])
    let reason = try #require(listing.refused.first?.error.message)
    #expect(
      reason.hasSuffix(
        "org.example.asking: the function layoutModeForItem: the signature \"u8(u33)\" has the "
          + "unknown type u33 at character 4; expected one of void bool u8 i8 u16 i16 u32 i32 u64 "
          + "i64 f32 f64 point size rect insets"), "\(reason)")
  }

  @Test func readsTheSignatureOfALoadedEngine() throws {
    let listing = try listing(declaring: "u8(u32, u32)")
    let function = try #require(listing.engines.first?.description.functions.first)
    #expect(try function.parsedSignature.description == "u8(u32,u32)")
    #expect(!function.isPublished)
  }
}
