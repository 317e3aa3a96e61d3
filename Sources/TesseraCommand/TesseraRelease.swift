import CTesseraBuild

/// Which Tessera this is.
public enum TesseraRelease {
  /// The version, which recordings and reports state.
  public static let version = "1.0.0"
  /// The commit of the sources, which ends with `-dirty` if they had been changed; nil if the build was
  /// not told.
  public static let commit = tessera_build_commit().map { String(cString: $0) }
}
