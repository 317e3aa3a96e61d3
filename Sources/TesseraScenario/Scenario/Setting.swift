/// A value as it was written, before the engine says what type it has, and where it was written.
public struct Setting: Equatable, Sendable {
  /// The JSON value; a text is an expression, a name, or a vector split at commas.
  public var value: JSONValue
  /// Where the value comes from, for errors: "parameters.itemSize", "--set itemSize".
  public var source: String

  /// A value from somewhere.
  public init(_ value: JSONValue, source: String) {
    self.value = value
    self.source = source
  }

  /// A text from the command line: "floor((width-2)/3),90".
  public init(text: String, source: String) { self.init(.string(text), source: source) }

  var node: JSONNode { JSONNode(value: value, path: source) }
}
