public import CTessera

/// What a call of the contract came to; 0 is success.
public typealias Status = tessera_status

/// Why a layout gave up: a status for the host and a sentence for the user.
///
/// A sentence says what was found, what was expected and what to do: "size of item 3 in section 0
/// is -5×90; width and height must be finite and not negative".
public struct LayoutFailure: Error, Equatable, Sendable {
  /// What the call returns to the host.
  public let status: Status
  /// What the host is told first, or nil where the host knows already.
  public let message: String?

  /// A failure with a status of the contract's.
  ///
  /// - Parameter message: Nil where whoever failed has told the host, for instance a base.
  public init(status: Status, message: String?) {
    self.status = status
    self.message = message
  }

  /// A parameter or a value makes no sense.
  public static func invalidValue(_ message: String) -> LayoutFailure {
    LayoutFailure(status: TESSERA_INVALID_VALUE, message: message)
  }

  /// The layout cannot do what it was asked for.
  public static func unsupported(_ message: String) -> LayoutFailure {
    LayoutFailure(status: TESSERA_UNSUPPORTED, message: message)
  }

  /// Anything else.
  public static func failed(_ message: String) -> LayoutFailure {
    LayoutFailure(status: TESSERA_FAILED, message: message)
  }
}
