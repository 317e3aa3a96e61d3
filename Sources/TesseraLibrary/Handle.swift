import CTesseraHost
import Glibc
import TesseraHost

/// What a program in C holds a pointer to: an object with the sentence of its last failure.
class Handle {
  /// What the program may call now.
  enum Stage {
    /// Anything.
    case idle
    /// Nothing: one of its callbacks is running.
    case busy
    /// What gives values to new data.
    case supplying
  }

  private(set) var stage = Stage.idle
  /// What failed first while new data were given their values.
  private(set) var supplyFailure: (any Error)?
  private var message: UnsafeMutablePointer<CChar>?

  deinit { free(message) }

  /// The sentence of the last failure.
  var failure: UnsafePointer<CChar> {
    message.map { UnsafePointer($0) } ?? FixedText.pointer("")
  }

  /// Does the work of one call.
  ///
  /// - Parameter supplies: Whether it may also be called to give values to new data.
  func perform(supplies: Bool = false, _ work: () throws -> Void) -> Int32 {
    guard stage == .idle else {
      return performNested(isAllowed: supplies && stage == .supplying, work)
    }
    stage = .busy
    defer { stage = .idle }
    tell(nil)
    do { try work() } catch {
      tell((error as? HostError)?.libraryMessage ?? "\(error)")
      return Status.of(error)
    }
    return Status.ok
  }

  /// Runs a callback that gives values to new data.
  func supplying(_ callback: () -> Int32) -> Int32 {
    supplyFailure = nil
    stage = .supplying
    defer { stage = .busy }
    return callback()
  }

  private func performNested(isAllowed: Bool, _ work: () throws -> Void) -> Int32 {
    let before = stage
    stage = .busy
    defer { stage = before }
    do {
      guard isAllowed else {
        throw Misuse(
          "a callback called a function that it may not call; let it return, then call that")
      }
      try work()
      return Status.ok
    } catch {
      if supplyFailure == nil { supplyFailure = error }
      return Status.of(error)
    }
  }

  private func tell(_ sentence: String?) {
    free(message)
    message = sentence.flatMap { strdup($0) }
  }
}

extension Handle {
  /// The pointer that stands for an object in C, which then owns it.
  static func give(_ handle: Handle) -> OpaquePointer {
    OpaquePointer(Unmanaged.passRetained(handle).toOpaque())
  }

  /// Takes an object back from C and forgets it.
  static func take(_ pointer: OpaquePointer?) {
    guard let pointer else { return }
    Unmanaged<Handle>.fromOpaque(UnsafeRawPointer(pointer)).release()
  }
}

extension OpaquePointer {
  /// The object that a pointer stands for.
  func handle<Object: Handle>(_: Object.Type) -> Object {
    Unmanaged<Object>.fromOpaque(UnsafeRawPointer(self)).takeUnretainedValue()
  }
}

/// What the functions of the library return.
enum Status {
  /// All went well.
  static let ok = Int32(TESSERA_HOST_OK)
  /// The call itself is wrong.
  static let misused = Int32(TESSERA_HOST_MISUSED)

  /// The status of an error: the exit status that the command would end with.
  static func of(_ error: any Error) -> Int32 {
    (error as? HostError).map { of($0.kind) } ?? misused
  }

  /// The status of a kind of error.
  static func of(_ kind: HostError.Kind) -> Int32 {
    switch kind {
    case .invalidInput: Int32(TESSERA_HOST_INVALID)
    case .notFound: Int32(TESSERA_HOST_NOT_FOUND)
    case .refused: Int32(TESSERA_HOST_REFUSED)
    case .brokenContract, .died, .cancelled: Int32(TESSERA_HOST_DIED)
    case .cannotWrite: Int32(TESSERA_HOST_CANNOT_WRITE)
    case .cannotLoad: Int32(TESSERA_HOST_CANNOT_LOAD)
    case .notAllowed: Int32(TESSERA_HOST_NOT_ALLOWED)
    }
  }
}

extension HostError {
  /// The sentence, with remedies as functions of `tessera_host.h`.
  var libraryMessage: String {
    message { remedy in
      switch remedy {
      case .askForPart: "ask for a part with tessera_session_query_rect, or for fewer items"
      case .allowMoreTime:
        "if it only needs longer, allow more with tessera_engines_set_time_limit"
      case .chooseEngine(let usable, let refused):
        "tessera_engines_list finds \(HostError.Remedy.engineCount(usable, refused))"
      case .locateWorker: "install it there, or set its path with tessera_engines_set_worker"
      // The header has no function for these.
      case .trustLibrary, .diagnoseMachine: remedy.advice
      }
    }
  }
}

/// A call that is wrong in itself, whatever the layout: a null, a size, an index.
struct Misuse: Error, CustomStringConvertible {
  /// One sentence for the person who wrote the program.
  let description: String

  /// A misuse with its sentence.
  init(_ sentence: String) { description = sentence }
}

/// What C passes, checked before it is used.
enum Argument {
  /// A text that may not be null.
  ///
  /// - Throws: `Misuse` for null, `.invalidInput` for bytes that are not UTF-8.
  static func text(_ pointer: UnsafePointer<CChar>?, _ name: StaticString) throws -> String {
    guard let pointer else { throw null(name) }
    guard let text = String(validatingCString: pointer) else {
      throw HostError(.invalidInput, "the \(name) is not UTF-8; give it as UTF-8")
    }
    return text
  }

  /// A text that may be null.
  static func optionalText(
    _ pointer: UnsafePointer<CChar>?, _ name: StaticString
  ) throws -> String? {
    try pointer.map { try text($0, name) }
  }

  /// A pointer that may not be null.
  static func present<Pointer>(_ pointer: Pointer?, _ name: StaticString) throws -> Pointer {
    guard let pointer else { throw null(name) }
    return pointer
  }

  /// A count of things that lie in memory.
  static func count(_ count: UInt64, _ name: StaticString) throws -> Int {
    guard count <= 1 << 48 else {
      throw Misuse("the \(name) is \(count), more than memory can hold; give how many there are")
    }
    return Int(count)
  }

  /// Item counts of sections; none where there are no sections.
  static func itemCounts(
    _ pointer: UnsafePointer<UInt64>?, _ sections: UInt64
  ) throws -> [Int] {
    let sections = try count(sections, "section count")
    guard sections > 0 else { return [] }
    let counts = UnsafeBufferPointer(start: try present(pointer, "item counts"), count: sections)
    var total: UInt64 = 0
    return try counts.map { count in
      let sum = total.addingReportingOverflow(count)
      guard !sum.overflow, sum.partialValue <= 1 << 62 else {
        throw HostError(.invalidInput, "the sections have more than 2^62 items; give fewer")
      }
      total = sum.partialValue
      return Int(count)
    }
  }

  private static func null(_ name: StaticString) -> Misuse {
    Misuse("the \(name) is null; give one")
  }
}

/// Texts that a program in C reads, each kept once and at one place.
struct TextStore: ~Copyable {
  private var texts: [String: UnsafeMutablePointer<CChar>] = [:]

  deinit { for text in texts.values { free(text) } }

  /// A text that ends with a zero byte; valid as long as this store, null where memory is short.
  mutating func pointer(to text: String) -> UnsafePointer<CChar>? {
    if let known = texts[text] { return UnsafePointer(known) }
    guard let copy = strdup(text) else { return nil }
    texts[text] = copy
    return UnsafePointer(copy)
  }

  /// The same for a text that may be missing.
  mutating func pointer(to text: String?) -> UnsafePointer<CChar>? {
    text.flatMap { pointer(to: $0) }
  }
}

/// Texts that are never freed, so that whoever has none of his own can be given one.
enum FixedText {
  /// A text of the program itself.
  static func pointer(_ text: StaticString) -> UnsafePointer<CChar> {
    UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}

/// The version of the library's interface: its major times 65536 plus its minor.
@c @implementation
public func tessera_host_version() -> UInt32 {
  UInt32(TESSERA_HOST_MAJOR) << 16 | UInt32(TESSERA_HOST_MINOR)
}
