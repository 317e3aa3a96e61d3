import CTessera

/// What a call into the engines of a session is made with.
struct Given {
  var surroundings: Surroundings
  var change = tessera_change()
  /// The content's width where the host mirrors what comes back.
  var mirrorWidth: Double?
  /// The most rows that an engine's own query may be answered with.
  var rowLimit = 10_000_000
}
