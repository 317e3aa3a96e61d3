/// An error: what was found, what was expected, and what to do about it.
///
/// Programs tell errors apart by `code` or, more roughly, by `kind`; the wording may change. Advice
/// that is the same for every program is part of `fact`. Advice that depends on the program, such as
/// which option to use, is a `remedy`, which each program can phrase itself.
public struct HostError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public let code: Code
  /// The id of the engine that caused the error; nil if no engine did.
  public let engine: String?
  /// What the program can do about it, or nil if `fact` includes the advice.
  public let remedy: Remedy?
  /// How the engine's process ended; nil if it did not.
  public let death: Death?
  /// What was found and what was expected, without the engine and without a final full stop.
  package let sentence: String
  /// The file, line or name that the error is about; empty if there is none.
  let subject: String

  /// Creates an error.
  public init(
    _ code: Code, _ sentence: String, _ remedy: Remedy? = nil, engine: String? = nil,
    death: Death? = nil
  ) {
    self.init(code, sentence, remedy, engine: engine, death: death, subject: "")
  }

  init(
    _ code: Code, _ sentence: String, _ remedy: Remedy?, engine: String?, death: Death?,
    subject: String
  ) {
    (self.code, self.sentence, self.remedy, self.engine) = (code, sentence, remedy, engine)
    (self.death, self.subject) = (death, subject)
  }

  /// The kind of error.
  public var kind: Kind { code.kind }

  /// What was found and what was expected, with the engine that caused it, without a full stop.
  public var fact: String {
    (subject.isEmpty ? "" : "\(subject): ")
      + (engine.map { code.fact(sentence, causedBy: $0) } ?? sentence)
  }

  /// The fact and the advice in one sentence, without a final full stop.
  public var message: String { message(advising: \.advice) }

  /// The message, with the program's own wording of the remedy.
  public func message(advising advice: (Remedy) -> String) -> String {
    remedy.map { "\(fact); \(advice($0))" } ?? fact
  }

  /// The same as `message`.
  public var description: String { message }

  /// A copy of the error whose fact begins with the subject.
  package func about(_ subject: String) -> HostError {
    HostError(
      code, sentence, remedy, engine: engine, death: death,
      subject: self.subject.isEmpty ? subject : "\(subject): \(self.subject)")
  }

  /// The error with all of its texts on one line each.
  package var onOneLine: HostError {
    HostError(
      code, UntrustedText.onOneLine(sentence), remedy, engine: engine.map(UntrustedText.onOneLine),
      death: death, subject: UntrustedText.onOneLine(subject))
  }

  /// The error as one that an engine caused.
  package func caused(by engine: String) -> HostError {
    HostError(code, fact, remedy, engine: engine, death: death)
  }
}

extension HostError {
  /// The kinds of errors.
  ///
  /// Recordings store the raw value.
  public enum Kind: String, Sendable, CaseIterable {
    /// A value, name or count from the caller is invalid.
    case invalidInput
    /// The engine, library or file does not exist.
    case notFound
    /// The engine refused the work; the message is the engine's own.
    case refused
    /// The engine broke the contract.
    case brokenContract
    /// The engine crashed, hung or exceeded a limit, and its process was ended.
    case died
    /// The file is not an engine library, or not one that this host can load.
    case cannotLoad
    /// The host is not allowed to load the library.
    case notAllowed
    /// The caller's progress handler cancelled the work.
    case cancelled
    /// A file that belongs to the host, such as an allowlist, cannot be written.
    case cannotWrite
    /// The system lacks what the work needs: processes, open files, memory or address space.
    case unavailable

    /// The exit status of the command, as in sysexits.h, and the status in libtessera.
    public var status: Int32 {
      switch self {
      case .invalidInput: 65
      case .notFound: 66
      case .refused, .unavailable: 69
      case .brokenContract, .died: 70
      case .cannotWrite: 73
      case .cancelled: 75
      case .cannotLoad: 76
      case .notAllowed: 77
      }
    }
  }

  /// What can be wrong: each code is of one kind.
  ///
  /// Recordings and libtessera pass on the raw value. `Documentation/Troubleshooting.md` says what each means.
  public enum Code: String, Sendable, CaseIterable {
    case invalidValue, unknownName, ambiguousName, wrongCount, reservedParameter, tooManyItems,
      tooManyRows, wrongState, invalidUpdate, invalidSignature, invalidAllowlist, malformedJSON,
      invalidScenario, invalidExpression, invalidTable, invalidRecording, callbackFailed,
      staleNumber
    case engineNotFound, baseNotFound, fileNotFound, elementNotFound, workerNotFound
    case refusedByEngine, refusedWithoutReason, registrationFailed, unsupportedSignature,
      notExamined, incompleteSandbox, workerNotStarted, forkedSession
    case frameNotFinite, frameNegative, invalidContentSize, invalidAlpha, invalidHidden,
      invalidAttribute, invalidTransform, elementTwice, elementOutOfRange, undeclaredKind,
      invalidRun, invalidOverride, movedRow, lazyRows, invalidStatus, invalidRestingOffset,
      targetOutOfRange, invalidSizing, missingContext, invalidArgument, invalidResult,
      changedDescription, invalidAnswer, protocolMismatch
    case crashed, hung, exceededLimit, forbiddenCall, exited, crashedRepeatedly
    case unreadableFile, fileChanged, fileTooLarge, duplicateFile, notALibrary, damagedLibrary,
      wrongMachine, unsafeLibrary, missingNote, unsupportedABI, missingEntry, unresolvedSymbols,
      noEngines, invalidID, duplicateID, invalidVersion, invalidName, duplicateName, invalidChoices,
      unknownType, unknownBits, invalidExtension, invalidDefault, invalidFallback, invalidFunction,
      invalidArray, invalidText, unprintableText, oversizedDescription, malformedDescription,
      unfitTraits, unfitBase, cyclicBases
    case notAllowlisted, changeableByOthers
    case cancelled
    case unwritableFile, wouldReplace
    case systemLimit, wrongWorker

    /// The kind of the errors with this code.
    public var kind: Kind {
      switch self {
      case .invalidValue, .unknownName, .ambiguousName, .wrongCount, .reservedParameter,
        .tooManyItems, .tooManyRows, .wrongState, .invalidUpdate, .invalidSignature,
        .invalidAllowlist, .malformedJSON, .invalidScenario, .invalidExpression, .invalidTable,
        .invalidRecording, .callbackFailed, .staleNumber:
        .invalidInput
      case .engineNotFound, .baseNotFound, .fileNotFound, .elementNotFound, .workerNotFound:
        .notFound
      case .refusedByEngine, .refusedWithoutReason, .registrationFailed, .unsupportedSignature,
        .notExamined, .incompleteSandbox, .workerNotStarted, .forkedSession:
        .refused
      case .frameNotFinite, .frameNegative, .invalidContentSize, .invalidAlpha, .invalidHidden,
        .invalidAttribute, .invalidTransform, .elementTwice, .elementOutOfRange, .undeclaredKind,
        .invalidRun, .invalidOverride, .movedRow, .lazyRows, .invalidStatus, .invalidRestingOffset,
        .targetOutOfRange, .invalidSizing, .missingContext, .invalidArgument, .invalidResult,
        .changedDescription, .invalidAnswer, .protocolMismatch:
        .brokenContract
      case .crashed, .hung, .exceededLimit, .forbiddenCall, .exited, .crashedRepeatedly: .died
      case .unreadableFile, .fileChanged, .fileTooLarge, .duplicateFile, .notALibrary,
        .damagedLibrary, .wrongMachine, .unsafeLibrary, .missingNote, .unsupportedABI,
        .missingEntry, .unresolvedSymbols, .noEngines, .invalidID, .duplicateID, .invalidVersion,
        .invalidName, .duplicateName, .invalidChoices, .unknownType, .unknownBits,
        .invalidExtension, .invalidDefault, .invalidFallback, .invalidFunction, .invalidArray,
        .invalidText, .unprintableText, .oversizedDescription, .malformedDescription, .unfitTraits,
        .unfitBase, .cyclicBases:
        .cannotLoad
      case .notAllowlisted, .changeableByOthers: .notAllowed
      case .cancelled: .cancelled
      case .unwritableFile, .wouldReplace: .cannotWrite
      case .systemLimit, .wrongWorker: .unavailable
      }
    }
  }

  /// How an engine's process ended.
  public struct Death: Hashable, Sendable {
    /// The call into the engine: "prepare", "loading".
    public let call: String
    /// The call with its arguments, if they are known: "topOf(0, 4)".
    public let asked: String
    /// The signal with which the process crashed; nil if it did not.
    public let signal: Int32?
    /// What happened, without the engine's name and its output: "crashed in prepare with SIGSEGV".
    public let sentence: String

    package init(call: String, asked: String? = nil, signal: Int32?, sentence: String) {
      self.call = call
      self.asked = asked ?? call
      (self.signal, self.sentence) = (signal, sentence)
    }
  }
}

extension HostError.Code {
  /// The fact of an error that an engine caused.
  func fact(_ sentence: String, causedBy engine: String) -> String {
    switch self {
    case .tooManyRows, .crashed, .hung, .exceededLimit, .forbiddenCall, .exited:
      "\(engine) \(sentence)"
    case .cancelled: "\(sentence) of \(engine) was cancelled"
    default: "\(engine): \(sentence)"
    }
  }
}
