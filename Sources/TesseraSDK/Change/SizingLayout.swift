public import TesseraGeometry

/// A layout whose items may be as large as their content says.
///
/// The host supplies one item value itself: the estimate for an item that has not been measured, the
/// measured size for one that has. It measures items when a query first returns them, prepares again,
/// and corrects the scroll offset so that nothing visible moves.
public protocol SizingLayout: Layout {
  /// The name of the item value that measuring supplies: a `Size`, or a `Double` for a height.
  static var measuredValue: String { get }

  /// What an item is taken for until it is measured, in points; nil where nothing is measured under
  /// these parameters.
  func estimate(_ input: Input) -> Size?

  /// The room that an item of a section is offered, in points; 0 means as much as it likes.
  ///
  /// What was measured for another proposal is measured again.
  func proposal(forSection section: Int, _ input: Input) -> Size
}
