import TesseraHost
import TesseraScenario

/// A layout with all that is needed to print or draw it.
struct FinishedLayout {
  let engine: EngineDescription
  let scenario: Scenario
  /// The bounds at their offset.
  let viewport: Rect
  /// What the elements are limited to; nil: they are all there are.
  let rect: Rect?
  let contentSize: Size
  let elements: Elements
}
