/// An error: what was found, what was expected, and what to do about it.
///
/// Test `code` or `kind`; the wording may change. A `remedy` is advice for the program to phrase.
public struct HostError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public let code: Code
  /// The id of the engine that caused the error, if any.
  public let engine: String?
  /// What the program can do about it; nil if `fact` includes the advice.
  public let remedy: Remedy?
  /// How the engine's process ended, if it did.
  public let death: Death?
  /// Without the engine and without a final full stop.
  package let sentence: String
  /// The file, line or name that the error is about; may be empty.
  let subject: String

  /// Creates an error.
  public init(
    _ code: Code, _ sentence: String, _ remedy: Remedy? = nil, engine: String? = nil,
    death: Death? = nil
  ) { self.init(code, sentence, remedy, engine: engine, death: death, subject: "") }

  init(
    _ code: Code, _ sentence: String, _ remedy: Remedy?, engine: String?, death: Death?,
    subject: String
  ) {
    (self.code, self.sentence, self.remedy, self.engine) = (code, sentence, remedy, engine)
    (self.death, self.subject) = (death, subject)
  }

  /// The kind.
  public var kind: Kind { code.kind }

  /// What was found and expected, with the engine, without a final full stop.
  public var fact: String {
    (subject.isEmpty ? "" : "\(subject): ")
      + (engine.map { code.fact(sentence, causedBy: $0) } ?? sentence)
  }

  /// The fact and the advice in one sentence, without a final full stop.
  public var message: String { message(advising: \.advice) }

  /// The message with the program's wording of the remedy.
  public func message(advising advice: (Remedy) -> String) -> String {
    remedy.map { "\(fact); \(advice($0))" } ?? fact
  }

  /// The same as `message`.
  public var description: String { message }

  package func about(_ subject: String) -> HostError {
    HostError(
      code, sentence, remedy, engine: engine, death: death,
      subject: self.subject.isEmpty ? subject : "\(subject): \(self.subject)")
  }

  package var onOneLine: HostError {
    HostError(
      code, UntrustedText.onOneLine(sentence), remedy, engine: engine.map(UntrustedText.onOneLine),
      death: death, subject: UntrustedText.onOneLine(subject))
  }

  package func caused(by engine: String) -> HostError {
    HostError(code, fact, remedy, engine: engine, death: death)
  }
}

extension HostError {
  /// The kinds of errors; recordings store the raw value.
  public enum Kind: String, Sendable, CaseIterable {
    /// A value, name or count from the caller is invalid.
    case invalidInput
    /// The engine, library or file doesn't exist.
    case notFound
    /// The engine refused the work, with its own message.
    case refused
    /// The engine broke the contract.
    case brokenContract
    /// The engine crashed, hung or exceeded a limit.
    case died
    /// The file is not an engine library that this host can load.
    case cannotLoad
    /// The host may not load the library.
    case notAllowed
    /// The caller's progress handler cancelled the work.
    case cancelled
    /// A file of the host, such as an allowlist, can't be written.
    case cannotWrite
    /// The system is out of processes, open files, memory or address space.
    case unavailable

    /// The exit status as in sysexits.h, also libtessera's status.
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

  /// What is wrong; each code belongs to one kind.
  ///
  /// Recordings and libtessera pass on the raw value. The reference lists these comments.
  public enum Code: String, Sendable, CaseIterable {
    /// A value has the wrong type, is out of range or not finite, or a text or file is malformed.
    case invalidValue
    /// There is no parameter, list, value, function or case of that name.
    case unknownName
    /// A name matches several engines, libraries or sums.
    case ambiguousName
    /// The number of values, arguments or sections is wrong.
    case wrongCount
    /// A derived engine sets this parameter of its base itself.
    case reservedParameter
    /// There are more items, records or bytes than a layout can have.
    case tooManyItems
    /// A layout or an answer has more rows than fit.
    case tooManyRows
    /// The call is not allowed in this state.
    case wrongState
    /// A batch of updates contradicts itself or the data.
    case invalidUpdate
    /// The signature of a function is malformed.
    case invalidSignature
    /// An allowlist is malformed.
    case invalidAllowlist
    /// A text is not JSON.
    case malformedJSON
    /// A scenario has an unknown key or a value of the wrong type.
    case invalidScenario
    /// An expression is malformed, or its result is not finite.
    case invalidExpression
    /// A table of items is malformed.
    case invalidTable
    /// A file is not a recording, or a line of it is not a call.
    case invalidRecording
    /// A function of the program failed.
    case callbackFailed
    /// A number belongs to a replaced version of a library; look it up again.
    case staleNumber

    /// The engine is not on the search path or in the library.
    case engineNotFound
    /// The base of an engine is not on the search path.
    case baseNotFound
    /// A file or folder doesn't exist or can't be read.
    case fileNotFound
    /// The element is not in the layout.
    case elementNotFound
    /// The worker program, or another one, is not installed.
    case workerNotFound

    /// The engine refused the work, with its own message.
    case refusedByEngine
    /// The engine refused the work without the message that the contract requires.
    case refusedWithoutReason
    /// The registration of a library returned an error.
    case registrationFailed
    /// The system can't call functions of this signature.
    case unsupportedSignature
    /// The suite can't examine the engine here.
    case notExamined
    /// The sandbox can't be entered, or is not complete although required.
    case incompleteSandbox
    /// The worker program can't be started.
    case workerNotStarted
    /// The session belongs to another process.
    case forkedSession

    /// A frame is not finite.
    case frameNotFinite
    /// A frame has a negative width or height.
    case frameNegative
    /// The content size is missing, negative or not finite.
    case invalidContentSize
    /// An alpha is not between 0 and 1.
    case invalidAlpha
    /// A value of the column hidden is neither 0 nor 1.
    case invalidHidden
    /// A value of an attribute is invalid for its type.
    case invalidAttribute
    /// A transform is not finite.
    case invalidTransform
    /// An element was added twice.
    case elementTwice
    /// An element's section or item doesn't exist.
    case elementOutOfRange
    /// The engine doesn't declare an element's category or kind.
    case undeclaredKind
    /// A run has several elements in adjust, or a reserved member that is not zero.
    case invalidRun
    /// A derived engine's value for its base is invalid there.
    case invalidOverride
    /// A row that the engine declared as unchanged has another frame.
    case movedRow
    /// A lazy engine added rows in prepare.
    case lazyRows
    /// A call returned a status that is invalid there.
    case invalidStatus
    /// The resting offset of a scroll is not finite.
    case invalidRestingOffset
    /// The target of a dragged item doesn't exist.
    case targetOutOfRange
    /// An estimate or a proposed size for measured items is invalid.
    case invalidSizing
    /// A delegate function was called without its context.
    case missingContext
    /// A delegate function has an invalid argument, or no finite mirror image in such wide content.
    case invalidArgument
    /// A published function returned a value of the wrong type.
    case invalidResult
    /// A library describes an engine differently than when it was listed.
    case changedDescription
    /// The worker's answer is malformed.
    case invalidAnswer
    /// The worker and the host are of different releases.
    case protocolMismatch

    /// The engine crashed with a signal.
    case crashed
    /// The engine call exceeded its time limit.
    case hung
    /// The engine exceeded its limit of memory or threads.
    case exceededLimit
    /// The engine made a forbidden system call.
    case forbiddenCall
    /// The engine ended its process itself.
    case exited
    /// The library crashed several times and is refused for a while.
    case crashedRepeatedly

    /// The file exists but can't be opened, read or copied.
    case unreadableFile
    /// The file changed while it was read.
    case fileChanged
    /// The file, or a part of it, is too large for a library.
    case fileTooLarge
    /// The same file was found under another name.
    case duplicateFile
    /// The file is not an ELF shared library.
    case notALibrary
    /// The library is truncated or malformed.
    case damagedLibrary
    /// The library is for another machine.
    case wrongMachine
    /// The library needs writable code or an executable stack.
    case unsafeLibrary
    /// The library has no readable Tessera note.
    case missingNote
    /// The library's contract version is not supported by this host.
    case unsupportedABI
    /// The library does not export tessera_register.
    case missingEntry
    /// The dynamic loader rejects the library.
    case unresolvedSymbols
    /// The library registers no engine, too many, or others than before.
    case noEngines
    /// The id of an engine or of its base is not reverse-DNS.
    case invalidID
    /// Two engines of the library have the same id.
    case duplicateID
    /// A version is not semantic.
    case invalidVersion
    /// A declared name is not lowerCamelCase.
    case invalidName
    /// A name is declared twice.
    case duplicateName
    /// An enum's choices are missing or not unique, or another type has choices.
    case invalidChoices
    /// A type, scope, category, role or interpolation is unknown.
    case unknownType
    /// A reserved member is not zero, or an undefined bit is set.
    case unknownBits
    /// An extension's table has the wrong size or names undeclared things.
    case invalidExtension
    /// A parameter's initial value or limits are invalid.
    case invalidDefault
    /// The fallback of a value is not a parameter of the same type.
    case invalidFallback
    /// The signature of a declared function is invalid.
    case invalidFunction
    /// A declared array has the wrong number or size of entries.
    case invalidArray
    /// A text of a description is missing, unterminated or not UTF-8.
    case invalidText
    /// A text of a description contains control characters.
    case unprintableText
    /// The texts of a description are too long.
    case oversizedDescription
    /// The process that describes a library gave no valid answer.
    case malformedDescription
    /// The traits don't match the engine's functions.
    case unfitTraits
    /// The base has the wrong version or traits, or rejects a default or a declaration.
    case unfitBase
    /// The bases of an engine form a cycle, or are too many.
    case cyclicBases

    /// The library is not on the allowlist.
    case notAllowlisted
    /// Other users can change the file or its folder.
    case changeableByOthers

    /// The program cancelled the work.
    case cancelled

    /// A file or folder can't be written.
    case unwritableFile
    /// An installed engine or another file is in the way.
    case wouldReplace

    /// The system is out of processes, open files, memory or address space.
    case systemLimit
    /// The worker is of another release than the host.
    case wrongWorker

    /// The kind of this code.
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
    /// The call with its arguments if known: "topOf(0, 4)".
    public let asked: String
    /// The signal of a crash; nil if the process ended otherwise.
    public let signal: Int32?
    /// What happened, without the engine's name and output: "crashed in prepare with SIGSEGV".
    public let sentence: String

    package init(call: String, asked: String? = nil, signal: Int32?, sentence: String) {
      self.call = call
      self.asked = asked ?? call
      (self.signal, self.sentence) = (signal, sentence)
    }
  }
}

extension HostError.Code {
  func fact(_ sentence: String, causedBy engine: String) -> String {
    switch self {
    case .tooManyRows, .crashed, .hung, .exceededLimit, .forbiddenCall, .exited:
      "\(engine) \(sentence)"
    case .cancelled: "\(sentence) of \(engine) was cancelled"
    default: "\(engine): \(sentence)"
    }
  }
}
