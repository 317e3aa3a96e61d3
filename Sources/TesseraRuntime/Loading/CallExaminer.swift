import CTessera
import TesseraCatalog

/// Watches and changes what passes between a chain and its engines, in examinations only.
package protocol CallExaminer: AnyObject {
  /// Hides the host's extensions from engines; read when a chain is made.
  var hidesExtensions: Bool { get }

  /// Calls an engine; calls to bases nest.
  func call<Result>(
    _ engine: EngineDescription, _ input: UnsafePointer<tessera_input>,
    _ body: (UnsafePointer<tessera_input>) -> Result
  ) -> Result

  /// Memory for the running call; nil for the host's memory.
  func lend(byteCount: Int, _ name: String) -> UnsafeMutableRawPointer?

  /// Memory until `takeBack`; nil for the host's memory.
  func lendLasting(byteCount: Int, _ name: String) -> UnsafeMutableRawPointer?

  func takeBack(_ memory: UnsafeMutableRawPointer)

  /// Before an engine gets the rows of a run in prepare, perhaps its base's.
  func willGive(_ rows: tessera_rows, isFetched: Bool)

  func wereLeft(_ rows: tessera_rows, _ count: Int)

  func add(_ count: UInt64, to store: RowStore, _ add: () -> tessera_status) -> tessera_status

  /// Progress from the engine at `place` in the chain, before clamping.
  func observe(_ progress: Double, ofEngineAt place: Int)

  /// Whether a derived engine's call of its base fails.
  func failsBase() -> Bool

  /// The function to call for a published one.
  func replacement(
    for code: @escaping @convention(c) () -> Void, _ signature: Signature
  ) -> @convention(c) () -> Void
}
