/// What goes wrong in mutated engines, in the words of reports.
enum MutationKind: String, CaseIterable, Sendable {
  case offByOne = "a frame off by one"
  case dropped = "an item dropped"
  case twice = "an item twice"
  case stale = "a stale cache"
  case wrong = "a wrong kind or section"
  case forgotten = "a forgotten invalidation"
  case noNumber = "no number"
  case negative = "a negative size"
  case tooSmall = "a content size too small"
  case chance = "nondeterminism"
  case shared = "shared between layouts"
  case limits = "a limit not kept"
  case mirror = "a broken mirror"
  case grid = "a broken pixel grid"
}
