/// The engine that a layout is derived from, wherever it lies and whoever wrote it.
///
/// ```swift
/// static let base: BaseEngine? = BaseEngine("org.tessera.flow", from: "0.1.0")
/// ```
///
/// A derived layout is the base with a twist: what it does not do itself, such as preparing, the
/// base does. It reads and overrides the base's parameters through properties that are `@Inherited`,
/// calls the base through `input.super`, and finds the base's rows in the output.
public struct BaseEngine: Sendable {
  /// The base's id.
  public let id: String
  /// The lowest version of the base that suits, of the same major; nil for any.
  public let version: String?

  /// A base by its id, and the lowest version that suits.
  public init(_ id: String, from version: String? = nil) {
    self.id = id
    self.version = version
  }
}
