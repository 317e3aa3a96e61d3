import CTesseraHost
import TesseraGeometry
import TesseraHost

@c @implementation package func tessera_session_create(
  _ pointer: OpaquePointer?, _ engine: Text, _ session: Out<OpaquePointer?>
) -> Int32 {
  session?.pointee = nil
  return engines(pointer) { engines in
    let session = try notNull(session, "place for the session")
    let engine = try engines.host.engine(try notNullText(engine, "engine's name"))
    session.pointee = Handle.give(SessionHandle(try Session(engine)))
  }
}

@c @implementation package func tessera_session_destroy(_ session: OpaquePointer?) {
  Handle.take(session)
}

@c @implementation package func tessera_session_close(_ pointer: OpaquePointer?) -> Int32 {
  session(pointer) { try $0.session.close() }
}

@c @implementation package func tessera_session_message(_ session: OpaquePointer?) -> Text {
  Handle.message(of: session, ifNull: "the session is null; create it with tessera_session_create")
}

@c @implementation package func tessera_session_code(_ session: OpaquePointer?) -> Text {
  Handle.code(of: session)
}

@c @implementation package func tessera_session_get_engine(
  _ pointer: OpaquePointer?, _ info: Out<tessera_engine_info>, _ infoSize: UInt64
) -> Int32 {
  session(pointer) { handle in
    let engine = handle.session.engine
    try ProgramStruct(info, size: infoSize, "info").write(
      tessera_engine_info(
        engine.description, library: engine.library, shadowedBy: nil, abi: engine.abi,
        traits: engine.traits, &handle.texts))
  }
}

@c @implementation package func tessera_session_get_sandbox(_ pointer: OpaquePointer?) -> Text {
  session(pointer, else: nil) { $0.texts.pointer(to: "\($0.session.sandbox)") }
}

@c @implementation package func tessera_session_reloads(
  _ pointer: OpaquePointer?, _ count: Out<UInt64>, _ status: Out<Int32>
) -> Int32 {
  session(pointer) { handle in
    count?.pointee = UInt64(handle.session.reloadCount)
    if case .failure(let error)? = handle.session.lastReload {
      status?.pointee = error.kind.status
    } else {
      status?.pointee = Int32.ok
    }
  }
}

@c @implementation package func tessera_session_reload_message(_ pointer: OpaquePointer?) -> Text {
  session(pointer, else: nil) { handle in
    switch handle.session.lastReload {
    case nil: ("" as StaticString).pointer
    case .success(let dropped)?: handle.texts.pointer(to: dropped.joined(separator: "\n"))
    case .failure(let error)?: handle.texts.pointer(to: error.libraryMessage)
    }
  }
}

@c @implementation package func tessera_session_set_bounds(
  _ pointer: OpaquePointer?, _ width: Double, _ height: Double
) -> Int32 { session(pointer) { $0.session.bounds = Size(width: width, height: height) } }

@c @implementation package func tessera_session_set_offset(
  _ pointer: OpaquePointer?, _ x: Double, _ y: Double
) -> Int32 { session(pointer) { $0.session.offset = Point(x: x, y: y) } }

@c @implementation package func tessera_session_set_content_insets(
  _ pointer: OpaquePointer?, _ top: Double, _ left: Double, _ bottom: Double, _ right: Double
) -> Int32 {
  session(pointer) {
    $0.session.contentInsets = Insets(top: top, left: left, bottom: bottom, right: right)
  }
}

@c @implementation package func tessera_session_set_safe_area(
  _ pointer: OpaquePointer?, _ top: Double, _ left: Double, _ bottom: Double, _ right: Double
) -> Int32 {
  session(pointer) {
    $0.session.safeAreaInsets = Insets(top: top, left: left, bottom: bottom, right: right)
  }
}

@c @implementation package func tessera_session_set_layout_margins(
  _ pointer: OpaquePointer?, _ top: Double, _ left: Double, _ bottom: Double, _ right: Double
) -> Int32 {
  session(pointer) {
    $0.session.layoutMargins = Insets(top: top, left: left, bottom: bottom, right: right)
  }
}

@c @implementation package func tessera_session_set_scale(
  _ pointer: OpaquePointer?, _ scale: Double
)
  -> Int32
{
  session(pointer) { $0.session.scale = scale }
}

@c @implementation package func tessera_session_set_direction(
  _ pointer: OpaquePointer?, _ direction: tessera_host_direction
) -> Int32 {
  session(pointer) { handle in
    switch direction {
    case TESSERA_HOST_DIRECTION_LEFT_TO_RIGHT: handle.session.direction = .leftToRight
    case TESSERA_HOST_DIRECTION_RIGHT_TO_LEFT: handle.session.direction = .rightToLeft
    default:
      throw HostError(
        .invalidValue,
        "the direction is \(direction); give TESSERA_HOST_DIRECTION_LEFT_TO_RIGHT or TESSERA_HOST_DIRECTION_RIGHT_TO_LEFT"
      )
    }
  }
}

@c @implementation package func tessera_session_set_element_limit(
  _ pointer: OpaquePointer?, _ limit: UInt64
) -> Int32 {
  session(pointer) { handle in
    try checkRowLimit(limit, "element limit")
    handle.session.rowLimit = Int(limit)
  }
}

@c @implementation package func tessera_session_set_time_limit(
  _ pointer: OpaquePointer?, _ seconds: Double
) -> Int32 { session(pointer) { $0.session.timeLimit = try boundedTimeLimit(seconds) } }

@c @implementation package func tessera_session_refusal_time(
  _ pointer: OpaquePointer?, _ seconds: Out<UInt32>
) -> Int32 {
  session(pointer) { handle in
    try notNull(seconds, "place for the seconds").pointee = UInt32(
      clamping: handle.session.refusalTime)
  }
}

@c @implementation package func tessera_session_watch(
  _ pointer: OpaquePointer?, _ descriptor: Out<Int32>, _ events: Out<UInt32>
) -> Int32 {
  session(pointer, pins: false) { handle in
    let descriptor = try notNull(descriptor, "place for the descriptor")
    let watched = try handle.session.watchEngine()
    descriptor.pointee = watched.descriptor
    events?.pointee = watched.events.rawValue
  }
}

@c @implementation package func tessera_session_offset(
  _ pointer: OpaquePointer?, _ x: Out<Double>, _ y: Out<Double>
) -> Int32 {
  session(pointer) { handle in
    try notNull(x, "place for x").pointee = handle.session.offset.x
    try notNull(y, "place for y").pointee = handle.session.offset.y
  }
}

@c @implementation package func tessera_session_set_sections(
  _ pointer: OpaquePointer?, _ itemCounts: In<UInt64>, _ sectionCount: UInt64
) -> Int32 {
  session(pointer) { handle in
    try handle.session.setSections(try boundedItemCounts(itemCounts, sectionCount))
  }
}

@c @implementation package func tessera_session_set_parameter(
  _ pointer: OpaquePointer?, _ name: Text, _ numbers: In<Double>, _ count: UInt32
) -> Int32 {
  session(pointer, supplies: true) { handle in
    let name = try notNullText(name, "parameter's name")
    let numbers = try notNull(numbers, "numbers")
    let declared = handle.session.engine.chain.lazy.flatMap(\.parameters).first { $0.name == name }
    // The session reports undeclared names.
    let value = try declared.map {
      try NumberReader(name: name, type: $0.type, components: count).value(at: numbers)
    }
    try handle.session.setParameter(name, to: value ?? .number(0))
  }
}

@c @implementation package func tessera_session_set_parameter_choice(
  _ pointer: OpaquePointer?, _ name: Text, _ choice: Text
) -> Int32 {
  session(pointer, supplies: true) { handle in
    try handle.session.setParameter(
      try notNullText(name, "parameter's name"),
      to: .choice(try notNullText(choice, "choice's name")))
  }
}

@c @implementation package func tessera_session_reset_parameter(
  _ pointer: OpaquePointer?, _ name: Text
) -> Int32 {
  session(pointer, supplies: true) {
    try $0.session.resetParameter(try notNullText(name, "parameter's name"))
  }
}

/// Behind `tessera_session`.
final class SessionHandle: Handle {
  let session: Session
  var answer: Elements?
  var lists: [String: RecordList] = [:]
  var batchColumns: Set<String>?
  var batchParameters: [String: BatchParameter] = [:]
  var batch: BatchColumns?
  let runs = ElementRuns()
  var animation: LayoutAnimation?
  var preparation: ReportedPreparation? { didSet { isPreparing = preparation != nil } }
  /// Valid as long as the session.
  var texts = TextStore()
  var kinds = KindNumbers()
  /// As last looked up by the program; nil before.
  var knownAttributes: [AttributeDescription]?

  init(_ session: Session) { self.session = session }

  /// - Throws: `Misuse` before the first query.
  func lastAnswer() throws -> Elements {
    guard let answer else { throw Misuse("there is no result; query the session first") }
    return answer
  }
}

/// The library's version stays the same until the call ends; the handle may be null.
///
/// `supplies` and `isForCallbacks` allow calls from callbacks; `reads` also allows them during a
/// prepare; `keepsMessage` keeps the last failure's message; `pins` enters the session, which may
/// load a replaced library.
func session(
  _ pointer: OpaquePointer?, supplies: Bool = false, reads: Bool = false, pins: Bool = true,
  isForCallbacks: Bool = false, keepsMessage: Bool = false, _ work: (SessionHandle) throws -> Void
) -> Int32 {
  Handle.enter(
    pointer, SessionHandle.self, supplies: supplies, reads: reads, isForCallbacks: isForCallbacks,
    keepsMessage: keepsMessage
  ) { handle in
    // A read neither waits for a prepare nor asks an engine.
    guard pins, !reads, !isForCallbacks else { return try work(handle) }
    handle.session.enter()
    defer { handle.session.leave() }
    try work(handle)
  }
}

/// Returns `standIn` on failure; success keeps the message.
func session<Value>(
  _ pointer: OpaquePointer?, reads: Bool = false, else standIn: Value,
  _ work: (SessionHandle) throws -> Value
) -> Value {
  var value = standIn
  _ = session(pointer, reads: reads, keepsMessage: true) { value = try work($0) }
  return value
}

/// A kind keeps its number when the engine is reloaded.
struct KindNumbers {
  private(set) var names: [String] = []
  private var numbered: [KindDescription] = []
  private var numbers: [UInt32] = []

  mutating func number(of name: String) -> UInt32 {
    if let known = names.firstIndex(of: name) { return UInt32(known) }
    names.append(name)
    return UInt32(names.count - 1)
  }

  /// O(1) if the kinds are the same as last time.
  mutating func numbers(of kinds: [KindDescription]) -> [UInt32] {
    if kinds != numbered {
      numbers = kinds.map { number(of: $0.name) }
      numbered = kinds
    }
    return numbers
  }
}
