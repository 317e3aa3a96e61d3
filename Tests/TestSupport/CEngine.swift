import Foundation

/// An engine in C, compiled with only the contract's header.
package struct CEngine: Sendable {
  private let id: String
  private let name: String
  private let version: String
  private let declarations: String
  private let members: String
  private let body: String
  private let registration: String

  /// A one-column engine, with replaceable parts.
  ///
  /// - Parameters:
  ///   - declarations: Precede the engine's struct.
  ///   - body: Statements of `prepare`; `rows` has a row per item of section 0.
  ///   - registration: Statements of `tessera_register`, before adding the engine.
  package init(
    id: String = "org.example.column", name: String = "Column", version: String = "1.0.0",
    declarations: String = "", members: String = "", body: String = CEngine.column,
    registration: String = ""
  ) {
    (self.id, self.name, self.version) = (id, name, version)
    (self.declarations, self.members) = (declarations, members)
    (self.body, self.registration) = (body, registration)
  }

  /// Items below each other, ten points high.
  package static let column = """
    for (uint64_t i = 0; i < n; i++)
      rows->frame[i] = (tessera_rect){0, 10.0 * (double)i, in->viewport.width, 10};

    """

  package var source: String {
    """
    #include <math.h>
    #include <tessera/tessera.h>
    #include <unistd.h>

    TESSERA_NOTE;
    static const tessera_host *the_host;
    \(declarations)
    static tessera_status make(const tessera_engine *self, const tessera_host *host,
                               tessera_layout **layout) {
      (void)self;
      the_host = host;
      *layout = (tessera_layout *)&the_host;
      return TESSERA_OK;
    }
    static void destroy(tessera_layout *layout) { (void)layout; }
    static tessera_status prepare(tessera_layout *layout, const tessera_input *in,
                                  tessera_output *out) {
      (void)layout;
      uint64_t n = in->section_count ? in->section_starts[1] : 0;
      const tessera_rows *rows = 0;
      tessera_run run = {TESSERA_CATEGORY_CELL, 0, 0, 0, 0, n};
      tessera_status status = out->add(out, &run, &rows);
      if (status != TESSERA_OK) return status;
      \(body)
      out->set_content_size(out, (tessera_size){in->viewport.width, 10.0 * (double)n});
      return TESSERA_OK;
    }
    static const tessera_engine engine = {
        .struct_size = sizeof(tessera_engine), .id = "\(id)", .name = "\(name)",
        .version = "\(version)", .author = "A test", .license = "MIT", .summary = "A column.",
        .parameter_size = sizeof(tessera_parameter),
        .value_size = sizeof(tessera_value_declaration),
        .function_size = sizeof(tessera_function_declaration),
        .attribute_size = sizeof(tessera_attribute), .kind_size = sizeof(tessera_kind),
        .default_size = sizeof(tessera_setting),
        .create = make, .destroy = destroy, .prepare = prepare, \(members)};
    TESSERA_EXPORT tessera_status tessera_register(const tessera_host *host,
                                                   tessera_registry *registry) {
      (void)host;
      \(registration)
      return registry->add_engine(registry, &engine);
    }
    """
  }

  @discardableResult
  package func build(
    in folder: TemporaryFolder, as library: String = "libcolumn.so",
    compiler: CCompiler = CCompiler("gcc")
  ) throws -> String {
    let source = try folder.write("\(library).c", source)
    defer { try? FileManager.default.removeItem(atPath: source) }
    try compiler.compile(source, to: folder.path(library))
    return folder.path(library)
  }
}
