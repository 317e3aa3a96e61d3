import CTessera

/// The arguments that every call into the engines of a session has.
package struct CallContext {
  package var viewport: Viewport
  package var change = tessera_change()
  /// The width of the content if the host mirrors the layout; else nil.
  package var mirrorWidth: Double?
  /// The maximum number of rows that an engine's own query returns.
  package var rowLimit = 10_000_000

  package init(
    viewport: Viewport, change: tessera_change = tessera_change(),
    mirrorWidth: Double? = nil, rowLimit: Int = 10_000_000
  ) {
    self.viewport = viewport
    self.change = change
    self.mirrorWidth = mirrorWidth
    self.rowLimit = rowLimit
  }
}

/// The index path of an item: its section, and its number in the section.
public struct ItemPath: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The section, from 0.
  public var section: Int
  /// The item's number in its section, from 0.
  public var item: Int

  /// Creates the index path of an item.
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }

  /// Whether one index path precedes another: by section, then by item.
  public static func < (left: ItemPath, right: ItemPath) -> Bool {
    left.section != right.section ? left.section < right.section : left.item < right.item
  }
}

/// What the engines of a chain, or the process that runs them, are doing: a call of the contract, or what
/// precedes and follows the calls.
///
/// A worker notes it in memory, for its host to report where the process ended.
package enum EngineCall: UInt32 {
  case starting = 0, loading, registration, create
  case prepare, stillValid, elements, element, adjust, function, restingOffset, target
  case updateBegin, updateEnd, initialAttributes, finalAttributes, sizing
  case extensions, destroy, ending

  /// The name for errors and traces: that of the contract, if it has one.
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
