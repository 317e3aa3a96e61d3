import CTessera
import TesseraCatalog
import TesseraGeometry
import TesseraRuntime
import TesseraWorker

/// A layout in use: an engine, its input and its results.
///
/// Setting a property does no work; the next query prepares if needed. Use a session from one
/// thread at a time. Viewport settings are properties: `session.contentInsets`.
@dynamicMemberLookup
public final class Session {
  /// Each setting and each call passes this gate.
  var gate = SessionGate()
  var version: LoadedVersion
  var runner: any LayoutRunner
  package var values: SessionValues
  package var input: SessionInput
  var state = PreparedState()
  var measuring = MeasuredSizes()
  var reordering: Reordering?
  /// Shared with the worker; nil in-process.
  package let sharedInput: SharedInput?
  let time = QuestionTime()

  /// Creates a layout of one empty section, with bounds 375×667 and scale 2.
  ///
  /// - Throws: The error with which the engine cannot be created.
  public convenience init(_ engine: Engine) throws(HostError) {
    try self.init(engine, startsNow: true)
  }

  // `startsNow` is false for a session that only holds another layout's input.
  package init(_ engine: Engine, startsNow: Bool) throws(HostError) {
    let isInProcess = engine.runtime.isInProcess
    let kept = startsNow && !isInProcess ? engine.runtime.takeWorker(of: engine.libraries) : nil
    sharedInput = isInProcess ? nil : try SharedInput(kept?.input)
    let memory: any InputMemory = sharedInput ?? ProcessInput()
    version = LoadedVersion(engine)
    input = SessionInput(starts: try SectionStarts(counts: [0], memory: memory))
    values = try SessionValues(chain: engine.chain, memory: memory)
    runner = try engine.runner(
      values, input.starts, sharedInput, startsNow: startsNow, kept: kept?.worker)
    runner.time = time
  }

  /// The engine; a new value if its library was replaced.
  public var engine: Engine { settled.version.engine }

  /// What the last reload dropped, one sentence each, or why it failed; nil if never replaced.
  public var lastReload: Result<[String], HostError>? { settled.version.lastReload }

  package var reloadCount: Int { settled.version.reloadCount }

  /// In the order of `Elements.attributes`.
  package var attributes: [AttributeDescription] { settled.runner.numbering.attributes }

  /// The maximum number of elements per query, at most 2^30.
  public var rowLimit: Int {
    get { input.rowLimit }
    set { input.rowLimit = newValue }
  }

  /// The viewport settings; the next query checks them.
  public var viewport: Viewport {
    get { settled.input.viewport }
    set {
      if !newValue.equalsApartFromOffset(viewport) { state.changes |= LayoutField.bounds.changes }
      input.viewport = newValue
    }
  }

  /// A viewport setting.
  public subscript<Setting>(dynamicMember path: WritableKeyPath<Viewport, Setting>) -> Setting {
    get { viewport[keyPath: path] }
    set { viewport[keyPath: path] = newValue }
  }

  /// The viewport size in points; finite, 0 or more.
  public var bounds: Size {
    get { settled.input.viewport.bounds }
    set {
      // Changes every frame during a window resize: compare only this.
      guard newValue != bounds else { return }
      input.viewport.bounds = newValue
      state.changes |= LayoutField.bounds.changes
    }
  }

  /// The scroll offset; changing it doesn't prepare the layout.
  public var offset: Point {
    get { settled.input.viewport.offset }
    set { settled.input.viewport.offset = newValue }
  }

  /// The visible part of the content.
  public var visibleRect: Rect { Rect(origin: offset, size: bounds) }

  /// Receives the progress of long engine calls, 0...1; returning false cancels.
  public var progress: (@Sendable (Double) -> Bool)? {
    get { settled.runner.progress }
    set { settled.runner.progress = newValue }
  }

  /// Measures an item for a proposed size, in which 0 means unlimited.
  ///
  /// Engines estimate sizes until an element is first queried.
  public var measure: ((_ section: Int, _ item: Int, _ proposed: Size) throws(HostError) -> Size)?
  {
    get { measuring.measure }
    set {
      settled.measuring.measure = newValue
      measuresAnew()
    }
  }

  /// Measures a supplementary element for a proposed size, in which 0 means unlimited.
  ///
  /// Only called for kinds that the engine sizes by content; otherwise their values apply.
  public var measureSupplementary:
    ((_ kind: String, _ section: Int, _ proposed: Size) throws(HostError) -> Size)?
  {
    get { measuring.measureSupplementary }
    set {
      settled.measuring.measureSupplementary = newValue
      measuresAnew()
    }
  }

  /// The engine's maximum time per call of the session, in seconds; nil for the host's limit.
  ///
  /// All engine calls within it share the limit; in a batch, each layout has its own. The program's
  /// functions don't count, but at most double the time. After a timeout, the next query restarts
  /// the engine. Loading keeps the host's limit.
  public var timeLimit: Double? {
    get { settled.runner.timeLimit }
    set { settled.runner.timeLimit = newValue }
  }

  /// Seconds until an engine that crashed too often may start again; 0 if it may.
  ///
  /// Until then, queries that would start it throw `crashedRepeatedly`.
  public var refusalTime: Int { engine.runtime.refusalTime(of: engine.libraries) }

  /// Receives a line per engine call: arguments, result and time.
  public var trace: (@Sendable (String) -> Void)? {
    get { settled.runner.trace }
    set { settled.runner.trace = newValue }
  }

  /// The sandbox of the engine's process, `none` before it starts.
  public var sandbox: SandboxGrade { settled.runner.sandbox }

  /// The engine's warnings in the last call.
  public var warnings: [String] { settled.runner.warnings }

  /// The rows of the last prepare; none in a lazy layout.
  public var preparedRows: (count: Int, bytesPerRow: Int) {
    let store = settled.runner.prepared
    return (runner.traits.isLazy ? 0 : store.rowCount, store.bytesPerRow)
  }

  /// Destroys the layout and ends the engine's process; the next query restarts it.
  ///
  /// - Throws: `.died` if the engine crashes or hangs.
  public func close() throws(HostError) {
    settled.state.forgetLayout()
    (state.spareColumns, measuring.pushed) = (nil, nil)
    try runner.close()
  }

  package func renew() throws(HostError) {
    settled.state.forgetLayout()
    (state.data, reordering, measuring.pushed) = (nil, nil, nil)
    try runner.renew()
  }
}

/// What a session is set to, besides its values.
package struct SessionInput {
  var viewport = Viewport()
  package var starts: SectionStarts
  var rowLimit = 10_000_000
}

extension Session {
  /// The number of items in each section.
  public var itemCounts: [Int] { input.starts.counts }

  /// Sets a parameter of the engine or a base.
  ///
  /// - Throws: `.invalidInput` for an unknown name, a wrong type, or a value out of range.
  public func setParameter(_ name: String, to value: Value) throws(HostError) {
    enter()
    defer { leave() }
    try values.setParameter(name, to: value)
    note(.parameters, isInAdjust: values.isInAdjust(parameter: name))
  }

  /// Resets a parameter to its default.
  ///
  /// - Throws: `.invalidInput` for an unknown name.
  public func resetParameter(_ name: String) throws(HostError) {
    enter()
    defer { leave() }
    try values.setParameter(name, to: nil)
    note(.parameters, isInAdjust: values.isInAdjust(parameter: name))
  }

  /// Sets the records of a list of the engine or a base; nil empties it.
  ///
  /// - Throws: `.invalidInput` for an unknown name, or a wrong type, count or value.
  /// - Complexity: O(*n*) for each column that is not a constant.
  public func setList(_ name: String, to records: RecordList?) throws(HostError) {
    enter()
    defer { leave() }
    if try values.setList(name, to: records) { state.changes |= LayoutField.lists.changes }
  }

  /// Sets the records of a list; with an int column `parent`, they may have children.
  ///
  /// Records are numbered in the order written, children after their parent.
  ///
  /// - Throws: Also `.invalidInput` for children without that column, or beside an explicit parent.
  public func setList(_ name: String, to records: [ListRecord]) throws(HostError) {
    enter()
    defer { leave() }
    try setList(name, to: RecordList(records, of: try values.declaredList(name)))
  }

  /// Sets the item counts, and removes section and item values; a held item is dropped in place.
  ///
  /// - Throws: `.invalidInput` for a negative count, or more than 2^62 items.
  /// - Complexity: O(*s*) for *s* sections.
  public func setSections(_ itemCounts: [Int]) throws(HostError) {
    enter()
    defer { leave() }
    let new = try SectionStarts(counts: itemCounts, memory: values.memory)
    input.starts = new
    runner.supply(new)
    values.removeValues()
    (measuring.pushed, reordering) = (nil, nil)
    state.changes |= LayoutField.sections.changes
  }

  /// Sets a section value for all sections; see `setItemValues`.
  ///
  /// - Throws: `.invalidInput` for an unknown name, a wrong type or a wrong count.
  public func setSectionValues(
    _ name: String, _ column: ValueColumn, from first: Int = 0
  ) throws(HostError) {
    enter()
    defer { leave() }
    try values.setValues(name, .section, column, keeping: first, input.starts)
    note(.sectionValues, isInAdjust: values.isInAdjust(value: name, .section))
  }

  /// Sets an item value for the items of all sections, in order.
  ///
  /// After `setSections`, `first` appends to the values last set, at most one prepare ago.
  ///
  /// - Parameter first: The index of the column's first value; 0 for a constant.
  /// - Throws: `.invalidInput` for an unknown name, a wrong type or count, or too many items.
  /// - Complexity: O(*m*) for *m* values in the column; O(1) for a constant.
  public func setItemValues(
    _ name: String, _ column: ValueColumn, from first: Int = 0
  ) throws(HostError) {
    enter()
    defer { leave() }
    let room = runner.prepared.capacity
    guard column.count ?? 0 <= room - max(0, min(first, room)) || runner.traits.isLazy else {
      throw HostError(
        .tooManyRows,
        "\(name) is set for \(input.starts.total) items, and a layout of \(engine.description.id) has at "
          + "most \(room) rows", runner.roomRemedy)
    }
    try values.setValues(name, .item, column, keeping: first, input.starts)
    note(.itemValues, isInAdjust: values.isInAdjust(value: name, .item))
  }

  /// Replaces some of the values that were set last.
  ///
  /// After `setSections` and in an update, edits the previous values, at most one prepare old.
  /// Calls accumulate; at the next query, the count must match.
  ///
  /// - Parameter place: An index among the values of all sections.
  /// - Throws: `.invalidInput`, changing nothing, for a wrong name, type or place, or a constant.
  /// - Complexity: O(*m*) for *m* new values, and a move of the bytes after them.
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

  private func note(_ field: LayoutField, isInAdjust: Bool) {
    guard isInAdjust else { return state.changes |= field.changes }
    state.areValuesChecked = false
    runner.valuesChanged()
  }
}

extension Session {
  /// Sets a delegate function; nil restores the documented fallback.
  ///
  /// - Throws: `.invalidInput` for an unknown name or a different signature.
  public func setDelegate(_ name: String, _ function: DelegateFunction?) throws(HostError) {
    enter()
    defer { leave() }
    try values.setDelegate(name, function)
    state.changes |= LayoutField.delegate.changes
  }

  /// Calls a published function; prepares first if necessary.
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

  /// Returns where a scroll comes to rest.
  ///
  /// Engines adjust the proposal, bases first; the result is clamped to the content and its insets.
  ///
  /// - Parameter velocity: Points per second; zero if unknown.
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
    // The viewport is mirrored, and its offset too.
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
      // `-before` could be -0.
      min(max(offset, 0 - before), max(0 - before, after - room))
    }
    return Point(
      x: limited(result.x, insets.left, content.width + insets.right, bounds.width),
      y: limited(result.y, insets.top, content.height + insets.bottom, bounds.height))
  }
}
