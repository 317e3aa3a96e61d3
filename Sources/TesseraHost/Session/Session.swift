import CTessera
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

/// A layout in use: an engine, its input and its results.
///
/// Setting a property does no work; the next query prepares the layout if necessary. Use a session
/// from one thread at a time; different sessions can be used by different threads at the same time.
/// The viewport settings are its properties: `session.contentInsets`.
@dynamicMemberLookup
public final class Session {
  /// The engine; a new value if its library was replaced.
  public internal(set) var engine: Engine {
    get {
      waitForPrepare()
      return currentEngine
    }
    set { currentEngine = newValue }
  }
  private var currentEngine: Engine
  /// The maximum number of elements that a query returns, at most 2^30; more is an error.
  public var rowLimit = 10_000_000

  private var viewportSettings: Viewport {
    _read {
      waitForPrepare()
      yield currentViewport
    }
    _modify {
      waitForPrepare()
      yield &currentViewport
    }
  }
  private var currentViewport = Viewport()
  package var starts: SectionStarts
  /// Memory that a worker can read; nil without one.
  package let input: SharedInput?
  package var values: SessionValues {
    get {
      waitForPrepare()
      return currentValues
    }
    set { currentValues = newValue }
  }
  private var currentValues: SessionValues
  var runner: any LayoutRunner {
    get {
      waitForPrepare()
      return currentRunner
    }
    set { currentRunner = newValue }
  }
  private var currentRunner: any LayoutRunner
  /// What the engines have taken of the running call's time limit.
  let time = QuestionTime()
  /// The prepare on another thread, which uses the session until somebody has waited for it; nil if there is
  /// none.
  var preparation: Preparation?
  var watch: LibraryWatch
  /// Reports that the engine's process ended or that its file was replaced; nil until the program asks.
  var reports: EngineReports?
  /// The result of the last reload: the settings that could not be kept, one sentence each, or why the
  /// previous library stays in use; nil if no library was replaced.
  public internal(set) var lastReload: Result<[String], HostError>? {
    get {
      waitForPrepare()
      return reloadOutcome
    }
    set {
      reloadOutcome = newValue
      reloadCount += 1
    }
  }
  /// How often the library was loaded again, or could not be.
  package private(set) var reloadCount = 0
  private var reloadOutcome: Result<[String], HostError>?
  /// What changed since the last successful prepare, as the contract's TESSERA_CHANGED bits.
  var changes = UInt32(TESSERA_CHANGED_ALL) {
    didSet {
      offersAreStale = changes != 0
      if offersAreStale { areValuesChecked = false }
    }
  }
  /// Whether the values were checked since they were last set.
  var areValuesChecked = false
  /// Whether more has changed than measured sizes since the engine was asked what measured elements are offered.
  var offersAreStale = true
  var prepared: PreparedLayout?
  /// The memory of the last result, which the next one uses if no `Elements` refers to it.
  var spareColumns: ElementColumns?
  /// Whether the program supplies the sizes of items, or of supplementary elements, without being asked.
  var pushes = (items: false, supplementaries: false)
  /// The cell that stays in place while sizes were pushed since the last prepare, and the size of the content
  /// in it.
  var pushed: (anchor: MeasuringAnchor, contentBefore: Size)?
  var reordering: Reordering?
  /// The calls that have entered the session and not returned: one within another counts.
  var callDepth = 0
  var preparedData: EngineInput.Data?

  /// Creates a layout of one empty section with the default viewport of a scenario: bounds 375×667,
  /// scale 2, everything else 0.
  ///
  /// - Throws: The error with which the engine cannot be created.
  public convenience init(_ engine: Engine) throws(HostError) {
    try self.init(engine, startsNow: true)
  }

  /// - Parameter startsNow: Whether to start the engine now instead of at the first query. A session
  ///   that only holds the input of another layout never needs it.
  package init(_ engine: Engine, startsNow: Bool) throws(HostError) {
    currentEngine = engine
    watch = LibraryWatch(engine.libraries.libraries)
    let isInProcess = engine.runtime.isInProcess
    let kept = startsNow && !isInProcess ? engine.runtime.takeWorker(of: engine.libraries) : nil
    let input: SharedInput? = isInProcess ? nil : try SharedInput(kept?.input)
    let memory: any InputMemory = input ?? ProcessInput()
    self.input = input
    starts = try SectionStarts(counts: [0], memory: memory)
    currentValues = try SessionValues(chain: engine.chain, memory: memory)
    currentRunner = try engine.runner(
      currentValues, starts, input, startsNow: startsNow, kept: kept?.worker)
    currentRunner.time = time
  }

  /// The attributes that the engine and its base engines declare, in the order of `Elements.attributes`.
  package var attributes: [AttributeDescription] { runner.numbering.attributes }

  /// The viewport settings of the layout, which the next query checks.
  public var viewport: Viewport {
    get { viewportSettings }
    set {
      if !newValue.equalsApartFromOffset(viewportSettings) { changes |= LayoutField.bounds.changes }
      viewportSettings = newValue
    }
  }

  /// A viewport setting.
  public subscript<Setting>(dynamicMember path: WritableKeyPath<Viewport, Setting>) -> Setting {
    get { viewport[keyPath: path] }
    set { viewport[keyPath: path] = newValue }
  }

  /// The viewport's size in points; finite, 0 or more.
  public var bounds: Size {
    get { viewportSettings.bounds }
    set {
      // The size changes for each frame while a window is resized: compare this alone.
      guard newValue != viewportSettings.bounds else { return }
      viewportSettings.bounds = newValue
      changes |= LayoutField.bounds.changes
    }
  }

  /// The scroll offset of the viewport.
  ///
  /// Changing it does not prepare the layout.
  public var offset: Point {
    get { viewportSettings.offset }
    set { viewportSettings.offset = newValue }
  }

  /// The visible part of the content: the bounds at the offset.
  public var visibleRect: Rect { Rect(origin: offset, size: bounds) }

  /// Called by long engine calls with their progress, 0...1; returning false cancels the call.
  public var progress: (@Sendable (Double) -> Bool)? {
    get { runner.progress }
    set { runner.progress = newValue }
  }

  /// Measures an item, given its section, its number in the section and the proposed size, in which 0
  /// means unlimited.
  ///
  /// An engine that sizes items by their content uses estimates until an element is first queried.
  public var measure: ((_ section: Int, _ item: Int, _ proposed: Size) throws(HostError) -> Size)?
  {
    willSet { waitForPrepare() }
    didSet {
      values.forgetSizes()
      changes |= LayoutField.measure.changes
    }
  }

  /// Measures a supplementary element of a section, given its kind, its section and the proposed size, in
  /// which 0 means unlimited.
  ///
  /// Only kinds that an engine sizes by their content are measured, like items. Without it, they have the
  /// sizes that their values say.
  public var measureSupplementary:
    ((_ kind: String, _ section: Int, _ proposed: Size) throws(HostError) -> Size)?
  {
    willSet { waitForPrepare() }
    didSet {
      values.forgetSizes()
      changes |= LayoutField.measure.changes
    }
  }

  /// The maximum time that the engine may take for one call of the session, in seconds; nil for that of the host's
  /// configuration.
  ///
  /// The calls into the engine that answer it share the limit, however many they are; in a batch, those of each
  /// layout. The time of the program's own functions does not count, but can at most double it. It can be changed
  /// at any time, for example to less while a user scrolls. An engine that takes longer is
  /// ended, and the next query starts it again. The time to load an engine stays that of the configuration.
  public var timeLimit: Double? {
    get { runner.timeLimit }
    set { runner.timeLimit = newValue }
  }

  /// How long from now the engine is refused because it or one of its bases crashed too often, in seconds; 0 if
  /// it is not.
  ///
  /// Until then, a query that would start the engine again throws an error with the code
  /// `crashedRepeatedly`. `HostConfiguration.refusalTime` is how long that is after a crash.
  public var refusalTime: Int { engine.runtime.refusalTime(of: engine.libraries) }

  /// Called with one line for each call into the engine: short arguments, the result and the time.
  public var trace: (@Sendable (String) -> Void)? {
    get { runner.trace }
    set { runner.trace = newValue }
  }

  /// The sandbox around the engine's process; none before it starts, and without a sandbox.
  public var sandbox: SandboxGrade { runner.sandbox }

  /// The warnings of the engine in the last call.
  public var warnings: [String] { runner.warnings }

  /// The rows that the engine wrote in the last prepare; none in a lazy layout.
  public var preparedRows: (count: Int, bytesPerRow: Int) {
    let store = runner.prepared
    return (runner.traits.isLazy ? 0 : store.rowCount, store.bytesPerRow)
  }

  /// Destroys the engine's layout, and ends its process if it has its own.
  ///
  /// A session that is deallocated does the same, but reports no error. A query after `close()` starts
  /// the engine again.
  ///
  /// - Throws: `.died` if the engine crashes or hangs.
  public func close() throws(HostError) {
    waitForPrepare()
    (prepared, spareColumns, pushed) = (nil, nil, nil)
    changes = UInt32(TESSERA_CHANGED_ALL)
    try runner.close()
  }

  /// Destroys the engine's layout and creates a new one in the same process.
  ///
  /// All settings are kept; the new layout is not prepared.
  ///
  /// - Throws: `.died` if the engine crashes or hangs.
  package func renew() throws(HostError) {
    waitForPrepare()
    (prepared, preparedData, reordering, pushed) = (nil, nil, nil, nil)
    changes = UInt32(TESSERA_CHANGED_ALL)
    try runner.renew()
  }
}

extension Session {
  /// The number of items in each section.
  public var itemCounts: [Int] { starts.counts }

  /// Sets a parameter of the engine or of one of its bases.
  ///
  /// - Throws: `.invalidInput` for an unknown name, a wrong type, or a value out of range.
  public func setParameter(_ name: String, to value: Value) throws(HostError) {
    enter()
    defer { leave() }
    try values.setParameter(name, to: value)
    note(.parameters, isInAdjust: values.isInAdjust(parameter: name))
  }

  /// Resets a parameter to its default value.
  ///
  /// - Throws: `.invalidInput` for an unknown name.
  public func resetParameter(_ name: String) throws(HostError) {
    enter()
    defer { leave() }
    try values.setParameter(name, to: nil)
    note(.parameters, isInAdjust: values.isInAdjust(parameter: name))
  }

  /// Sets the records of a list of the engine or of one of its bases; nil empties it, as it is at
  /// first.
  ///
  /// - Throws: `.invalidInput` for an unknown list or column, a wrong type or number of values, or a
  ///   value out of range, naming its record.
  /// - Complexity: O(*n*) for each column that is not a constant.
  public func setList(_ name: String, to records: RecordList?) throws(HostError) {
    enter()
    defer { leave() }
    if try values.setList(name, to: records) { changes |= LayoutField.lists.changes }
  }

  /// Sets the records of a list; in a list with an int column `parent`, records may have others below them,
  /// as `children` in a scenario.
  ///
  /// Each record gets a number in the order in which they are written, and those below it follow it.
  ///
  /// - Throws: The errors of the function above; `.invalidInput` for records below others in a list that is
  ///   no tree, or beside one that names its parent.
  public func setList(_ name: String, to records: [ListRecord]) throws(HostError) {
    enter()
    defer { leave() }
    try setList(name, to: RecordList(records, of: try values.declaredList(name)))
  }

  /// Sets the number of items in each section, and removes all section and item values.
  ///
  /// An item that is held is dropped where it is.
  ///
  /// - Throws: `.invalidInput` for a negative count, or more than 2^62 items.
  /// - Complexity: O(*s*) for *s* sections.
  public func setSections(_ itemCounts: [Int]) throws(HostError) {
    enter()
    defer { leave() }
    let new = try SectionStarts(counts: itemCounts, memory: values.memory)
    starts = new
    runner.supply(new)
    values.removeValues()
    (pushed, reordering) = (nil, nil)
    changes |= LayoutField.sections.changes
  }

  /// Sets a section value for all sections.
  ///
  /// - Parameters: As in `setItemValues`.
  /// - Throws: `.invalidInput` for an unknown name, a wrong type or a wrong count.
  public func setSectionValues(
    _ name: String, _ column: ValueColumn, from first: Int = 0
  ) throws(HostError) {
    enter()
    defer { leave() }
    try values.setValues(name, .section, column, keeping: first, starts)
    note(.sectionValues, isInAdjust: values.isInAdjust(value: name, .section))
  }

  /// Sets an item value for the items of all sections, in order.
  ///
  /// After `setSections`, `first` lets values grow at the cost of those that are new: the values before
  /// it stay what they were, even though `setSections` has removed them.
  ///
  /// - Parameters:
  ///   - column: The values.
  ///   - first: The index of the column's first value. The values before it are those that were last
  ///     set, at most one prepare ago. The column is no constant unless this is 0.
  /// - Throws: `.invalidInput` for an unknown name, a wrong type or a wrong count; for more values before
  ///   `first` than were set; also, before anything is copied, for more items than a layout can have
  ///   rows, unless the engine is lazy.
  /// - Complexity: O(*m*) for the *m* values of the column: those that are what they were are compared,
  ///   and the others are copied; O(1) for a constant.
  public func setItemValues(
    _ name: String, _ column: ValueColumn, from first: Int = 0
  ) throws(HostError) {
    enter()
    defer { leave() }
    let room = runner.prepared.capacity
    guard column.count ?? 0 <= room - max(0, min(first, room)) || runner.traits.isLazy else {
      throw HostError(
        .tooManyRows,
        "\(name) is set for \(starts.total) items, and a layout of \(engine.description.id) has at "
          + "most \(room) rows", runner.roomRemedy)
    }
    try values.setValues(name, .item, column, keeping: first, starts)
    note(.itemValues, isInAdjust: values.isInAdjust(value: name, .item))
  }

  /// Replaces some of the values that were set last, in the place of setting all again.
  ///
  /// After `setSections`, and in an update, the values are those before it, at most one prepare ago; it
  /// can be called several times, each on the result of the one before. Once the layout is queried, there
  /// must be as many values as sections or items.
  ///
  /// - Parameters:
  ///   - place: The index of the first value that is replaced, among those of all sections.
  ///   - removed: How many are replaced.
  ///   - column: The values that take their place, one for each new section or item.
  /// - Throws: `.invalidInput` for an unknown name, a wrong type, a place that has no values, or one value
  ///   for all; nothing has changed then.
  /// - Complexity: O(*m*) for the *m* values of the column, and a move of the bytes after them.
  public func spliceValues(
    _ name: String, _ scope: ValueDescription.Scope = .item, at place: Int, removing removed: Int,
    inserting column: ValueColumn
  ) throws(HostError) {
    enter()
    defer { leave() }
    try values.spliceValues(name, scope, at: place, removing: removed, inserting: column)
    note(
      scope == .item ? .itemValues : .sectionValues,
      isInAdjust: values.isInAdjust(value: name, scope))
  }

  /// Records what has changed: for the next prepare, or for the next adjust if only that reads it.
  private func note(_ field: LayoutField, isInAdjust: Bool) {
    guard isInAdjust else { return changes |= field.changes }
    areValuesChecked = false
    runner.valuesChanged()
  }
}

extension Session {
  /// Sets a delegate function of the engine or of one of its bases; nil removes it, and the engine uses
  /// the documented fallback.
  ///
  /// - Throws: `.invalidInput` for an unknown name or a signature that differs from the declared one.
  public func setDelegate(_ name: String, _ function: DelegateFunction?) throws(HostError) {
    enter()
    defer { leave() }
    try values.setDelegate(name, function)
    changes |= LayoutField.delegate.changes
  }

  /// Calls a published function of the engine or of one of its bases; prepares the layout first if
  /// necessary.
  ///
  /// - Throws: `.invalidInput` for an unknown name, or arguments that do not match the signature; the
  ///   error that the engine reports.
  public func call(_ name: String, _ arguments: [Value]) throws(HostError) -> Value {
    enter()
    defer { leave() }
    let layout = try prepareIfNeeded()
    let functions = engine.chain.flatMap(\.publishedFunctions)
    if let declared = functions.first(where: { $0.name == name }) {
      let signature = try declared.parsedSignature
      try signature.check(arguments, of: name)
      let seen = try arguments.enumerated().map { (place, value) throws(HostError) in
        try asEnginesSee(value, layout, "argument \(place + 1) of \(name) is")
      }
      let question = CallQuestion(function: name, arguments: seen)
      if let result = try runner.ask(question, context(layout)) {
        let returned = "\(name) returned"
        let value = try result.converted(to: signature.result, returned)
        return try asProgramSees(value, layout, .invalidResult, returned)
      }
    }
    throw HostError(
      .unknownName,
      "\(engine.description.id) publishes no function \"\(name)\"; "
        + "\(suggestedName(for: name, among: functions.map(\.name)))")
  }

  /// Returns the offset at which a scroll comes to rest, given a proposed offset.
  ///
  /// The engines of the chain adjust the proposal, bases first. The result is limited to the range of
  /// scrolling: from the content insets before the content to those behind it.
  ///
  /// - Parameters:
  ///   - proposed: The offset at which scrolling would end, in points; not clamped to the content.
  ///   - velocity: Points per second; zero if unknown.
  /// - Throws: `.invalidInput` for numbers that are not finite; the error that the engine reports.
  public func restingOffset(
    for proposed: Point, velocity: Point = .zero
  ) throws(HostError) -> Point {
    enter()
    defer { leave() }
    guard proposed.isFinite, velocity.isFinite else {
      throw HostError(
        .invalidValue,
        "the proposed offset is \(Value.point(proposed)) at \(Value.point(velocity)) a second; "
          + "expected finite numbers")
    }
    let layout = try prepareIfNeeded()
    // The viewport is mirrored, and with it its offset.
    let seen = try asEnginesSee(
      .rect(Rect(origin: proposed, size: bounds)), layout, "the proposed viewport is")
    let isMirrored = mirrorWidth(layout) != nil
    let speed = Point(x: isMirrored ? -velocity.x : velocity.x, y: velocity.y)
    let resting = try runner.ask(
      RestQuestion(proposed: Rect(seen)!.origin, velocity: speed), context(layout))
    guard resting.isFinite else {
      throw HostError(
        .invalidRestingOffset,
        "resting_offset returned a point that is not finite; return finite numbers",
        engine: runner.traits.id)
    }
    let result = Rect(
      try asProgramSees(
        .rect(Rect(origin: resting, size: bounds)), layout, .invalidRestingOffset,
        "resting_offset returned the viewport"))!
    let (insets, content) = (viewport.contentInsets, layout.contentSize)
    func limited(_ offset: Double, _ before: Double, _ after: Double, _ room: Double) -> Double {
      // Not -before, which could be a negative zero.
      min(max(offset, 0 - before), max(0 - before, after - room))
    }
    return Point(
      x: limited(result.x, insets.left, content.width + insets.right, bounds.width),
      y: limited(result.y, insets.top, content.height + insets.bottom, bounds.height))
  }
}
