/// What a host asks of a worker; the first byte of its message.
enum Request: UInt8 {
  case prepare = 1, stillValid, elements, element, adjust, call, restingOffset, reorderingTarget
  case beginUpdate, endUpdate, shape, sizing, proposals, destroy, renew

  /// The name that the contract gives the function.
  var name: String {
    switch self {
    case .prepare: "prepare"
    case .stillValid: "still_valid"
    case .elements: "elements_in_rect"
    case .element: "element"
    case .adjust: "adjust"
    case .call: "a published function"
    case .restingOffset: "resting_offset"
    case .reorderingTarget: "reordering.target"
    case .beginUpdate: "updates.begin"
    case .endUpdate: "updates.end"
    case .shape: "updates.initial_attributes or final_attributes"
    case .sizing: "sizing.estimate"
    case .proposals: "sizing.proposal"
    case .destroy: "destroy"
    case .renew: "destroy and create"
    }
  }
}

/// What a worker says; the first byte of its message.
enum Answer: UInt8 {
  /// The call is over, and this is what came of it.
  case done = 1
  /// The call failed: kind and sentence.
  case failed
  /// Before it can go on it wants a delegate function's result.
  case delegate
  /// It tells how far it is, and wants to know whether to go on.
  case progress
}
