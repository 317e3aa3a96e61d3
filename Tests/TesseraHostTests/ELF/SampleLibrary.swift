import Foundation
import TestSupport

/// Engine libraries that tests build once, and the bytes of one to be spoilt.
enum SampleLibrary {
  /// The least that is an engine library: a note and an entry.
  static let source = """
    #include <tessera/tessera.h>
    TESSERA_NOTE;
    tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
      (void)host;
      (void)registry;
      return TESSERA_OK;
    }
    """

  private static let built = Result { try CCompiler("gcc").compile(text: source) }

  /// The source as gcc compiles it.
  static func bytes() throws -> [UInt8] { try built.get() }

  /// A source without the note, or with other words in its place.
  static func source(note: String = "") -> String {
    source.replacingOccurrences(of: "TESSERA_NOTE;", with: note)
  }

  /// A note of these three numbers, with a name and data of these sizes.
  static func note(nameSize: Int = 8, dataSize: Int = 12, type: Int = 1, data: String) -> String {
    """
    __attribute__((section(".note.tessera"), used, aligned(4))) static const struct {
      uint32_t name_size, data_size, type;
      char name[8];
      uint32_t data[\(max(1, dataSize / 4))];
    } note = {\(nameSize), \(dataSize), \(type), "Tessera", {\(data)}};
    """
  }
}
