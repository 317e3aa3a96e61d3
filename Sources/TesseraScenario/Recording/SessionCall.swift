/// One call to a session as plain data: something that is set, or a question.
public enum SessionCall: Equatable, Sendable {
  /// The viewport's size.
  case bounds(Size)
  /// Where the viewport is scrolled to.
  case offset(Point)
  /// What lies around the content inside the bounds.
  case contentInsets(Insets)
  /// How far the display's unsafe edges reach into the bounds.
  case safeAreaInsets(Insets)
  /// How far content should keep from the edges of the bounds.
  case layoutMargins(Insets)
  /// Device pixels a point.
  case scale(Double)
  /// Which way the content reads.
  case direction(LayoutDirection)
  /// A parameter's value; nil is the one that it starts with.
  case parameter(String, Value?)
  /// How many items each section has; the values of sections and items are forgotten.
  case sections([Int])
  /// A value for each section.
  case sectionValues(String, ValueColumn)
  /// A value for each item of all sections.
  case itemValues(String, ValueColumn)
  /// What answers a delegate function, as a scenario has it; nil takes it away.
  case delegate(String, JSONValue?)
  /// What items measure, as a scenario has it; nil takes it away.
  case measure(JSONValue?)
  /// How large the content is.
  case contentSize
  /// The elements that meet a rect; nil: all.
  case elements(in: Rect?)
  /// The elements that the viewport meets.
  case visibleElements
  /// One element.
  case element(ElementIdentity)
  /// Where a scroll comes to rest.
  case snap(Point, velocity: Point)
  /// A function that the engine publishes, with its arguments as a person writes them.
  case function(String, [String])
  /// A batch of changes, the counts that it ends with, and what is set of the new data.
  indirect case update([UpdateOperation], counts: [Int], changes: [SessionCall])
  /// The end: the engine destroys its layout.
  case close
  /// A case of the conformance suite, which makes sessions of its own.
  case check(SuiteCall)

  /// Whether it asks the engine for something.
  public var isQuestion: Bool {
    switch self {
    case .contentSize, .elements, .visibleElements, .element, .snap, .function, .update, .check:
      true
    default: false
    }
  }
}

/// A case of the conformance suite with its input, as far as a recording knows of it.
public struct SuiteCall: Equatable, Sendable {
  /// The case's id.
  public var id: String
  /// How much it examines: quick, standard or thorough.
  public var level: String
  /// What its random numbers begin with, in digits: a double cannot hold all of them.
  public var seed: String
  /// The input as a scenario in JSON; nil where it depends on none.
  public var sample: JSONValue?

  /// A case with its input.
  public init(id: String, level: String, seed: String, sample: JSONValue?) {
    (self.id, self.level, self.seed, self.sample) = (id, level, seed, sample)
  }
}
