import CTessera
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

/// A layout in use: an engine, what it is given, and what it answered.
///
/// Setting something costs nothing; the next question prepares the layout if it must. A session is
/// used by one thread at a time; different sessions may be used by different threads at once.
public final class Session {
  /// The engine that lays out; another one after its library was replaced.
  public internal(set) var engine: Engine
  /// The most elements that one question may be answered with; more is an error that says so.
  public var rowLimit = 10_000_000

  /// The viewport settings that the layout is given.
  public internal(set) var surroundings = Surroundings()
  package var starts: SectionStarts
  /// Memory that a worker can read; nil without one.
  package let input: SharedInput?
  package var values: SessionValues
  var runner: any LayoutRunner
  /// Looks after the files of the engine's libraries.
  var watch: LibraryWatch
  /// What came of the last time that a library was found replaced: what could not be kept of what was
  /// set, or why the library before goes on; nil where none was.
  public internal(set) var lastReload: Result<[String], HostError>?
  /// What changed since the last successful prepare, as the contract's TESSERA_CHANGED bits.
  var changes = UInt32(TESSERA_CHANGED_ALL)
  var prepared: PreparedLayout?
  /// The item that is held and dragged.
  var reordering: Reordering?
  /// Whether the engines are between the begin and the end of a batch of changes.
  var isUpdating = false
  /// What the last successful prepare was made from.
  var preparedData: FirstChange.Data?

  /// A layout of one section of no items, with the surroundings that a scenario starts from: bounds
  /// 375×667, scale 2, everything else 0.
  ///
  /// - Throws: What the engine says when it refuses to be used.
  public convenience init(_ engine: Engine) throws(HostError) {
    try self.init(engine, startsNow: true)
  }

  /// - Parameter startsNow: Whether the engine is set to work at once, or by the first question: one
  ///   that only carries what another layout is given needs none.
  package init(_ engine: Engine, startsNow: Bool) throws(HostError) {
    self.engine = engine
    watch = LibraryWatch(engine.libraries.libraries)
    let isInProcess = engine.runtime.isInProcess
    let input: SharedInput? = isInProcess ? nil : try SharedInput()
    let memory: any InputMemory = input ?? ProcessInput()
    self.input = input
    starts = try SectionStarts(counts: [0], memory: memory)
    values = try SessionValues(chain: engine.chain, memory: memory)
    runner = try engine.runner(values, starts, input, startsNow: startsNow)
  }

  /// The viewport's size in points; finite, 0 or more.
  public var bounds: Size {
    get { surroundings.bounds }
    set { change(\.bounds, newValue) }
  }

  /// Where the viewport is scrolled to.
  ///
  /// Moving it prepares nothing.
  public var offset: Point {
    get { surroundings.offset }
    set { surroundings.offset = newValue }
  }

  /// What lies around the content inside the bounds.
  public var contentInsets: Insets {
    get { surroundings.contentInsets }
    set { change(\.contentInsets, newValue) }
  }

  /// How far the display's unsafe edges reach into the bounds.
  public var safeAreaInsets: Insets {
    get { surroundings.safeAreaInsets }
    set { change(\.safeAreaInsets, newValue) }
  }

  /// How far content should keep from the edges of the bounds.
  public var layoutMargins: Insets {
    get { surroundings.layoutMargins }
    set { change(\.layoutMargins, newValue) }
  }

  /// Device pixels a point; 0.01 to 1000.
  public var scale: Double {
    get { surroundings.scale }
    set { change(\.scale, newValue) }
  }

  /// Which way the content reads.
  public var direction: LayoutDirection {
    get { surroundings.direction }
    set { change(\.direction, newValue) }
  }

  /// The bounds at the offset.
  public var visibleRect: Rect { Rect(origin: offset, size: bounds) }

  /// Asked by long calls into the engine how far they are, 0...1; false cancels the call.
  public var progress: (@Sendable (Double) -> Bool)? {
    get { runner.progress }
    set { runner.progress = newValue }
  }

  /// Measures an item: its section, its place there and the size that it is offered, where 0 is as
  /// much as it likes.
  ///
  /// An engine that sizes items by their content then uses estimates until an element is first
  /// asked for.
  public var measure: ((_ section: Int, _ item: Int, _ proposed: Size) throws(HostError) -> Size)?
  {
    didSet {
      values.sizing = nil
      changes |= UInt32(TESSERA_CHANGED_ALL)
    }
  }

  /// Told one line about each call into the engine: its arguments in short, its result and time.
  public var trace: (@Sendable (String) -> Void)? {
    get { runner.trace }
    set { runner.trace = newValue }
  }

  /// What the engine reported beside success in the last call.
  public var warnings: [String] { runner.warnings }

  /// Has the engine destroy its layout, and ends its process where it has one of its own.
  ///
  /// A session that is forgotten ends it too, but tells nobody how that went. One that is asked again
  /// sets the engine to work anew.
  ///
  /// - Throws: `.died` where the engine crashes or hangs instead.
  public func close() throws(HostError) {
    prepared = nil
    changes = UInt32(TESSERA_CHANGED_ALL)
    try runner.close()
  }

  /// Has the engine destroy its layout and make another one in the process that is there.
  ///
  /// What was set stays; nothing is left of what the layout was prepared from.
  ///
  /// - Throws: `.died` where the engine crashes or hangs instead.
  package func renew() throws(HostError) {
    (prepared, preparedData, reordering) = (nil, nil, nil)
    isUpdating = false
    changes = UInt32(TESSERA_CHANGED_ALL)
    try runner.renew()
  }

  private func change<Item: Equatable>(
    _ path: WritableKeyPath<Surroundings, Item>, _ value: Item
  ) {
    guard surroundings[keyPath: path] != value else { return }
    surroundings[keyPath: path] = value
    changes |= UInt32(TESSERA_CHANGED_BOUNDS)
  }
}

extension Session {
  /// The item count of each section.
  public var itemCounts: [Int] { starts.counts }

  /// Sets a parameter of the engine, or of a base of it.
  ///
  /// - Throws: `.invalidInput` for an unknown name, another type, or a value out of range.
  public func setParameter(_ name: String, to value: Value) throws(HostError) {
    try values.setParameter(name, to: value)
    changes |= UInt32(TESSERA_CHANGED_PARAMETERS)
  }

  /// Gives a parameter back the value that it starts with.
  ///
  /// - Throws: `.invalidInput` for an unknown name.
  public func resetParameter(_ name: String) throws(HostError) {
    try values.setParameter(name, to: nil)
    changes |= UInt32(TESSERA_CHANGED_PARAMETERS)
  }

  /// Sets how many items each section has, and forgets all section and item values.
  ///
  /// - Throws: `.invalidInput` for a negative count, or more than 2^62 items.
  /// - Complexity: O(*s*) for *s* sections.
  public func setSections(_ itemCounts: [Int]) throws(HostError) {
    let new = try SectionStarts(counts: itemCounts, memory: values.memory)
    starts = new
    runner.supply(new)
    values.removeValues()
    values.sizing = nil
    changes |= UInt32(TESSERA_CHANGED_COUNTS | TESSERA_CHANGED_VALUES)
  }

  /// Gives a section value for all sections.
  ///
  /// - Throws: `.invalidInput` for an unknown name, another type or another count.
  public func setSectionValues(_ name: String, _ column: ValueColumn) throws(HostError) {
    try values.setValues(name, .section, column, count: starts.counts.count)
    changes |= UInt32(TESSERA_CHANGED_VALUES)
  }

  /// Gives an item value for the items of all sections, one after the other.
  ///
  /// - Throws: `.invalidInput` for an unknown name, another type or another count.
  /// - Complexity: O(*n*), one copy; a constant O(1).
  public func setItemValues(_ name: String, _ column: ValueColumn) throws(HostError) {
    try values.setValues(name, .item, column, count: starts.total)
    changes |= UInt32(TESSERA_CHANGED_VALUES)
  }
}

extension Session {
  /// Sets what answers a delegate function of the engine or of a base; nil takes it away, and the
  /// documented fallback holds.
  ///
  /// - Throws: `.invalidInput` for an unknown name or another signature than the declared one.
  public func setDelegate(_ name: String, _ function: DelegateFunction?) throws(HostError) {
    try values.setDelegate(name, function)
    changes |= UInt32(TESSERA_CHANGED_ALL)
  }

  /// Calls a function that the engine or a base publishes, for the layout as it is prepared now.
  ///
  /// - Throws: `.invalidInput` for an unknown name, or arguments that do not fit the signature;
  ///   what the engine refuses.
  public func call(_ name: String, _ arguments: [CallValue]) throws(HostError) -> CallValue {
    let layout = try prepareIfNeeded()
    if let result = try runner.call(name, arguments, context(layout)) { return result }
    let known = engine.chain.flatMap { $0.publishedFunctions.map(\.name) }
    throw HostError(
      .invalidInput,
      "\(engine.description.id) publishes no function \"\(name)\"; "
        + Suggestion.sentence(for: name, among: known))
  }

  /// Where a scroll rests that would come to rest at a proposed offset: as the engines of the chain
  /// say, bases first; the proposal itself where none of them snaps.
  ///
  /// - Parameters:
  ///   - proposed: The offset that scrolling would end at, in points; not clamped to the content.
  ///   - velocity: Points a second; zero where it is not known.
  /// - Throws: `.invalidInput` for numbers that are not finite; what the engine refuses.
  public func restingOffset(
    for proposed: Point, velocity: Point = .zero
  ) throws(HostError) -> Point {
    guard proposed.isFinite, velocity.isFinite else {
      throw HostError(
        .invalidInput,
        "the proposed offset is \(Value.point(proposed)) at \(Value.point(velocity)) a second; "
          + "expected finite numbers")
    }
    let layout = try prepareIfNeeded()
    let width = mirrorWidth(layout)
    func mirrored(_ point: Point) -> Point {
      width.map { Point(x: $0 - point.x - bounds.width, y: point.y) } ?? point
    }
    let speed = Point(x: width == nil ? velocity.x : -velocity.x, y: velocity.y)
    let result = mirrored(
      try runner.restingOffset(for: mirrored(proposed), velocity: speed, context(layout)))
    guard result.isFinite else {
      throw broken(
        "resting_offset gave a point that is not finite; the contract wants numbers")
    }
    return result
  }
}
