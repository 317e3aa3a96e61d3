import CTessera

package struct CallContext {
  package var viewport: Viewport
  package var change = tessera_change()
  /// Nil unless the host mirrors the layout.
  package var mirrorWidth: Double?
  /// For an engine's own query.
  package var rowLimit = 10_000_000

  package init(
    viewport: Viewport, change: tessera_change = tessera_change(),
    mirrorWidth: Double? = nil, rowLimit: Int = 10_000_000
  ) {
    (self.viewport, self.change) = (viewport, change)
    (self.mirrorWidth, self.rowLimit) = (mirrorWidth, rowLimit)
  }
}

/// An item's section and number in the section.
public struct ItemPath: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The section, from 0.
  public var section: Int
  /// The number in the section, from 0.
  public var item: Int

  /// Creates an index path.
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }

  /// Compares by section, then by item.
  public static func < (left: ItemPath, right: ItemPath) -> Bool {
    left.section != right.section ? left.section < right.section : left.item < right.item
  }
}

/// What engines or their process are doing; a worker notes it in memory for its host.
package enum EngineCall: UInt32 {
  case starting = 0, loading, registration, create
  case prepare, stillValid, elements, element, adjust, function, restingOffset, target
  case updateBegin, updateEnd, initialAttributes, finalAttributes, sizing
  case extensions, destroy, ending

  /// For errors and traces: the contract's name, if it has one.
  package var name: String {
    switch self {
    case .starting: "its start"
    case .loading: "loading"
    case .registration: "its registration"
    case .create: "create"
    case .prepare: "prepare"
    case .stillValid: "still_valid"
    case .elements: "elements_in_rect"
    case .element: "element"
    case .adjust: "adjust"
    case .function: "a published function"
    case .restingOffset: "resting_offset"
    case .target: "reordering.target"
    case .updateBegin: "updates.begin"
    case .updateEnd: "updates.end"
    case .initialAttributes: "updates.initial_attributes"
    case .finalAttributes: "updates.final_attributes"
    case .sizing: "sizing"
    case .extensions: "extension"
    case .destroy: "destroy"
    case .ending: "exit"
    }
  }
}
