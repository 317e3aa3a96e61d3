extension EngineDescription {
  /// Whether a text may be an engine's id: at least two parts of letters, digits and inner hyphens
  /// between dots, in at most 255 bytes.
  public static func isID(_ text: String) -> Bool { DescriptionRules.isReverseDNS(text) }
}
