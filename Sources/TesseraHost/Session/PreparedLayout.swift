import TesseraGeometry

/// What a prepare left beside rows.
struct PreparedLayout {
  /// How large the content is.
  let contentSize: Size
  /// What the engine was given.
  var surroundings: Surroundings
}
