import TesseraGeometry

extension HostError {
  package static func invalidValue(
    _ name: String, _ problem: String, _ code: Code = .invalidValue
  ) -> HostError { HostError(code, "\(name) \(problem)") }

  package static func invalidValue(
    _ name: String, is found: some CustomStringConvertible, expected: String
  ) -> HostError { HostError(.invalidValue, "\(name) is \(found); expected \(expected)") }

  package static func wrongType(
    _ name: String, is found: ValueType, expected: ValueType
  ) -> HostError {
    HostError(.invalidValue, "\(name) has values of type \(found.name); expected \(expected.name)")
  }

  package static func unknownName(
    _ name: String, _ noun: String, of engine: String, known: [String]
  ) -> HostError {
    HostError(
      .unknownName,
      "\(engine) has no \(noun) \"\(name)\"; \(suggestedName(for: name, among: known))")
  }

  package static func notFinite(_ what: String, _ value: Value) -> HostError {
    HostError(.invalidValue, "the \(what) \(value) is not finite; give numbers")
  }

  /// `subject` is such as "pointAt returned".
  package static func noMirrorImage(
    _ code: Code, _ subject: String, _ value: Value, in width: Double
  ) -> HostError {
    HostError(
      code,
      "\(subject) \(value), whose mirror image in content \(width.shortText) wide is not "
        + "finite; give one nearer to the content")
  }

  package static func noItem(_ item: Int, inSection section: Int, of counts: [Int]) -> HostError {
    let there =
      counts.indices.contains(section)
      ? "which has \(counted(counts[section], "item", none: "no"))"
      : "but only \(counted(counts.count, "section", none: "no"))"
    return HostError(
      .invalidValue,
      "there is no item \(item) in section \(section), \(there); give one that exists")
  }

  package static func noRoom(
    _ engine: String, capacity: Int, _ remedy: Remedy = .allowMoreRows
  ) -> HostError {
    HostError(.tooManyRows, "has more than \(capacity) rows for this", remedy, engine: engine)
  }
}

// "It" is the file or folder.
extension HostError {
  package static let notAFolder = HostError(.fileNotFound, "it is not a folder; give one")

  package static func unsearchable(_ number: Int32) -> HostError {
    HostError(.fileNotFound, "it cannot be searched: \(systemMessage(number))")
  }

  /// - Parameter verb: "accessed", "opened", "read".
  package static func unreadable(
    _ verb: String, _ number: Int32, _ advice: String = ""
  ) -> HostError {
    HostError(.unreadableFile, "it cannot be \(verb): \(systemMessage(number))\(advice)")
  }
}

extension HostError {
  package static func unknownBits(_ what: String, _ bits: some BinaryInteger) -> HostError {
    HostError(
      .unknownBits,
      "\(what) has \(bits) where the contract has nothing; set it to 0, or update the host")
  }

  package static func cancelled(_ call: String, of engine: String) -> HostError {
    HostError(.cancelled, call, engine: engine)
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
}

extension HostError {
  package static func incompleteSandbox(_ grade: some CustomStringConvertible) -> HostError {
    HostError(
      .incompleteSandbox, "the sandbox must be full here, and is \(grade)", .diagnoseMachine)
  }

  package static let forkedSession = HostError(
    .forkedSession,
    "the session belongs to the process that this one was forked from; create another here")

  package static func noMemory(for count: Int, size: Int) -> HostError {
    HostError(
      .systemLimit,
      "there is no memory for \(count) values of \(counted(size, "byte")); raise the limits on "
        + "address space and on data (ulimit -v and -d), or give fewer")
  }

  package static func noAddressSpace(rows: Int) -> HostError {
    HostError(
      .systemLimit,
      "there is no address space for \(rows) rows; raise the limit on it (ulimit -v), or lower the "
        + "row limit")
  }
}
