extension Recording {
  /// What is not as it was recorded, of one answer.
  public struct Finding: Equatable, Sendable {
    /// Which element it is of; nil where it is of none.
    public var element: String?
    /// Which of its numbers or texts; nil where it is the whole.
    public var what: String?
    /// What was recorded.
    public var expected: String
    /// What was there instead.
    public var found: String

    init(element: String? = nil, what: String? = nil, expected: String, found: String) {
      (self.element, self.what) = (element, what)
      (self.expected, self.found) = (expected, found)
    }

    init(_ mismatch: Mismatch, element: String? = nil) {
      self.init(
        element: element, what: mismatch.subject, expected: mismatch.expected,
        found: mismatch.found)
    }
  }

  /// The first call that was not answered as it was recorded.
  public struct Difference: Equatable, Sendable {
    /// The number of the call, from 1; its line is one more.
    public var call: Int
    /// The call as its line has it, without an answer, and shortened.
    public var text: String
    /// What differs.
    public var finding: Finding
    /// The kind of error that was found where there was an answer; nil: it was an answer too.
    var failure: HostError.Kind?
  }
}
