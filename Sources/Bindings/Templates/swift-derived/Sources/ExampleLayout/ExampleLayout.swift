import TesseraSDK

/// Another engine's layout, with every second cell smaller and fainter.
///
/// Change `prepare` first: the base places everything, then this engine changes it. The parameters
/// are above it, the engine's name is at the top.
final class ExampleLayout: PreparingLayout {
  static let identity = EngineIdentity(
    id: "org.example.example-layout", name: "Example Layout", version: "0.1.0",
    author: "Example Author", license: "LicenseRef-Example",
    summary: "Every second cell smaller and fainter.")
  static let base: BaseEngine? = BaseEngine("org.example.base", from: "9.8.7")
  static let columns: BuiltInColumns = .alpha

  /// Right to left is the mirror: `tessera check` tests it.
  ///
  /// If the base has them, add the laws `.appends` and `.scales`.
  static let traits: Traits = .mirrors

  // Users can set the base's parameters, too.
  @Parameter("Changes one of this many cells.", in: 1...1000) var every = 2
  @Parameter("Opacity of a changed cell.", in: 0...1) var fade = 0.5
  @Parameter("How far the edges of a changed cell move inwards.", unit: "pt", in: 0...1000)
  var inset = 6.0

  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {
    let (every, fade, inset) = (every, fade, inset)
    // Override the base's parameters, values and lists here.
    try input.super.prepare(into: output)
    for index in 0..<output.runCount {
      let (run, rows) = try output.get(index)
      guard run.category == .cell else { continue }
      for (row, item) in run.items.enumerated() where (item + 1) % every == 0 {
        rows.frame[row] = rows.frame[row].shrunk(by: inset)
        rows.alpha[row] *= fade
      }
    }
  }
}

extension Rect {
  /// Insets all edges, at most to the middle.
  fileprivate func shrunk(by inset: Double) -> Rect {
    let (dx, dy) = (min(inset, width / 2), min(inset, height / 2))
    return Rect(x: x + dx, y: y + dy, width: width - 2 * dx, height: height - 2 * dy)
  }
}

/// Registers the engine of this library.
@c(tessera_register)
public func register(_ host: HostReference, _ registry: RegistryReference) -> Status {
  registry.add(ExampleLayout.self, host: host)
}
