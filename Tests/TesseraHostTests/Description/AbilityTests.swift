import TestSupport
import Testing

@testable import TesseraCatalog
@testable import TesseraHost
@testable import TesseraRuntime
@testable import TesseraWorker

/// Which functions of its own an engine has; the oracle is what their sources define.
@Suite struct AbilityTests {
  @Test func abilitiesOfEnginesInCAreTheFunctionsInTheirTables() throws {
    let inputs = try FixtureLibrary.inputs.get().engine("mirrored-inputs").description
    #expect(inputs.abilities.contains(.prepare))
    #expect(inputs.abilities.isDisjoint(with: [.adjust, .elementsInRect, .element, .updates]))
    let misbehaving = try FixtureLibrary.misbehaving.get()
    #expect(try misbehaving.engine("sound").description.abilities == [.create, .prepare])
    #expect(
      try misbehaving.engine("lazy-odd-frame").description.abilities
        == [.create, .prepare, .elementsInRect, .element])
    let deciding = try FixtureLibrary("deciding")
    for entry in try deciding.engine("deciding-last").chain {
      #expect(entry.abilities.isSuperset(of: [.create, .reordering]))
      #expect(entry.abilities.isDisjoint(with: [.snapping, .updates, .sizing]))
    }
  }

  @Test(
    arguments: [
      ("Flow", "flow", [.sizing, .adjust, .stillValid], [.snapping, .updates]),
      ("Table", "table", [.sizing, .adjust, .stillValid], [.snapping, .updates]),
      ("CoverFlow", "cover-flow", [.snapping, .adjust], [.sizing, .updates]),
      ("EvenFlow", "even-flow", [.updates], [.sizing, .snapping, .adjust]),
    ] as [(String, String, EngineAbilities, EngineAbilities)])
  func abilitiesOfEnginesThatShipAreTheProtocolsTheyConformTo(
    library: String, name: String, has: EngineAbilities, lacks: EngineAbilities
  ) throws {
    let host = Host(
      searchPath: SearchPath(folders: [BuiltProducts.folder.path]),
      configuration: HostConfiguration(isolation: .none))
    let abilities = try host.engine(name).description.abilities
    #expect(abilities.isSuperset(of: has))
    #expect(abilities.isDisjoint(with: lacks.union([.elementsInRect, .element, .reordering])))
  }

  /// A table of another size or of another extension is none.
  @Test func aTableThatIsTooSmallIsNone() throws {
    let folder = try TemporaryFolder()
    let source = try folder.write(
      "small.c",
      """
      #include <tessera/ext/snapping.h>
      #include <tessera/ext/updates.h>
      #include <string.h>
      TESSERA_NOTE;
      static tessera_status prepare(tessera_layout *layout, const tessera_input *input, tessera_output *output) {
        (void)layout; (void)input; (void)output;
        return TESSERA_OK;
      }
      static const uint32_t small[2] = {8, 0}, large[64] = {256};
      static const void *extension(const tessera_engine *self, const char *id) {
        (void)self;
        if (!strcmp(id, TESSERA_SNAPPING)) return small;
        return strcmp(id, TESSERA_UPDATES) ? NULL : large;
      }
      static const tessera_engine engine = {
        .struct_size = sizeof(tessera_engine), .id = "org.example.small", .name = "Small", .version = "1.0.0",
        .author = "", .license = "", .summary = "", .prepare = prepare, .extension = extension};
      TESSERA_EXPORT tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
        (void)host;
        return registry->add_engine(registry, &engine);
      }
      """)
    try CCompiler("gcc").compile(source, to: folder.path("libsmall.so"))
    let host = Host(
      searchPath: SearchPath(folders: [folder.path]),
      configuration: HostConfiguration(isolation: .none))
    let abilities = try host.engine("org.example.small").description.abilities
    #expect(abilities == [.prepare, .updates])
  }
}
