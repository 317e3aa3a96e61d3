/// Who an engine is.
public struct EngineIdentity: Sendable {
  /// The engine's name among all engines, reverse-DNS: "org.example.spiral".
  public let id: String
  /// The name that people read.
  public let name: String
  /// A semantic version: "1.2.3".
  public let version: String
  /// Who wrote the engine.
  public let author: String
  /// The SPDX identifier of its license: "MIT".
  public let license: String
  /// One sentence: what the layout looks like.
  public let summary: String

  /// An identity; the host refuses an engine whose id or version is malformed.
  public init(
    id: String, name: String, version: String, author: String, license: String, summary: String
  ) {
    self.id = id
    self.name = name
    self.version = version
    self.author = author
    self.license = license
    self.summary = summary
  }
}
