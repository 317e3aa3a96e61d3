import TesseraGeometry

/// When what happens in an animated picture that runs over and over: the layout before rests for a
/// moment, the elements move, and the layout after rests a little longer.
struct Timeline {
  /// How long the movement takes, in seconds.
  let duration: Double
  /// How long the layout before rests.
  static let restBefore = 0.6
  /// How long the layout after rests.
  static let restAfter = 1.0
  /// How many straight pieces stand for the way of what is transformed.
  static let pieces = 30

  /// - Parameter duration: what is no length of time counts as half a second, a day as the longest.
  init(duration: Double) {
    self.duration = duration > 0 ? min(max(duration, 0.01), 86_400) : 0.5
  }

  /// How long all of it takes.
  var cycle: Double { Self.restBefore + duration + Self.restAfter }

  /// Which part of the cycle has passed when the movement has come so far.
  func moment(_ progress: Double) -> Double {
    let part = (Self.restBefore + duration * progress) / cycle
    return (part * 1e6).rounded() / 1e6
  }

  /// The progresses at which the way of what is transformed is told.
  static let samples = (0...pieces).map { Double($0) / Double(pieces) }
}

extension AnimatedPicture {
  var timeline: Timeline { Timeline(duration: duration) }
}
