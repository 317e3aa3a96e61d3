import CTessera
import TesseraCatalog
import TesseraGeometry

/// The engines of a session at work: in this process, or in a worker.
///
/// It lays out what the session's values and section starts hold when it is called. Rows that it
/// answers with are valid until it is called again.
package protocol LayoutRunner: AnyObject {
  var traits: ChainTraits { get }
  var numbering: Numbering { get }
  /// What the last successful prepare wrote.
  var prepared: RowStore { get }
  /// Finds what the last successful prepare wrote.
  var index: PreparedIndex { get }
  /// What the engines reported beside success in the last call.
  var warnings: [String] { get }
  /// Asked how far a long call is; false cancels it.
  var progress: (@Sendable (Double) -> Bool)? { get set }
  /// Told a line about each call into the engines.
  var trace: (@Sendable (String) -> Void)? { get set }

  /// Whether what was prepared is gone, with the process that prepared it.
  var isLost: Bool { get }

  /// Takes the item counts that hold from now on.
  func supply(_ starts: SectionStarts)
  /// An empty store for what a query is about to return, of at most so many rows.
  func answerStore(limit: Int) throws(HostError) -> RowStore
  /// An empty store with all columns, for elements that appear or disappear.
  func shapeStore(limit: Int) throws(HostError) -> RowStore

  /// Has every element placed; a lazy engine only says how large the content is.
  ///
  /// - Returns: The content size.
  func prepare(_ context: CallContext) throws(HostError) -> Size
  /// Whether the prepared layout still holds under surroundings that differ in bounds.
  func isStillValid(_ context: CallContext) throws(HostError) -> Bool
  /// What a lazy layout has in a rect, in a store of at most `limit` rows.
  func elements(in rect: Rect, _ context: CallContext, limit: Int) throws(HostError) -> RowStore
  /// What a lazy layout says of one element.
  func element(_ run: tessera_run, _ context: CallContext) throws(HostError) -> RowStore
  /// Has the rows of an answer re-shaped for the viewport.
  func adjust(_ store: RowStore, for rect: Rect, _ context: CallContext) throws(HostError)

  /// Calls a function that an engine publishes; nil where none does under that name.
  func call(
    _ name: String, _ arguments: [CallValue], _ context: CallContext
  ) throws(HostError) -> CallValue?
  /// Where a scroll rests; bases are asked first.
  func restingOffset(
    for proposed: Point, velocity: Point, _ context: CallContext
  ) throws(HostError) -> Point
  /// Where a dragged item goes; bases are asked first.
  ///
  /// - Parameter nearest: What holds where no engine says otherwise.
  func reorderingTarget(
    for item: ItemPath, at point: Point, nearest: ItemPath, _ context: CallContext
  ) throws(HostError) -> (section: UInt32, item: UInt64)
  /// Tells the engines what is about to change.
  func beginUpdate(_ operations: [tessera_update], _ context: CallContext) throws(HostError)
  /// Tells those that were told that the change is over.
  func endUpdate() throws(HostError)
  /// Asks the engines how elements appear or disappear.
  func shape(_ store: RowStore, as ends: UpdateEnds, _ context: CallContext) throws(HostError)
  /// What an item that is measured by its content is taken for until then; nil where none is.
  func sizing(_ context: CallContext) throws(HostError) -> SizingRule?
  /// The room that the items of each section are offered.
  func proposals(_ context: CallContext, sections: Range<Int>) throws(HostError) -> [Size]
  /// Has the engines destroy their layouts; a prepare that follows makes new ones.
  func close() throws(HostError)
  /// Has the engines destroy their layouts and make new ones, in the process that is there.
  func renew() throws(HostError)
}

/// Which elements of a change engines are asked about.
package enum UpdateEnds: UInt8 {
  /// Those that appear, where they come from.
  case initial
  /// Those that disappear, where they go.
  case final
}

/// The item value that measuring supplies, and its estimate.
package struct SizingRule: Equatable {
  package let place: SessionValues.Place
  package let estimate: Size

  package init(place: SessionValues.Place, estimate: Size) {
    self.place = place
    self.estimate = estimate
  }
}
