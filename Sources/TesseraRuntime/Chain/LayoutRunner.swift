import CTessera
import TesseraCatalog
import TesseraGeometry

/// Runs the engines of a session, in this process or in a worker.
///
/// Each call uses the session's current values and section starts. The rows that a call returns are
/// valid until the next call.
package protocol LayoutRunner: AnyObject {
  var traits: ChainTraits { get }
  var numbering: ChainNumbers { get }
  /// The rows of the last successful prepare.
  var prepared: RowStore { get }
  /// Finds rows of the last successful prepare.
  var index: PreparedIndex { get }
  /// The warnings that the engines reported in the last call.
  var warnings: [String] { get }
  /// Receives the progress of a long call, from 0 to 1; returns false to cancel the call.
  var progress: (@Sendable (Double) -> Bool)? { get set }
  /// Receives a line of text for each call into the engines.
  var trace: (@Sendable (String) -> Void)? { get set }

  /// What a program can do to get more rows than a prepare may add.
  var roomRemedy: HostError.Remedy { get }
  /// Whether the prepared layout no longer exists, for example because its worker has exited.
  var isLost: Bool { get }

  /// Gives the engines the current values in the calls that follow, without a prepare.
  func valuesChanged()
  /// Sets the item counts for the calls that follow.
  func supply(_ starts: SectionStarts)
  /// Returns an empty store for query results of at most `limit` rows.
  func answerStore(limit: Int) throws(HostError) -> RowStore
  /// Returns an empty store with all columns, for elements that appear or disappear.
  func shapeStore(limit: Int) throws(HostError) -> RowStore

  /// Prepares the layout: places every element, or with a lazy engine computes only the content
  /// size.
  ///
  /// - Returns: The content size.
  func prepare(_ context: CallContext) throws(HostError) -> Size
  /// Prepares the layout unless the prepared one is still valid with other bounds.
  ///
  /// - Returns: The content size; nil if the prepared layout is still valid.
  func prepareUnlessValid(_ context: CallContext) throws(HostError) -> Size?
  /// Queries a lazy layout for the elements in a rect, at most `limit`.
  func elements(in rect: Rect, _ context: CallContext, limit: Int) throws(HostError) -> RowStore
  /// Queries a lazy layout for one element.
  func element(_ run: tessera_run, _ context: CallContext) throws(HostError) -> RowStore
  /// Adjusts the rows of a query result for the viewport.
  func adjust(_ store: RowStore, for rect: Rect, _ context: CallContext) throws(HostError)
  /// Prepares parts of the data one after the other, each as a layout of its own; afterwards nothing
  /// is prepared.
  ///
  /// An engine that ends its process costs the part that it was preparing; a new process goes on with
  /// the next.
  ///
  /// - Parameters:
  ///   - parts: Together all sections, in their order.
  ///   - receive: Called for each part, in their order, with its rows, which are valid until it
  ///     returns, or with its error.
  /// - Throws: The error with which no part can be prepared.
  func prepareEach(
    _ parts: [LayoutPart], _ context: CallContext,
    receive: (Int, Result<PreparedPart, HostError>) -> Void
  ) throws(HostError)

  /// Calls a published function; returns nil if no engine publishes one with that name.
  func call(
    _ name: String, _ arguments: [Value], _ context: CallContext
  ) throws(HostError) -> Value?
  /// Returns where a scroll comes to rest; base engines are called first.
  func restingOffset(
    for proposed: Point, velocity: Point, _ context: CallContext
  ) throws(HostError) -> Point
  /// Returns where a dragged item goes; base engines are called first.
  ///
  /// - Parameter nearest: The result if no engine changes it.
  func reorderingTarget(
    for item: ItemPath, at point: Point, nearest: ItemPath, _ context: CallContext
  ) throws(HostError) -> (section: Untrusted<UInt32>, item: Untrusted<UInt64>)
  /// Calls the engines' `begin` of a batch update.
  func beginUpdate(_ operations: [tessera_update], _ context: CallContext) throws(HostError)
  /// Calls `end` on the engines whose `begin` was called.
  func endUpdate() throws(HostError)
  /// Calls the engines to change the initial or final attributes of elements that appear or
  /// disappear.
  func shape(_ store: RowStore, as ends: UpdateEnds, _ context: CallContext) throws(HostError)
  /// Returns the item value that measured items supply and its estimate; nil if none are measured.
  func sizing(_ context: CallContext) throws(HostError) -> SizingRule?
  /// Returns the size that the items of each section are offered.
  func proposals(_ context: CallContext, sections: Range<Int>) throws(HostError) -> [Size]
  /// Destroys the engines' layouts; the next prepare creates new ones.
  func close() throws(HostError)
  /// Destroys the engines' layouts and creates new ones in the same process.
  func renew() throws(HostError)
}

/// Which elements of a batch update are to be shaped.
package enum UpdateEnds: UInt8 {
  /// Elements that appear: their initial attributes.
  case initial
  /// Elements that disappear: their final attributes.
  case final
}

/// The item value that measured sizes supply, and its estimate.
package struct SizingRule: Equatable {
  package let place: SessionValues.Place
  package let estimate: Size

  package init(place: SessionValues.Place, estimate: Size) {
    self.place = place
    self.estimate = estimate
  }
}
