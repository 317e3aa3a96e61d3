/// What went wrong in expressions that a session called back.
///
/// A session's `measure` cannot throw: the session itself can only say that a size made no sense,
/// while this knows which expression gave it. Used by the thread that uses the session.
public final class ExpressionFailures {
  private var first: HostError?

  /// Nothing went wrong yet.
  public init() {}

  func note(_ error: HostError) { first = first ?? error }

  /// Asks a session something; where that fails because an expression did, throws the expression's
  /// error.
  public func telling<Result>(
    _ question: () throws(HostError) -> Result
  ) throws(HostError) -> Result {
    defer { first = nil }
    do throws(HostError) {
      return try question()
    } catch {
      throw first ?? error
    }
  }
}
