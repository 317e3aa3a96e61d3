import CTesseraHost
import CTesseraSystem
import Glibc
import Synchronization
import TesseraHost

/// An output pointer from C; may be null.
package typealias Out<Value> = UnsafeMutablePointer<Value>?
/// An input pointer from C; may be null.
package typealias In<Value> = UnsafePointer<Value>?
/// A C string; may be null.
package typealias Text = In<CChar>

/// Base class of C handles; the entries below refuse null, other threads and forked processes.
class Handle {
  /// After a fork, the child's copy may be in an inconsistent state.
  private let process = tessera_own_process()
  /// The thread of the running call, which owns all other state; 0 if idle.
  private let owner = Atomic<UInt>(0)
  private let hasRefused = Atomic<Bool>(false)
  /// Whether a callback may set values of new data; other callbacks may call nothing.
  private var isSupplying = false
  /// Whether a callback's call failed and replaced the message.
  private var hasNestedFailure = false
  /// Whether another thread prepares the layout; all other calls are refused.
  var isPreparing = false
  private(set) var supplyFailure: (any Error)?
  private var message: UnsafeMutablePointer<CChar>?
  private var codeName: UnsafeMutablePointer<CChar>?

  deinit { setFailure(nil) }

  class var forked: HostError { .forkedSession }
  /// Never freed.
  class var forkedMessage: UnsafePointer<CChar> { sessionForked }

  /// Immutable handles may be used by any number of threads.
  class var isShared: Bool { false }

  private var isInherited: Bool { process != tessera_own_process() }

  /// Nil while another thread calls, and after a refusal of this thread.
  private func look(_ read: (Handle) -> UnsafePointer<CChar>) -> Text {
    guard !refusedThisThread else { return nil }
    let thread = UInt(pthread_self())
    let (isEntered, user) = owner.compareExchange(
      expected: 0, desired: thread, ordering: .acquiring)
    guard isEntered || user == thread else { return nil }
    defer { if isEntered { owner.store(0, ordering: .releasing) } }
    return read(self)
  }

  /// If so, the handle's message belongs to another thread.
  private var refusedThisThread: Bool {
    hasRefused.load(ordering: .relaxed)
      && tessera_refused_handle() == UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
  }

  private func perform(
    supplies: Bool, reads: Bool, isForCallbacks: Bool, keepsMessage: Bool, _ work: () throws -> Void
  ) -> Int32 {
    guard !isInherited else { return Int32(statusOf: Self.forked) }
    let thread = UInt(pthread_self())
    let (isEntered, user) = owner.compareExchange(
      expected: 0, desired: thread, ordering: .acquiring)
    guard isEntered else {
      guard user == thread else { return refuseThread() }
      return performNested(isAllowed: isForCallbacks || supplies && isSupplying, work)
    }
    defer { owner.store(0, ordering: .releasing) }
    if hasRefused.load(ordering: .relaxed) { noteAccepted() }
    if !keepsMessage, hasNestedFailure || message != nil { setFailure(nil) }
    do {
      guard !isPreparing || reads else {
        throw Misuse(
          "the layout is being prepared on another thread; call tessera_session_prepare_finish first"
        )
      }
      try work()
    } catch {
      setFailure(error)
      return Int32(statusOf: error)
    }
    if hasNestedFailure { setFailure(nil) }
    return Int32.ok
  }

  func supplying(_ callback: () -> Int32) -> Int32 {
    supplyFailure = nil
    isSupplying = true
    defer { isSupplying = false }
    return callback()
  }

  /// Also locks another handle; throws if it is in use.
  func using<Object: Handle, Result>(
    _ pointer: OpaquePointer?, _ name: StaticString, _ type: Object.Type,
    _ work: (Object) throws -> Result
  ) throws -> Result {
    let other = try notNull(pointer, name).handle(type)
    guard !other.isInherited else { throw type.forked }
    guard !type.isShared else { return try work(other) }
    guard other !== self else { throw Misuse("both sessions are the same; give two") }
    let isEntered = other.owner.compareExchange(
      expected: 0, desired: UInt(pthread_self()), ordering: .acquiring
    ).exchanged
    defer { if isEntered { other.owner.store(0, ordering: .releasing) } }
    guard isEntered, !other.isPreparing else {
      throw Misuse(
        "the other session is in use; return from its callback, or finish its prepare, first")
    }
    return try work(other)
  }

  @inline(never) private func performNested(isAllowed: Bool, _ work: () throws -> Void) -> Int32 {
    do {
      guard isAllowed else {
        throw Misuse(
          "a callback called a function that it must not call; return from the callback first")
      }
      let wasSupplying = isSupplying
      isSupplying = false
      defer { isSupplying = wasSupplying }
      try work()
      return Int32.ok
    } catch {
      setFailure(error)
      hasNestedFailure = true
      if supplyFailure == nil { supplyFailure = error }
      return Int32(statusOf: error)
    }
  }

  /// Refuses a call during another thread's, without touching its data.
  @inline(never) private func refuseThread() -> Int32 {
    hasRefused.store(true, ordering: .relaxed)
    tessera_set_refused_handle(Unmanaged.passUnretained(self).toOpaque())
    return Int32.misused
  }

  @inline(never) private func noteAccepted() {
    if refusedThisThread { tessera_set_refused_handle(nil) }
  }

  @inline(never) private func setFailure(_ error: (any Error)?) {
    hasNestedFailure = false
    free(message)
    free(codeName)
    let known = error as? HostError
    message = error.flatMap { strdup(known?.libraryMessage ?? "\($0)") }
    codeName = error.flatMap { _ in strdup(known?.code.rawValue ?? "misuse") }
  }
}

extension Handle {
  /// Transfers ownership to C.
  static func give(_ handle: Handle) -> OpaquePointer {
    OpaquePointer(Unmanaged.passRetained(handle).toOpaque())
  }
}

extension Handle {
  /// `supplies` and `isForCallbacks` allow calls from callbacks; `reads` touches no state that
  /// other threads change; `keepsMessage` keeps the last failure's message.
  static func enter<Object: Handle>(
    _ pointer: OpaquePointer?, _ type: Object.Type, supplies: Bool = false, reads: Bool = false,
    isForCallbacks: Bool = false, keepsMessage: Bool = false, _ work: (Object) throws -> Void
  ) -> Int32 {
    guard let handle = pointer?.handle(type) else { return Int32.misused }
    return handle.perform(
      supplies: supplies, reads: reads, isForCallbacks: isForCallbacks, keepsMessage: keepsMessage
    ) { try work(handle) }
  }

  static func message(
    of pointer: OpaquePointer?, ifNull message: StaticString
  ) -> UnsafePointer<CChar> {
    guard let handle = pointer?.handle(Handle.self) else { return message.pointer }
    guard !handle.isInherited else { return type(of: handle).forkedMessage }
    return handle.look { $0.message.map { UnsafePointer($0) } ?? ("" as StaticString).pointer }
      ?? ("another thread is using this handle; use it from one thread at a time" as StaticString)
      .pointer
  }

  static func code(of pointer: OpaquePointer?) -> UnsafePointer<CChar> {
    guard let handle = pointer?.handle(Handle.self) else { return misuse.pointer }
    guard !handle.isInherited else { return ("forkedSession" as StaticString).pointer }
    return handle.look { $0.codeName.map { UnsafePointer($0) } ?? ("" as StaticString).pointer }
      ?? misuse.pointer
  }

  private static let misuse: StaticString = "misuse"

  /// After a fork it leaks, since deinit would wait for threads that no longer exist.
  static func take(_ pointer: OpaquePointer?) {
    guard let pointer, !pointer.handle(Handle.self).isInherited else { return }
    Unmanaged<Handle>.fromOpaque(UnsafeRawPointer(pointer)).release()
  }
}

extension OpaquePointer {
  fileprivate func handle<Object: Handle>(_: Object.Type) -> Object {
    Unmanaged<Object>.fromOpaque(UnsafeRawPointer(self)).takeUnretainedValue()
  }
}

/// Never freed.
nonisolated(unsafe) private let sessionForked = HostError.forkedSession.kept
nonisolated(unsafe) let enginesForked = EnginesHandle.forked.kept

extension HostError {
  /// Leaks deliberately.
  fileprivate var kept: UnsafePointer<CChar> {
    strdup(message).map { UnsafePointer($0) } ?? ("" as StaticString).pointer
  }
}

extension Int32 {
  static let ok = Int32(TESSERA_HOST_OK)
  static let misused = Int32(TESSERA_HOST_ERROR_MISUSED)

  /// Equals the command's exit status.
  init(statusOf error: any Error) { self = (error as? HostError)?.kind.status ?? .misused }
}

extension HostError {
  var libraryMessage: String {
    message { remedy in
      switch remedy {
      case .askForPart: "ask for a part with tessera_session_query_rect, or for fewer items"
      case .allowMoreTime:
        "if it only needs longer, allow more with tessera_engines_set_time_limit, or for this session with "
          + "tessera_session_set_time_limit"
      case .allowMoreMemory:
        "if it needs it, allow more with tessera_engines_set_memory_limit, or ask for fewer items"
      case .allowMoreRows: "allow more with tessera_engines_set_row_limit, or ask for fewer items"
      case .chooseEngine(let usable, let refused):
        "tessera_engines_list finds \(HostError.Remedy.engineCount(usable, refused))"
      case .locateWorker: "install it there, or set its path with tessera_engines_set_worker"
      // The header has no function for these.
      case .trustLibrary, .diagnoseMachine, .waitForRefusal: remedy.advice
      }
    }
  }
}

/// An invalid call, such as a null argument or an index out of range.
struct Misuse: Error, CustomStringConvertible {
  /// One sentence for the program's author.
  let description: String

  init(_ sentence: String) { description = sentence }
}

/// - Throws: `Misuse` for null, `.invalidInput` for invalid UTF-8.
func notNullText(_ pointer: Text, _ name: StaticString) throws -> String {
  guard let pointer else { throw nullArgument(name) }
  guard let text = String(validatingCString: pointer) else {
    throw HostError(.invalidValue, "the \(name) is not UTF-8; give it as UTF-8")
  }
  return text
}

func optionalText(_ pointer: Text, _ name: StaticString) throws -> String? {
  try pointer.map { try notNullText($0, name) }
}

func notNull<Pointer>(_ pointer: Pointer?, _ name: StaticString) throws -> Pointer {
  guard let pointer else { throw nullArgument(name) }
  return pointer
}

private let mostBytes: UInt64 = {
  var limit = rlimit()
  getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
  return min(
    UInt64(limit.rlim_cur), UInt64(sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))))
}()

/// `size` is in bytes per value.
func boundedCount(_ count: UInt64, _ name: StaticString, size: Int = 8) throws -> Int {
  guard count <= mostBytes / UInt64(size) else {
    throw Misuse("the \(name) is \(count), more than memory can hold; give how many there are")
  }
  return Int(count)
}

func boundedCount(_ count: Int64, _ name: StaticString) throws -> Int {
  guard let given = UInt64(exactly: count) else {
    throw Misuse("the \(name) is \(count); give a number of 0 or more")
  }
  return try boundedCount(given, name)
}

func boundedItemCounts(_ pointer: In<UInt64>, _ sections: UInt64) throws -> [Int] {
  let sections = try boundedCount(sections, "section count")
  guard sections > 0 else { return [] }
  let counts = UnsafeBufferPointer(start: try notNull(pointer, "item counts"), count: sections)
  var total: UInt64 = 0
  return try counts.map { count in
    let sum = total.addingReportingOverflow(count)
    guard !sum.overflow, sum.partialValue <= 1 << 62 else {
      throw HostError(.tooManyItems, "the sections have more than 2^62 items; give fewer")
    }
    total = sum.partialValue
    return Int(count)
  }
}

func boundedTimeLimit(_ seconds: Double) throws(HostError) -> Double {
  guard seconds >= 0.001, seconds <= 1_000_000 else {
    throw HostError(
      .invalidValue, "the time limit is \(seconds); give seconds from 0.001 to 1000000")
  }
  return seconds
}

func checkRowLimit(_ rows: UInt64, _ name: StaticString) throws(HostError) {
  guard rows >= 1, rows <= UInt64(TESSERA_HOST_MAX_ROW_LIMIT) else {
    throw HostError(
      .invalidValue, "the \(name) is \(rows); give 1 to \(TESSERA_HOST_MAX_ROW_LIMIT)")
  }
}

private func nullArgument(_ name: StaticString) -> Misuse {
  Misuse("the \(name) is null; give one")
}

struct TextStore: ~Copyable {
  private var texts: [String: UnsafeMutablePointer<CChar>] = [:]

  deinit { for text in texts.values { free(text) } }

  /// Zero-terminated; valid as long as the store; null if out of memory.
  mutating func pointer(to text: String) -> Text {
    if let known = texts[text] { return UnsafePointer(known) }
    guard let copy = strdup(text) else { return nil }
    texts[text] = copy
    return UnsafePointer(copy)
  }

  mutating func pointer(to text: String?) -> Text { text.flatMap { pointer(to: $0) } }
}

extension StaticString {
  /// Never freed.
  var pointer: UnsafePointer<CChar> {
    UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
  }
}

@c @implementation package func tessera_host_version() -> UInt32 {
  UInt32(TESSERA_HOST_MAJOR) << 16 | UInt32(TESSERA_HOST_MINOR)
}
