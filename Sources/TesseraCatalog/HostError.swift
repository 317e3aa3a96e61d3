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
  /// Recordings and libtessera pass on the raw value. The reference lists them with these comments.
  public enum Code: String, Sendable, CaseIterable {
    /// A value is of another type, out of its range or not finite, or a text or file does not say
    /// what it should.
    case invalidValue
    /// A name means nothing here: no parameter, list, value, function or case has it.
    case unknownName
    /// A name means several engines, libraries or sums.
    case ambiguousName
    /// There are more or fewer values, arguments or sections than there must be.
    case wrongCount
    /// A derived engine sets this parameter of its base itself.
    case reservedParameter
    /// There are more items, records or bytes than a layout can have.
    case tooManyItems
    /// A layout or an answer has more rows than fit.
    case tooManyRows
    /// The call is not allowed now.
    case wrongState
    /// A batch of updates contradicts itself or the data.
    case invalidUpdate
    /// The signature of a function cannot be read.
    case invalidSignature
    /// An allowlist is malformed.
    case invalidAllowlist
    /// A text is not JSON.
    case malformedJSON
    /// A scenario has an unknown key or a value of the wrong kind.
    case invalidScenario
    /// An expression cannot be read, or gives no finite number.
    case invalidExpression
    /// A table of items is malformed.
    case invalidTable
    /// A file is not a recording, or a line of it is no call.
    case invalidRecording
    /// A function that the program gave failed.
    case callbackFailed
    /// A number was looked up in a version of a library that was replaced; look it up again.
    case staleNumber

    /// There is no such engine on the search path or in the library.
    case engineNotFound
    /// The base of an engine is not on the search path.
    case baseNotFound
    /// A file or folder does not exist or cannot be read.
    case fileNotFound
    /// The layout has no such element.
    case elementNotFound
    /// The program that runs engines, or another one, is not installed.
    case workerNotFound

    /// The engine refused the work; the message is the engine's own.
    case refusedByEngine
    /// The engine refused the work and did not report why, which the contract asks of it.
    case refusedWithoutReason
    /// The registration of a library returned an error.
    case registrationFailed
    /// Functions of this signature cannot be called on this system.
    case unsupportedSignature
    /// The suite cannot examine the engine here.
    case notExamined
    /// The sandbox cannot be entered, or is not the full one that is required.
    case incompleteSandbox
    /// The program that runs engines cannot be started.
    case workerNotStarted
    /// The session belongs to another process.
    case forkedSession

    /// A frame has a number that is not finite.
    case frameNotFinite
    /// A frame has a negative width or height.
    case frameNegative
    /// The content size is missing, negative or not finite.
    case invalidContentSize
    /// An alpha is not between 0 and 1.
    case invalidAlpha
    /// A value of the column hidden is neither 0 nor 1.
    case invalidHidden
    /// A value of an attribute is not valid for its type.
    case invalidAttribute
    /// A transform is not finite.
    case invalidTransform
    /// An element was added twice.
    case elementTwice
    /// An element belongs to a section or an item that does not exist.
    case elementOutOfRange
    /// An element has a category or kind that the engine does not declare.
    case undeclaredKind
    /// A run is not as the contract requires: several elements at once in adjust, or a reserved member
    /// that is not zero.
    case invalidRun
    /// A derived engine gave its base a value that the base does not allow.
    case invalidOverride
    /// A row that the engine declared to have left as it was has another frame.
    case movedRow
    /// A lazy engine added rows in prepare.
    case lazyRows
    /// A call returned a status that is not allowed there.
    case invalidStatus
    /// The offset at which a scroll comes to rest is not finite.
    case invalidRestingOffset
    /// The place for a dragged item does not exist.
    case targetOutOfRange
    /// An estimate or a proposed size for measured items is invalid.
    case invalidSizing
    /// A delegate function was called without its context.
    case missingContext
    /// A delegate function was called with an invalid argument, or in content so wide that its argument or result
    /// has no finite mirror image.
    case invalidArgument
    /// A published function returned a value that is not of its type.
    case invalidResult
    /// A library no longer describes an engine as when it was listed.
    case changedDescription
    /// An answer of the engine's process is malformed.
    case invalidAnswer
    /// The worker and the host are of different releases.
    case protocolMismatch

    /// The engine crashed with a signal.
    case crashed
    /// The engine did not return from a call in time.
    case hung
    /// The engine used more memory or threads than its limit.
    case exceededLimit
    /// The engine made a forbidden system call.
    case forbiddenCall
    /// The engine ended its process itself.
    case exited
    /// The library crashed several times and is refused for a while.
    case crashedRepeatedly

    /// The file exists but cannot be opened, read or copied.
    case unreadableFile
    /// The file changed while it was read.
    case fileChanged
    /// The file, or a part of it, is larger than a library can be.
    case fileTooLarge
    /// The same file was found before under another name.
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
    /// The library was built for a version of the contract that this host does not support.
    case unsupportedABI
    /// The library does not export tessera_register.
    case missingEntry
    /// The dynamic loader rejects the library.
    case unresolvedSymbols
    /// The library registers no engine, too many, or another than before.
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
    /// An enum has no choices or equal ones, or another type has choices.
    case invalidChoices
    /// A type, scope, category, role or interpolation is not one of the contract.
    case unknownType
    /// A reserved member is not zero, or a bit is set that the contract does not define.
    case unknownBits
    /// The table of an extension has another size than the contract's, or names what is not declared.
    case invalidExtension
    /// An initial value or the limits of a parameter are invalid.
    case invalidDefault
    /// The fallback of a value is not a parameter of its type.
    case invalidFallback
    /// The signature of a declared function is invalid.
    case invalidFunction
    /// A declared array has the wrong number or size of entries.
    case invalidArray
    /// A text of a description is missing, endless or not UTF-8.
    case invalidText
    /// A text of a description holds control characters.
    case unprintableText
    /// The texts of a description are too long.
    case oversizedDescription
    /// The process that describes a library gives no valid answer.
    case malformedDescription
    /// The declared traits do not match the functions that are set.
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

    /// A file or folder cannot be written.
    case unwritableFile
    /// An installed engine or another file is in the way.
    case wouldReplace

    /// The system lacks processes, open files, memory or address space.
    case systemLimit
    /// The worker is not the one of this host's release.
    case wrongWorker

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
