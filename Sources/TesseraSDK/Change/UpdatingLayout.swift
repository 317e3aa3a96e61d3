/// A layout that shapes how elements appear and disappear when the data change.
///
/// For one batch of changes the host prepares with the old data, calls `begin`, prepares with the new
/// data, calls `initialAttributes` and `finalAttributes` where elements appear or disappear, and then
/// `end`, also where a call between failed. The base is called first; each layout sees what the one
/// before left. What a layout does not implement does nothing.
public protocol UpdatingLayout: Layout {
  /// The data are about to change.
  ///
  /// - Parameters:
  ///   - updates: What changes; what is deleted or moved away is numbered as in the old data, what
  ///     arrives as in the new.
  ///   - input: Holds the old data.
  /// - Throws: What makes the batch impossible; it is then not applied.
  func begin(_ updates: [Update], _ input: Input) throws(LayoutFailure)

  /// Says where elements that appear come from.
  ///
  /// - Parameters:
  ///   - input: Holds the new data.
  ///   - output: Holds the elements as they will be, with alpha 0; all built-in columns exist and may
  ///     be changed. Nothing can be added.
  func initialAttributes(_ input: Input, into output: Output) throws(LayoutFailure)

  /// Says where elements that disappear go.
  ///
  /// - Parameters:
  ///   - input: Holds the new data.
  ///   - output: Holds the elements as they were, in the old numbering, with alpha 0; as for
  ///     `initialAttributes`.
  func finalAttributes(_ input: Input, into output: Output) throws(LayoutFailure)

  /// The batch is over.
  func end()
}

extension UpdatingLayout {
  /// Does nothing.
  public func begin(_ updates: [Update], _ input: Input) throws(LayoutFailure) {}
  /// Leaves the elements as they are: they fade in.
  public func initialAttributes(_ input: Input, into output: Output) throws(LayoutFailure) {}
  /// Leaves the elements as they are: they fade out.
  public func finalAttributes(_ input: Input, into output: Output) throws(LayoutFailure) {}
  /// Does nothing.
  public func end() {}
}
