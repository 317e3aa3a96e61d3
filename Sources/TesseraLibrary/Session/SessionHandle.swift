import CTesseraHost
import TesseraHost

/// Behind a `tessera_session`: a session and what it was last answered.
final class SessionHandle: Handle {
  let session: Session
  /// The answer of the last query.
  var answer: Elements?
  /// What the last update came to.
  var animation: LayoutAnimation?
  /// Texts that were given out, as long as the session lives.
  var texts = TextStore()
  var kinds = KindNumbers()

  /// A handle for a session.
  init(_ session: Session) { self.session = session }

  /// The last answer.
  ///
  /// - Throws: `Misuse` before the first query.
  func lastAnswer() throws -> Elements {
    guard let answer else {
      throw Misuse("nothing has been asked; query the session first")
    }
    return answer
  }
}

/// Does the work of a call with a handle that may be null.
///
/// - Parameter supplies: Whether a callback that gives values to new data may make the call.
func session(
  _ pointer: OpaquePointer?, supplies: Bool = false, _ work: (SessionHandle) throws -> Void
) -> Int32 {
  guard let handle = pointer?.handle(SessionHandle.self) else { return Status.misused }
  return handle.perform(supplies: supplies) { try work(handle) }
}
