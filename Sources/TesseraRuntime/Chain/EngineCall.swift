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
