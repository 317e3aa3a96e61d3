import Glibc
import TesseraGeometry

// The wording of the host's errors. Each function makes one error and takes what its sentence names.
//
// Sentences about a place in a text are built where the place is known: in descriptions
// (`DescriptionRules.swift`, `DescriptionReader`), in messages (`ByteReader.broken`), in JSON, expressions,
// tables, scenarios and recordings. Each of these has one code or a few, and passes its sentence to the initializer.

/// A text short enough for one line of an error.
package func clipped(_ text: String, to length: Int = 60) -> String {
  text.utf8.count <= length ? text : String(text.prefix(length - 1)) + "…"
}

/// A text in quotes, short enough for one line of an error.
package func quoted(_ text: String) -> String { "\"\(clipped(text))\"" }

/// "1 item", "2 items".
package func counted(
  _ count: Int, _ noun: String, _ plural: String? = nil, none: String = "0"
) -> String {
  "\(count == 0 ? none : "\(count)") \(count == 1 ? noun : plural ?? noun + "s")"
}

/// "a, b and c".
package func list(_ names: [String], _ conjunction: String = "and") -> String {
  guard let last = names.last, names.count > 1 else { return names.first ?? "nothing" }
  return "\(names.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
}

/// "did you mean X?" where a known name is near, else the other advice.
package func hint(_ name: String, among known: [String], else advice: String) -> String {
  // The time to compare grows with the length, and nobody misspells a name into a book.
  guard name.utf8.count <= 64, let near = similarNames(to: name, among: known).first else {
    return advice
  }
  return "did you mean \(near)?"
}

/// The advice for an unknown name: the near one, or all there are.
package func hint(_ name: String, among known: [String]) -> String {
  hint(name, among: known, else: known.isEmpty ? "there is none" : "expected \(list(known, "or"))")
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

extension HostError.Remedy {
  /// The advice in words that fit every program.
  public var advice: String {
    switch self {
    case .askForPart: "ask for a part of the layout, or for fewer items"
    case .allowMoreTime: "allow a call more time if the engine only needs longer"
    case .allowMoreMemory: "allow it more memory if it needs it, or ask for fewer items"
    case .allowMoreRows: "allow a layout more rows, or ask for fewer items"
    case .chooseEngine(let usable, let refused):
      "the search path holds \(Self.engineCount(usable, refused))"
    case .trustLibrary(_, let allowlist): "if you trust it, add it to \(allowlist)"
    case .diagnoseMachine: "check whether the kernel offers Landlock and seccomp"
    case .locateWorker: "install it there, or set its path"
    case .waitForRefusal(let seconds):
      "it is refused for another \(seconds) s, or until its file changes"
    }
  }

  /// "9 engines (2 files were refused)".
  public static func engineCount(_ usable: Int, _ refused: Int) -> String {
    counted(usable, "engine")
      + (refused == 0
        ? "" : " (\(counted(refused, "file")) \(refused == 1 ? "was" : "were") refused)")
  }
}

// Values, names and counts.
extension HostError {
  package static func invalidValue(
    _ name: String, _ problem: String, _ code: Code = .invalidValue
  ) -> HostError {
    HostError(code, "\(name) \(problem)")
  }

  package static func invalidValue(
    _ name: String, is found: some CustomStringConvertible, expected: String
  ) -> HostError {
    HostError(.invalidValue, "\(name) is \(found); expected \(expected)")
  }

  package static func invalidValue(
    _ name: String, is found: some CustomStringConvertible, give advice: String
  ) -> HostError {
    HostError(.invalidValue, "\(name) is \(found); give \(advice)")
  }

  /// An error for a value that a type cannot hold; `subject` ends with a verb: "it returned".
  package static func unfitValue(
    _ code: Code, _ subject: String, _ value: Value, for type: ValueType
  ) -> HostError {
    let found = value == .void ? "nothing" : value.description
    return HostError(code, "\(subject) \(found) for \(type); expected \(type.expectation)")
  }

  package static func wrongType(
    _ name: String, is found: ValueType, expected: ValueType
  ) -> HostError {
    HostError(
      .invalidValue, "\(name) has values of type \(found.name); expected \(expected.name)")
  }

  package static func wrongSignature(
    _ name: String, is found: String, expected: Signature
  ) -> HostError {
    HostError(.invalidValue, "\(name) has the signature \(found); expected \(expected)")
  }

  package static func wrongArgumentCount(
    _ count: Int, of name: String, _ arguments: [ValueType]
  ) -> HostError {
    let expected = arguments.count
    return HostError(
      .wrongCount,
      "\(name) takes \(counted(expected, "argument")) "
        + "(\(arguments.map(\.description).joined(separator: ","))) but was given "
        + "\(count); give \(expected)")
  }

  /// - Parameter found: The number of values; nil for one value for all.
  package static func wrongCount(
    of name: String, _ found: Int?, from first: Int, of count: Int, _ noun: String
  ) -> HostError {
    let values = found.map { "\($0) values" } ?? "one value"
    return HostError(
      .wrongCount,
      first == 0
        ? "\(name) has \(values) for \(count) \(noun)s; give one value, or \(count)"
        : "\(name) has \(values) for the \(noun)s from \(first) on; give \(max(0, count - first))")
  }

  package static func gapBefore(
    _ first: Int, of name: String, _ noun: String, known: Int
  ) -> HostError {
    HostError(
      .wrongCount,
      "\(name) is set from \(noun) \(first) on, and it had \(known) values before; expected "
        + "at most \(known)")
  }

  package static func spliceOutside(
    _ place: Int, _ removed: Int, of name: String, _ noun: String, known: Int
  ) -> HostError {
    HostError(
      .wrongCount,
      "\(name) is to lose \(counted(removed, "value")) from \(noun) \(place) on, and it has "
        + "\(counted(known, "value")); give a place and a number within them")
  }

  package static func spliceOfOne(_ name: String, _ noun: String) -> HostError {
    HostError(
      .wrongCount,
      "\(name) is spliced with one value for all \(noun)s; give each \(noun) a value of its own, or "
        + "set one value again")
  }

  package static func wrongRecordCount(
    _ count: Int, of name: String, expected: Int
  ) -> HostError {
    HostError(
      .wrongCount,
      "\(name) has \(count) values; expected one for each of the \(expected) records")
  }

  package static func tooManyRecords(_ count: Int, of list: String, limit: Int) -> HostError {
    HostError(.tooManyItems, "\(list) has \(count) records; expected 0 to \(limit)")
  }

  package static func unknownName(
    _ name: String, _ noun: String, of engine: String, known: [String]
  ) -> HostError {
    HostError(
      .unknownName,
      "\(engine) has no \(noun) \"\(name)\"; \(suggestedName(for: name, among: known))")
  }

  package static func unknownChoice(
    _ name: String, _ value: Value, _ choices: [String]
  ) -> HostError {
    HostError(
      .invalidValue, "\(name) is \"\(value)\"; expected \(choices.joined(separator: ", "))")
  }

  package static func unknownFunction(
    _ name: String, of engine: String, known: [String]
  ) -> HostError {
    HostError(
      .unknownName,
      "\(engine) publishes no function \"\(name)\"; "
        + suggestedName(for: name, among: known))
  }

  package static func reserved(_ parameter: String, by owner: String) -> HostError {
    HostError(.reservedParameter, "\(parameter) cannot be set: \(owner) sets it itself")
  }

  package static func tooManySections(_ count: Int) -> HostError {
    HostError(.tooManyItems, "\(count) sections are too many; expected below 2^31")
  }

  package static func tooManyItems(upTo section: Int) -> HostError {
    HostError(
      .tooManyItems, "the sections up to \(section) have more than 2^62 items; give fewer")
  }

  package static func tooManyItems(
    _ count: Int, with name: String, of engine: String, capacity: Int, _ remedy: Remedy
  ) -> HostError {
    HostError(
      .tooManyRows,
      "\(name) is set for \(count) items, and a layout of \(engine) has at most \(capacity) rows",
      remedy)
  }

  package static func tooManyMeasured(_ count: Int, limit: Int) -> HostError {
    HostError(
      .tooManyItems,
      "the layout has \(count) elements that are measured; expected at most \(limit); give fewer, or do not "
        + "measure")
  }

  package static func tooManyBytes(_ count: Int, limit: Int) -> HostError {
    HostError(
      .tooManyItems,
      "another \(count) bytes of values do not fit; a layout takes at most \(limit) bytes")
  }

  package static func tooManyElements(_ count: Int, limit: Int) -> HostError {
    HostError(
      .tooManyRows, "the layout has \(count) elements, more than \(limit) at once", .askForPart)
  }

  package static func tooManyQueried(limit: Int) -> HostError {
    HostError(
      .tooManyRows, "it asked for more than \(limit) elements at once; ask for fewer")
  }

  /// The error for an engine that returns more rows than fit: by default, than a layout can have.
  package static func noRoom(
    _ engine: String, capacity: Int, _ remedy: Remedy = .allowMoreRows
  ) -> HostError {
    HostError(.tooManyRows, "has more than \(capacity) rows for this", remedy, engine: engine)
  }

  package static func tooManyArguments(_ count: Int, limit: Int) -> HostError {
    HostError(
      .invalidSignature, "a signature has \(count) arguments; expected at most \(limit)")
  }

  package static func voidArgument(_ place: Int) -> HostError {
    HostError(
      .invalidSignature,
      "argument \(place) of a signature is void, which is only valid as a result; leave it out")
  }

  package static func invalidSignature(_ text: String, _ problem: String) -> HostError {
    HostError(.invalidSignature, "the signature \"\(text)\" \(problem)")
  }
}

// Batches of layouts, updates and reordering.
extension HostError {
  package static func wrongSectionCount(
    _ found: Int, ofLayout layout: Int, limit: Int
  ) -> HostError {
    HostError(
      .wrongCount,
      "layout \(layout) has \(found) sections; expected 0 to \(limit), which the session has")
  }

  package static func wrongSectionSum(_ sum: Int, expected: Int) -> HostError {
    HostError(
      .wrongCount,
      "the layouts have \(sum) sections together and the session \(expected); give as many, or no "
        + "counts for one section each")
  }

  package static func wrongBoundsCount(_ count: Int, layouts: Int) -> HostError {
    HostError(
      .wrongCount,
      "there are \(count) bounds for \(layouts) layouts; give \(layouts), or none for those of the "
        + "session")
  }

  package static func wrongParameterCount(
    of name: String, _ count: Int, layouts: Int
  ) -> HostError {
    HostError(
      .wrongCount, "\(name) has \(count) values for \(layouts) layouts; give one for each")
  }

  package static func invalidBounds(_ size: Size) -> HostError {
    HostError(
      .invalidValue, "the bounds are \(Value.size(size)); expected finite numbers, 0 or more")
  }

  package static func notFinite(_ what: String, _ value: Value) -> HostError {
    HostError(.invalidValue, "the \(what) \(value) is not finite; give numbers")
  }

  /// An error for a finite value that is too far out for its mirror image to be finite; `subject` ends with a
  /// verb: "pointAt returned".
  package static func noMirrorImage(
    _ code: Code, _ subject: String, _ value: Value, in width: Double
  ) -> HostError {
    HostError(
      code,
      "\(subject) \(value), whose mirror image in content \(width.shortText) wide is not finite; give one "
        + "nearer to the content")
  }

  package static func unholdable(_ size: Size, at point: Point) -> HostError {
    HostError(
      .invalidValue,
      "the held item of \(Value.size(size)) around \(Value.point(point)) reaches beyond the largest number; "
        + "drag it nearer to the content")
  }

  package static func invalidReach(_ reach: Double) -> HostError {
    HostError(.invalidValue, "the reach is \(reach); give a distance from 0 to 1e12 points")
  }

  package static func invalidOffset(_ proposed: Point, velocity: Point) -> HostError {
    HostError(
      .invalidValue,
      "the proposed offset is \(Value.point(proposed)) at \(Value.point(velocity)) a second; "
        + "expected finite numbers")
  }

  package static func invalidMeasure(_ size: Size, item: Int, section: Int) -> HostError {
    HostError(
      .invalidValue,
      "item \(item) of section \(section) measures \(Value.size(size)); expected finite numbers, "
        + "0 or more")
  }

  package static func invalidMeasure(_ size: Size, kind: String, section: Int) -> HostError {
    HostError(
      .callbackFailed,
      "the measured size of the \(kind) of section \(section) is \(Value.size(size)); expected 0 or "
        + "more")
  }

  package static func notMeasured(_ what: String, _ engine: String) -> HostError {
    HostError(
      .wrongState,
      "\(engine) does not size \(what) by their content now; give their sizes as values, or set the "
        + "parameter that turns measuring on")
  }

  package static func noMeasured(
    _ kind: String?, _ item: Int, inSection section: Int, of counts: [Int]
  ) -> HostError {
    guard let kind else {
      let isSection = counts.indices.contains(section)
      return .noItem(
        isSection && item >= 0 ? max(item, counts[section]) : item, inSection: section, of: counts)
    }
    return HostError(
      .invalidValue,
      "there is no \(kind) \(item) in section \(section); give item 0 of one of "
        + "\(counted(counts.count, "section"))")
  }

  /// What there is in the place of items that do not exist.
  private static func itemsThere(_ section: Int, _ counts: [Int]) -> String {
    counts.indices.contains(section)
      ? "which has \(counted(counts[section], "item", none: "no"))"
      : "but only \(counted(counts.count, "section", none: "no"))"
  }

  package static func wrongStart(of batch: [Int], expected: [Int]) -> HostError {
    HostError(
      .invalidUpdate,
      "the batch starts from \(batch) items, the layout has \(expected); "
        + "make it from the layout's counts")
  }

  package static func negativeCount(
    _ count: Int, inSection section: Int, _ when: String
  ) -> HostError {
    HostError(
      .invalidUpdate,
      "section \(section) has \(count) items \(when) the update; give 0 or more")
  }

  package static func wrongSections(before: Int, after: Int, reached: Int) -> HostError {
    HostError(
      .invalidUpdate,
      "there are \(counted(before, "section", none: "no")) before the update and "
        + "\(counted(after, "section", none: "no")) after it, but the operations lead to "
        + "\(reached); insert or delete the sections that differ")
  }

  package static func wrongItems(
    inSection section: Int, origin: Int, before: Int, after: Int, reached: Int
  ) -> HostError {
    let name = origin == section ? "" : " (section \(origin) before)"
    return HostError(
      .invalidUpdate,
      "section \(section)\(name) has \(counted(before, "item", none: "no")) before the update and "
        + "\(counted(after, "item", none: "no")) after it, but the operations lead to \(reached); "
        + "insert or delete the items that differ")
  }

  /// - Parameter has: What `count` items or sections are in: "there are", "that section has".
  package static func outside(
    _ name: String, is verb: String, _ has: String, _ count: Int, _ noun: String, _ when: String
  ) -> HostError {
    let found = has == "there are" && count == 1 ? "there is" : has
    let advice =
      count == 0
      ? "leave this operation out"
      : count == 1
        ? "give \(noun) 0" : "give \(noun == "item" ? "an" : "a") \(noun) from 0 to \(count - 1)"
    return HostError(
      .invalidUpdate,
      "\(name) is \(verb), but \(found) \(counted(count, noun, none: "no")) \(when) the update; "
        + advice)
  }

  package static func arrivalsMeet(at name: String, _ what: String) -> HostError {
    HostError(
      .invalidUpdate, "\(name) of the new data is \(what); give each arrival a place of its own")
  }

  package static func changedTwice(_ name: String, _ one: String, _ other: String) -> HostError {
    let (first, second) = one < other ? (one, other) : (other, one)
    return HostError(
      .invalidUpdate,
      "\(name) is \(first == second ? "\(first) twice" : "\(first) and \(second)"); change it once")
  }

  package static func changedWithSection(
    item: Int, section: Int, is verb: String, _ sectionVerb: String
  ) -> HostError {
    HostError(
      .invalidUpdate,
      "item \(item) of section \(section) is \(verb) and its section is \(sectionVerb); leave the "
        + "item's operation out")
  }

  package static func repeatedIdentity(
    _ name: String, item: Int, section: Int, otherItem: Int, otherSection: Int, _ when: String
  ) -> HostError {
    HostError(
      .invalidUpdate,
      "identity \"\(name)\" is both item \(item) of section \(section) and item \(otherItem) of "
        + "section \(otherSection) \(when) the update; give each item an identity of its own")
  }

  package static let itemHeld = HostError(
    .wrongState, "an item is already held; end or cancel its reordering first")

  package static let noItemHeld = HostError(
    .wrongState, "no item is held; begin a reordering first")

  package static let reloadWithinCall = HostError(
    .wrongState, "the session is in a call, which keeps its version of the library; reload after it"
  )

  package static let reloadWhileHeld = HostError(
    .wrongState,
    "an item is held, which keeps the version of the library; end or cancel its reordering first")

  package static func noItem(_ item: Int, inSection section: Int, of counts: [Int]) -> HostError {
    HostError(
      .invalidValue,
      "there is no item \(item) in section \(section), \(itemsThere(section, counts)); give one that exists"
    )
  }
}

// Allowlists, and files and folders that others can change.
extension HostError {
  package static func invalidLine(_ line: Int, ofAllowlist file: String, _ text: String)
    -> HostError
  {
    HostError(
      .invalidAllowlist,
      "line \(line) of \(file) is \"\(text)\"; expected a SHA-256 sum of 64 digits, two spaces and a "
        + "path, as sha256sum writes them, or a comment after #")
  }

  package static func ambiguousSum(_ sum: String, _ count: Int, onAllowlist file: String)
    -> HostError
  {
    HostError(
      .ambiguousName,
      "\(count) sums on the allowlist \(file) begin with \(sum); give more of its digits")
  }

  package static func notListed(_ name: String, onAllowlist file: String) -> HostError {
    HostError(
      .fileNotFound,
      "the allowlist \(file) has neither a path nor a sum \(name); give one that it lists")
  }

  package static func unreadableAllowlist(_ path: String, _ number: Int32) -> HostError {
    HostError(.fileNotFound, "the allowlist \(path) cannot be read: \(systemMessage(number))")
  }

  package static func oversizedAllowlist(_ path: String, limit: Int) -> HostError {
    HostError(
      .invalidAllowlist,
      "the allowlist \(path) is not a file of at most \(limit) bytes; fix or remove it")
  }

  package static func allowlistNotUTF8(_ path: String) -> HostError {
    HostError(.invalidAllowlist, "the allowlist \(path) is not UTF-8; encode it as UTF-8")
  }

  package static func unwritableAllowlist(_ path: String, _ number: Int32) -> HostError {
    HostError(
      .unwritableFile,
      "the allowlist \(path) cannot be written: "
        + SystemError(number: number).sentence(advice: "make it writable, or name another one"))
  }

  package static func notAllowlisted(
    _ library: String, on allowlist: String, isPathListed: Bool
  ) -> HostError {
    HostError(
      .notAllowlisted,
      "it is not on the allowlist"
        + (isPathListed ? ", which has a different sum for that path" : ""),
      .trustLibrary(path: library, allowlist: allowlist))
  }

  package static func tooManySymlinks(_ path: String) -> HostError {
    HostError(.fileNotFound, "\(path) leads through too many symlinks; name its target")
  }

  package static func inaccessible(_ path: String, _ number: Int32) -> HostError {
    HostError(.fileNotFound, "\(path) cannot be accessed: \(systemMessage(number))")
  }

  package static func unusableCache(_ path: String, _ problem: String) -> HostError {
    HostError(.unreadableFile, "the cache \(path) \(problem)")
  }

  package static func unreadableSymlink(_ link: String) -> HostError {
    HostError(.fileNotFound, "the symlink \(link) cannot be read; recreate it")
  }

  package static func noWorkingFolder(_ number: Int32) -> HostError {
    HostError(
      .fileNotFound, "the working folder cannot be determined: \(systemMessage(number))")
  }

  package static func changeable(
    _ what: String, _ path: String, by writers: [String], permission: String
  ) -> HostError {
    HostError(
      .changeableByOthers,
      "the \(what) \(path) can be changed by \(writers.joined(separator: " and ")); "
        + "remove the permission with chmod \(permission)-w \(path)")
  }

  package static func owned(
    _ what: String, _ path: String, by owner: String, caller: String, isRoot: Bool
  ) -> HostError {
    HostError(
      .changeableByOthers,
      isRoot
        ? "the \(what) \(path) belongs to \(owner), who can change it, and this process runs as "
          + "root; run it as \(owner), or give root the \(what) with chown root \(path)"
        : "the \(what) \(path) belongs to \(owner), who can change it; expected \(caller) or root; "
          + "copy it, or take ownership with chown \(caller) \(path)")
  }
}

// Files on the search path. "It" is the file or folder, which the error is about.
extension HostError {
  package static let noSuchFolder = HostError(
    .fileNotFound, "there is no such folder; give one that exists")
  package static let notAFolder = HostError(.fileNotFound, "it is not a folder; give one")
  package static let nameNotUTF8 = HostError(.unreadableFile, "its name is not UTF-8; rename it")
  package static let noSuchFile = HostError(
    .fileNotFound, "there is no such file; give the path of a library")
  package static let brokenSymlink = HostError(
    .fileNotFound, "it is a symlink to a file that does not exist; fix or remove it")
  package static let changedWhileRead = HostError(
    .fileChanged, "it changed while it was read; try again")
  package static let changedWhileLoaded = HostError(
    .fileChanged, "it changed while it was loaded; try again")
  package static let truncatedWhileRead = HostError(
    .fileChanged, "it was truncated while it was read; try again when it is complete")

  package static func unsearchable(_ number: Int32) -> HostError {
    HostError(.fileNotFound, "it cannot be searched: \(systemMessage(number))")
  }

  /// - Parameter verb: "accessed", "opened", "read".
  package static func unreadable(
    _ verb: String, _ number: Int32, _ advice: String = ""
  ) -> HostError {
    HostError(.unreadableFile, "it cannot be \(verb): \(systemMessage(number))\(advice)")
  }

  package static func duplicate(of path: String) -> HostError {
    HostError(
      .duplicateFile, "it is the same file as \(path), found before; keep one of them")
  }

  package static func crashedRepeatedly(
    _ count: Int, _ cause: String, remaining: Int64
  ) -> HostError {
    HostError(
      .crashedRepeatedly,
      "it crashed \(count) times within a minute, most recently by \(cause)",
      .waitForRefusal(seconds: Int(remaining)))
  }

  package static func notCopied(_ number: Int32) -> HostError {
    let (code, advice): (Code, String) =
      switch number {
      case EFBIG: (.unreadableFile, "; raise the limit on the size of files (ulimit -f)")
      case EMFILE: (.systemLimit, "; raise the limit on open files (ulimit -n)")
      case ENOSYS, EPERM:
        (.unreadableFile, "; this system has no files in memory (memfd_create)")
      default: (.unreadableFile, "")
      }
    return HostError(code, "it cannot be copied into memory: \(systemMessage(number))\(advice)")
  }
}

// Library files.
extension HostError {
  package static let emptyFile = HostError(
    .notALibrary, "it is empty; expected an ELF shared library")
  package static let isProgram = notShared("a program, not a library")
  package static let noDynamicSection = HostError(
    .notALibrary, "it has no dynamic section, so it is not a shared library; link it with -shared")
  package static let writableCode = HostError(
    .unsafeLibrary,
    "it has a segment that is both writable and executable, which no engine needs; link it without "
      + "-Wl,-N and without a linker script")
  package static let executableStack = HostError(
    .unsafeLibrary,
    "it needs an executable stack, which no engine gets; link it with -Wl,-z,noexecstack")
  package static let textRelocations = HostError(
    .unsafeLibrary,
    "its code must be changed when it is loaded (DT_TEXTREL); compile it with -fPIC")
  package static let noNote = HostError(
    .missingNote,
    "it has no Tessera note, so it is not an engine library; write TESSERA_NOTE once in its source")
  package static let noNoteInLibrary = HostError(
    .missingNote, "it has no Tessera note; write TESSERA_NOTE once in its source")

  package static func notALibraryFile(_ found: String) -> HostError {
    HostError(.notALibrary, "it is \(found); expected a library file")
  }

  package static func notELF(_ found: String) -> HostError {
    HostError(
      .notALibrary, "it is \(found); expected an ELF shared library, as cc -shared builds one")
  }

  /// - Parameter found: "an object file, not a shared library".
  package static func notShared(_ found: String) -> HostError {
    HostError(.notALibrary, "it is \(found); link it with -shared")
  }

  package static func truncated(_ found: String) -> HostError {
    HostError(.damagedLibrary, "it is truncated: \(found); copy or build it again")
  }

  package static func truncatedSegment(_ count: UInt64, at offset: UInt64, of size: UInt64)
    -> HostError
  {
    truncated("a segment has \(count) bytes at offset \(offset) and the file has \(size)")
  }

  package static func truncatedHeader(_ count: Int, expected: Int) -> HostError {
    truncated("it has \(count) bytes and an ELF header takes \(expected)")
  }

  package static func truncatedFile(_ size: UInt64, expected count: Int, at offset: UInt64)
    -> HostError
  {
    truncated("expected \(count) bytes at offset \(offset), and it has \(size)")
  }

  package static func malformed(_ found: String) -> HostError {
    HostError(.damagedLibrary, "it is malformed: \(found); build it again")
  }

  package static func noSegment(at address: UInt64) -> HostError {
    malformed("no segment holds the address 0x\(String(address, radix: 16))")
  }

  package static let noSymbols = malformed("its dynamic section names no symbols")
  package static let noSymbolHashes = malformed("its symbols have no hash table")

  package static func endlessSymbolChain(limit: some BinaryInteger) -> HostError {
    malformed("more than \(limit) of its symbols share a hash")
  }

  package static func overlongNote(name: some BinaryInteger, data: some BinaryInteger) -> HostError
  {
    malformed("a note of \(name) and \(data) bytes extends past the end of its segment")
  }

  package static func shortNote(_ size: some BinaryInteger, expected: some BinaryInteger)
    -> HostError
  {
    HostError(
      .missingNote,
      "its Tessera note has \(size) bytes of data; expected at least \(expected); write it with "
        + "TESSERA_NOTE")
  }

  package static func oversized(
    _ what: String, _ size: some BinaryInteger, limit: some BinaryInteger
  ) -> HostError {
    HostError(
      .fileTooLarge, "its \(what) have \(size) bytes; expected at most \(limit); build it again")
  }

  package static func tooManySymbols(_ count: some BinaryInteger, limit: some BinaryInteger)
    -> HostError
  {
    HostError(
      .fileTooLarge, "it has \(count) symbols; expected at most \(limit); build it again")
  }

  package static func oversizedFile(_ size: UInt64, limit: UInt64) -> HostError {
    HostError(
      .fileTooLarge, "it has \(size) bytes; expected at most \(limit); reduce its size")
  }

  package static func holes(_ size: UInt64, data: UInt64) -> HostError {
    HostError(
      .fileTooLarge,
      "it has \(size) bytes, of which only \(data) are not holes; expected a file without holes; "
        + "build it again")
  }

  package static func wrongHeaders(
    _ count: some BinaryInteger, of size: some BinaryInteger, limit: some BinaryInteger,
    expected: some BinaryInteger
  ) -> HostError {
    HostError(
      .damagedLibrary,
      "it has \(count) program headers of \(size) bytes; expected 1 to \(limit) of \(expected); build "
        + "it again")
  }

  package static func bigEndian(own: String) -> HostError {
    HostError(.wrongMachine, "it is a big-endian library; this host runs \(own)")
  }

  package static func is32Bit(_ machine: String, own: String) -> HostError {
    HostError(
      .wrongMachine,
      "it is a 32-bit library for \(machine); this host runs 64-bit \(own); build it for that")
  }

  package static func wrongMachine(_ machine: String, own: String) -> HostError {
    HostError(
      .wrongMachine, "it was built for \(machine); this host runs \(own); build it for that")
  }

  package static func unsupportedABI(_ abi: ABIVersion) -> HostError {
    HostError(
      .unsupportedABI,
      "it needs ABI \(abi); this host supports \(supported); "
        + (abi > .current ? "update the host, or build it" : "build it")
        + " with this host's tessera.h")
  }

  package static func unsupportedNote(_ abi: ABIVersion) -> HostError {
    HostError(
      .unsupportedABI, "its note states ABI \(abi); this host supports \(supported)")
  }

  /// The versions that this host supports.
  private static var supported: String {
    let current = ABIVersion.current
    return current.minor == 0 ? "\(current)" : "\(current.major).0 to \(current)"
  }

  package static func missingEntry(_ name: String) -> HostError {
    HostError(
      .missingEntry, "it exports no function \(name); define it with TESSERA_EXPORT before it")
  }

  package static let entryNotExported = HostError(
    .missingEntry, "it exports no tessera_register; export that function")

  package static func rejectedByLoader(_ reason: String) -> HostError {
    HostError(.unresolvedSymbols, "the dynamic loader rejects it: \(reason)")
  }

  package static func registrationFailed(_ reason: String) -> HostError {
    HostError(.registrationFailed, "its registration failed: \(reason)")
  }

  package static let noEngines = HostError(
    .noEngines, "its registration added no engine; call add_engine for each engine")

  package static func tooManyEngines(limit: Int) -> HostError {
    HostError(
      .noEngines,
      "it registers more than \(limit) engines; split them into several libraries")
  }

  package static func noLongerRegistered(_ id: String) -> HostError {
    HostError(.noEngines, "its library no longer registers \(id)")
  }

  package static func noLongerInLibrary(_ id: String) -> HostError {
    HostError(.noEngines, "\(id) is no longer in its library; list it again")
  }

  package static func duplicateID(_ id: String) -> HostError {
    HostError(.duplicateID, "it registers the id \(id) twice; give each engine its own id")
  }

  package static func invalidID(_ id: String) -> HostError {
    HostError(
      .invalidID,
      "the engine id \"\(id)\" is not reverse-DNS; expected something like \"org.example.spiral\"")
  }

  package static func invalidEngineSize(_ found: UInt32, expected: Int) -> HostError {
    HostError(
      .invalidArray,
      "an engine's struct_size is \(found); expected at least \(expected); "
        + "set it to sizeof(tessera_engine)")
  }

  /// - Parameter what: A member that must be zero, or the one with bits that no version defines.
  package static func unknownBits(_ what: String, _ bits: some BinaryInteger) -> HostError {
    HostError(
      .unknownBits,
      "\(what) has \(bits) where the contract has nothing; set it to 0, or update the host")
  }

  package static func invalidTableSize(
    _ id: String, _ found: UInt32, expected: Int
  ) -> HostError {
    HostError(
      .invalidExtension,
      "its table for \(id) has the struct_size \(found); expected exactly \(expected), because a "
        + "table never grows; set it to the sizeof of the table's type")
  }

  package static func incompleteTable(_ id: String, offset: Int) -> HostError {
    HostError(
      .invalidExtension,
      "its table for \(id) has null at the offset \(offset), where the contract has no nullable member; "
        + "set every member")
  }

  package static func missingText(_ what: String) -> HostError {
    HostError(.invalidText, "\(what) is null; the contract requires a text there")
  }

  package static func endlessText(_ what: String, limit: Int) -> HostError {
    HostError(
      .invalidText, "\(what) does not end within \(limit) bytes; end it with a zero byte")
  }

  package static func textNotUTF8(_ what: String) -> HostError {
    HostError(.invalidText, "\(what) is not UTF-8; encode it as UTF-8")
  }
}

// Engines and their bases.
extension HostError {
  package static func ambiguousEngine(_ name: String, _ ids: String) -> HostError {
    HostError(.ambiguousName, "\"\(name)\" may mean \(ids); give the whole id")
  }

  /// - Parameter advice: What to do, unless a remedy says it.
  package static func engineNotFound(
    _ name: String, _ advice: String? = nil, remedy: Remedy? = nil
  ) -> HostError {
    HostError(
      .engineNotFound, "there is no engine \"\(name)\"" + (advice.map { "; \($0)" } ?? ""), remedy)
  }

  package static func notInLibrary(_ path: String, _ ids: [String], isAmbiguous: Bool) -> HostError
  {
    HostError(
      isAmbiguous ? .ambiguousName : .engineNotFound,
      "it holds \(ids.joined(separator: ", ")); name one of them as \(path)#\(ids[0])")
  }

  package static func baseNotFound(_ base: String, of engine: String) -> HostError {
    HostError(
      .baseNotFound,
      "\(engine) is derived from \(base), which is not on the search path; put its library there")
  }

  package static func cyclicBases(_ ids: [String]) -> HostError {
    HostError(
      .cyclicBases,
      "the bases of \(ids[0]) form a cycle: \(ids.joined(separator: " → ")); an engine cannot be its "
        + "own base")
  }

  package static func tooManyBases(of engine: String, limit: Int) -> HostError {
    HostError(
      .cyclicBases,
      "\(engine) has a chain of more than \(limit) bases; derive it from an engine with fewer bases"
    )
  }

  package static func eagerBase(_ base: String, of engine: String) -> HostError {
    HostError(
      .unfitBase,
      "\(engine) is lazy but \(base) in its chain is not; a lazy engine needs lazy bases")
  }

  package static func wrongBaseVersion(
    _ found: String, of base: String, in library: String, for engine: String, wanted: String
  ) -> HostError {
    HostError(
      .unfitBase,
      "\(engine) needs \(base) \(wanted) or newer of the same major version; found \(found) in "
        + library)
  }

  package static func undeclaredDefault(
    _ parameter: String, of engine: String, base: String
  ) -> HostError {
    HostError(
      .unfitBase,
      "\(engine) gives its base \(base) the parameter \(parameter), which the base does not declare"
    )
  }

  package static func unfitDefault(
    _ parameter: String, of engine: String, _ problem: String
  ) -> HostError {
    HostError(
      .unfitBase, "\(engine) gives its base the parameter \(parameter), which \(problem)")
  }

  package static func disagreement(
    _ engine: String, base: String, _ what: String, _ name: String
  ) -> HostError {
    HostError(
      .unfitBase,
      "\(engine) and its base \(base) declare the \(what) \(name) differently; declare it the same "
        + "way, or use another name")
  }
}

// What engines do. The engine is added by `caused(by:)` where it is known.
extension HostError {
  package static func refused(_ reason: String, by engine: String) -> HostError {
    HostError(.refusedByEngine, reason, engine: engine)
  }

  package static func cancelled(_ call: String, of engine: String) -> HostError {
    HostError(.cancelled, call, engine: engine)
  }

  package static func refused(
    _ call: String, withoutReason status: String, by engine: String
  ) -> HostError {
    HostError(
      .refusedWithoutReason, "\(call) returned \(status) without a reason", engine: engine)
  }

  package static func ignoredRefusal(in call: String) -> HostError {
    HostError(
      .invalidStatus, "\(call) went on and returned OK after it was refused rows")
  }

  package static func invalidStatus(_ status: Int32, from call: String) -> HostError {
    HostError(
      .invalidStatus, "\(call) returned the status \(status), which is not allowed here")
  }

  package static let missingContentSize = HostError(
    .invalidContentSize,
    "prepare returned without calling set_content_size; call it with the size of the content")

  package static func invalidContentSize(_ size: Size) -> HostError {
    HostError(
      .invalidContentSize,
      "prepare set the content size \(Value.size(size)); expected finite numbers, 0 or more")
  }

  package static func lazyRows(_ count: Int) -> HostError {
    HostError(.lazyRows, "it declares that it is lazy, but prepare added \(count) rows")
  }

  /// - Parameter element: "cell 3 of section 0".
  package static func invalidElement(
    _ code: Code, _ element: String, _ found: String, expected: String
  ) -> HostError {
    HostError(code, "it gave \(element) \(found); expected \(expected)")
  }

  package static func elementTwice(_ element: String) -> HostError {
    HostError(.elementTwice, "it added \(element) twice; each element has one row")
  }

  package static func movedRow(_ element: String, among count: Int) -> HostError {
    HostError(
      .movedRow,
      "it said that it left \(element) or one of the \(count) after it as they were, but a frame "
        + "differs; call leave only for rows that prepare does not change")
  }

  package static func rejected(_ code: Code, _ what: String, in call: String) -> HostError {
    HostError(code, "it \(what) (in \(call))")
  }

  package static let invalidRestingOffset = HostError(
    .invalidRestingOffset,
    "resting_offset returned a point that is not finite; return finite numbers")

  package static func targetOutOfRange(
    _ item: some CustomStringConvertible, section: some CustomStringConvertible
  ) -> HostError {
    HostError(
      .targetOutOfRange,
      "it returned the target item \(item) of section \(section), which does not exist")
  }

  /// - Parameter what: "the estimate" or "the proposal".
  package static func invalidSize(_ what: String, _ size: Size, of element: String) -> HostError {
    HostError(
      .invalidSizing, "\(what) of \(element) is \(Value.size(size)); expected 0 or more")
  }

  package static func wrongSizeCount(
    _ count: UInt64, from function: String, elements: Int
  ) -> HostError {
    HostError(
      .invalidSizing,
      "\(function) gave \(count) sizes for \(elements) elements; expected as many, or one for all")
  }

  package static let changedDescription = HostError(
    .changedDescription,
    "its description differs from the one it was listed with; an engine must register the same "
      + "description each time")

  package static func missingContext(_ function: String) -> HostError {
    HostError(
      .missingContext,
      "\(function) was called without its context; pass the context of its tessera_function first")
  }

  package static func wrongArgument(
    _ place: Int, of function: String, is found: ValueType, expected: ValueType
  ) -> HostError {
    HostError(
      .invalidArgument, "argument \(place) of \(function) is a \(found); expected \(expected)")
  }

  package static func uncallable(_ signature: Signature) -> HostError {
    HostError(
      .unsupportedSignature,
      "functions of the signature \(signature) cannot be called on this system; declare another "
        + "signature")
  }

  package static func uncreatable(_ name: String, _ signature: Signature) -> HostError {
    HostError(
      .unsupportedSignature,
      "\(name): functions of the signature \(signature) cannot be created on this system")
  }

  package static let noExecutableMemory = HostError(
    .unsupportedSignature,
    "the system provides no executable memory, which delegate functions need; allow it, or set no "
      + "delegate functions")
}

// The engine's process, and what its messages hold.
extension HostError {
  package static func died(
    _ code: Code, _ call: String, _ asked: String?, signal: Int32?,
    _ sentence: (_ call: String) -> String, printed: String?, _ remedy: Remedy?, engine: String
  ) -> HostError {
    let printed = printed.map { "; it printed \"\($0)\"" } ?? ""
    return HostError(
      code, sentence(asked ?? call) + printed, remedy, engine: engine,
      death: Death(call: call, asked: asked ?? call, signal: signal, sentence: sentence(call)))
  }

  package static func invalidAnswer(
    _ sentence: String, _ code: Code = .invalidAnswer
  ) -> HostError {
    HostError(code, "its answer \(sentence); it is not used")
  }

  package static func invalidRun(_ found: String) -> HostError {
    HostError(
      .invalidAnswer, "its process returned \(found), which is invalid; it is not used")
  }

  package static func overlongMessage(_ count: Int, limit: Int) -> HostError {
    HostError(.invalidAnswer, "its message has \(count) bytes; the maximum is \(limit)")
  }

  package static func rejectedQuestion(_ reason: String) -> HostError {
    HostError(.invalidAnswer, "its process rejected the question: \(reason)")
  }

  package static func failedWithHostError(_ sentence: String) -> HostError {
    HostError(.invalidAnswer, "its process failed with an error of the host: \(sentence)")
  }

  package static func protocolMismatch(
    worker: some CustomStringConvertible, host: some CustomStringConvertible
  ) -> HostError {
    HostError(
      .protocolMismatch,
      "the worker uses version \(worker) of the protocol and the host \(host); install both from the "
        + "same release")
  }

  package static func workerNotFound(
    _ name: String, which purpose: String, in folders: [String]
  ) -> HostError {
    HostError(
      .workerNotFound,
      "\(name), which \(purpose), is not in \(folders.joined(separator: " or "))", .locateWorker)
  }

  package static func workerNotStarted(_ program: String, _ number: Int32) -> HostError {
    let sentence = "the worker \(program) cannot be started: \(systemMessage(number))"
    return switch number {
    case EMFILE, ENFILE:
      HostError(.systemLimit, "\(sentence); raise the limit on open files (ulimit -n)")
    case EAGAIN:
      HostError(
        .systemLimit,
        "\(sentence); raise the limits on processes and on memory (ulimit -u, -v and -d)")
    case ENOMEM:
      HostError(.systemLimit, "\(sentence); raise the limit on memory (ulimit -v)")
    default: HostError(.workerNotStarted, sentence, .locateWorker)
    }
  }

  package static func workerEnded(
    _ program: String, _ reason: String, printed: String?
  ) -> HostError {
    HostError(
      .wrongWorker,
      "the worker \(program) \(reason) before it loaded a library"
        + (printed.map { ", printing \"\($0)\"" } ?? "")
        + "; install the one of this host's release")
  }

  package static func incompleteSandbox(_ grade: some CustomStringConvertible) -> HostError {
    HostError(
      .incompleteSandbox, "the sandbox must be full here, and is \(grade)", .diagnoseMachine)
  }

  package static func sandboxNotEntered(_ step: String, _ number: Int32) -> HostError {
    HostError(
      .incompleteSandbox,
      "the sandbox cannot be entered: \(step) failed: \(systemMessage(number))", .diagnoseMachine)
  }

  package static func missingFilters(found: Int32) -> HostError {
    HostError(
      .incompleteSandbox,
      "its process does not have the filters of the sandbox (found \(found)); it is not used",
      .diagnoseMachine)
  }

  package static func codeNotForbidden(_ number: Int32) -> HostError {
    HostError(.incompleteSandbox, "new code cannot be forbidden: \(systemMessage(number))")
  }

  package static func notAHost(descriptor: Int32) -> HostError {
    HostError(.workerNotStarted, "descriptor \(descriptor) is not the memory of a host")
  }

  package static let notAnExaminer = HostError(
    .notExamined, "this worker examines no engines; start tessera-worker")

  package static let forkedSession = HostError(
    .forkedSession,
    "the session belongs to the process that this one was forked from; create another here")

  package static let forkedEngines = HostError(
    .forkedSession,
    "the engines belong to the process that this one was forked from; create others here")

  package static let noBatchPart = HostError(
    .wrongState,
    "no layout of a batch is being measured; ask from the function that measures, during a batch")

  package static func staleAttribute(_ number: UInt32) -> HostError {
    HostError(
      .staleNumber,
      "attribute \(number) was looked up before the library was replaced; look it up again")
  }

  package static func noMemory(for count: Int, size: Int) -> HostError {
    HostError(
      .systemLimit,
      "there is no memory for \(count) values of \(counted(size, "byte")); raise the limits on address "
        + "space and on data (ulimit -v and -d), or give fewer")
  }

  package static func noAddressSpace(rows: Int) -> HostError {
    HostError(
      .systemLimit,
      "there is no address space for \(rows) rows; raise the limit on it (ulimit -v), or lower the "
        + "row limit")
  }

  package static func noSharedMemory(_ byteCount: Int, _ number: Int32) -> HostError {
    switch number {
    case EFBIG:
      HostError(
        .systemLimit,
        "the system cannot share \(byteCount) bytes of memory with a worker, because the size of files "
          + "is limited; raise the limit (ulimit -f)")
    case EMFILE:
      HostError(
        .systemLimit,
        "the system cannot share memory with a worker: \(systemMessage(number)); raise the limit on "
          + "open files (ulimit -n)")
    default:
      HostError(
        .systemLimit,
        "the system cannot share \(byteCount) bytes of address space with a worker: "
          + "\(systemMessage(number)); raise the limits on address space and on data (ulimit -v "
          + "and -d)")
    }
  }
}
