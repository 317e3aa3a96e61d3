import CTessera

/// Compares what an engine is given before and after each of its calls.
///
/// Section starts and values lie in pages that a worker cannot write; this looks after the rest.
final class InputWatch {
  /// What was written to first: "its parameters".
  private(set) var written: String?

  func watching<Result>(
    _ layer: Layer, _ input: inout tessera_input,
    _ body: (UnsafePointer<tessera_input>) -> Result
  ) -> Result {
    let before = copies(of: layer, input)
    defer {
      let after = copies(of: layer, input)
      for (old, new) in zip(before, after) where old.bytes != new.bytes {
        written = written ?? old.name
      }
    }
    return withUnsafeMutablePointer(to: &input) { body(UnsafePointer($0)) }
  }

  private func copies(
    of layer: Layer, _ input: tessera_input
  ) -> [(name: String, bytes: [UInt8])] {
    [
      ("its parameters", Array(UnsafeRawBufferPointer(layer.parameters))),
      ("the places of its values", Array(UnsafeRawBufferPointer(layer.columns))),
      ("its delegate functions", Array(UnsafeRawBufferPointer(layer.functions))),
      ("its input", withUnsafeBytes(of: input) { Array($0) }),
    ]
  }
}
