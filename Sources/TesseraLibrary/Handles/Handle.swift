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
      tell("\(error)")
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
