import TesseraExamination
import TesseraHost

let functionCases: [ConformanceCase] = [
  ConformanceCase(
    "functions-take-any-arguments", .functions,
    rule: "Published functions return for any arguments, and do not change the layout",
    why: "Programs compute arguments from old data, and a wrong number must not end the engine",
    remedy:
      "Check every argument before using it as an index; otherwise report why there is no answer, and "
      + "return zeros", needs: .functions, samples: .few, owns: [.invalidResult]
  ) { trial in
    let session = try trial.session()
    let expected = try LayoutImage(session)
    let calls = try trial.calls(trial.sample, extreme: true)
    for call in calls where trial.hasTime {
      do throws(HostError) { _ = try trial.call(session, call.name, call.arguments) } catch {
        switch error.kind {
        case .refused, .invalidInput: break
        case .brokenContract where error.code != .invalidResult: break
        default: throw error
        }
      }
    }
    try trial.requireSame(LayoutImage(session), as: expected, "as before the functions were called")
    try trial.change(session, to: trial.sample)
    try trial.requireSame(
      LayoutImage(session), as: expected, "when prepared again after the functions were called")
  },
  ConformanceCase(
    "functions-answer-alike", .functions,
    rule:
      "Published functions return the same for the same arguments, in any order, until something changes",
    why: "A program may ask twice, and trusts both answers",
    remedy:
      "Calculate from what prepare left, and change nothing of that; keep nothing of earlier questions, least "
      + "of all in static variables", needs: .functions, samples: .few
  ) { trial in
    let session = try trial.session()
    _ = try session.elements()
    let calls = try trial.calls(trial.sample, extreme: true)
    let first = try calls.map { call throws(HostError) in try trial.answer(session, call) }
    for (call, answer) in zip(calls, first).reversed() where trial.hasTime {
      try trial.require(
        call, returns: answer, "the second time", try trial.answer(session, call),
        "as the first time")
    }
    // A cache may break only earlier answers, hence the farthest item first.
    for isAcross in [false, true] {
      let other = try trial.sessionInNewProcess(for: trial.sample)
      guard try trial.isLaidOut(other) else { return }
      func distance(_ arguments: [Value]) -> Double {
        let numbers = arguments.flatMap(\.numbers)
        return (isAcross ? numbers.first : numbers.last) ?? 0
      }
      let farthest = zip(calls, first).sorted {
        distance($0.0.arguments) > distance($1.0.arguments)
      }
      for (call, answer) in farthest where trial.hasTime {
        try trial.require(
          call, returns: answer, "in another order, in a new process",
          try trial.answer(other, call), "as asked in order")
      }
    }
  },
  ConformanceCase(
    "functions-answer-in-every-section", .functions,
    rule:
      "A function that finds the items of two sections finds them in any sections, empty ones among "
      + "them, and none that do not exist",
    why: "A program shows or removes the item that it is told, which is then another one, or none",
    remedy:
      "Look sections up by their number in the input, and treat the item right after the last one of a "
      + "section as one that does not exist", needs: .functions,
    samples: .counts([20], [3, 0, 5], [0, 4], [1, 0, 0, 6]), examine: answersInEverySection),
  ConformanceCase(
    "functions-report-no-answer", .functions,
    rule: "A function that has no answer for its arguments reports why",
    why: "A program takes zeros for a place, and scrolls to the beginning",
    remedy:
      "Report a failure status and a reason through the host before returning zeros, such as "
      + "TESSERA_ERROR_NOT_FOUND for an item that does not exist",
    needs: .functions, examine: reportsNoAnswer),
  ConformanceCase(
    "functions-answer-for-the-present", .functions,
    rule: "After any change, published functions return the same as for a new layout",
    why: "An answer about old data is wrong without looking wrong",
    remedy: "Calculate answers from what the last prepare left; forget it all in the next prepare",
    needs: .functions, samples: .usual.changed { $1.fillValues(&$0) },
    examine: answersForThePresent),
  ConformanceCase(
    "functions-answer-mirrored", .functions,
    rule:
      "Right to left, published functions return the mirror of what they return left to right for the "
      + "mirrored arguments",
    why: "A program asks what is at the place that the user touched, as it is seen",
    remedy:
      "Ignore right_to_left in published functions too, since the host mirrors their points, rects and "
      + "insets", needs: .functions.and(.trait(.mirrors)), samples: .leftToRight,
    examine: answersMirrored),
  ConformanceCase(
    "functions-layouts-share-nothing", .functions,
    rule: "Published functions return the same whatever other layouts the process has or had",
    why: "A screen shows several collections, and each asks about its own layout",
    remedy: "Use the layout that is the function's first argument, never a static variable",
    needs: .functions, samples: .few
  ) { trial in
    if try trial.engine.hasOwnProcess {
      try trial.requireNoProblem(
        .publishedFunctions, with: [trial.companion, trial.otherData],
        expected: "the same from each layout as without other layouts")
    }
    let alone = try trial.sessionInNewProcess(for: trial.sample)
    let later = try trial.sessionInNewProcess(for: trial.companion)
    guard try trial.isLaidOut(alone), try trial.isLaidOut(later) else { return }
    for call in try trial.calls(trial.companion) { _ = try trial.answer(later, call) }
    try later.renew()
    try trial.change(later, to: trial.sample)
    _ = try later.elements()
    for call in try trial.calls(trial.sample) where trial.hasTime {
      try trial.require(
        call, returns: try trial.answer(alone, call), "after another layout",
        try trial.answer(later, call), "as in a process without other layouts")
    }
  },
]

@Sendable private func answersInEverySection(_ trial: Trial) throws {
  for function in try trial.engine.publishedFunctions {
    let signature = try function.parsedSignature
    if let wrong = try trial.missingAnswer(of: function, signature) { throw wrong }
    let isPlace = signature.result == .point || signature.result == .rect
    let known = LayoutInput(counts: isPlace ? [11] : [6, 5])
    guard try trial.wrongAnswer(of: function, signature, in: known, behind: false) == nil,
      let wrong = try trial.wrongAnswer(of: function, signature, in: trial.sample, behind: true)
    else { continue }
    throw wrong
  }
}

extension Trial {
  fileprivate func answer(
    _ session: Session, _ name: String, _ arguments: [Value]
  ) throws(HostError) -> Value? {
    do throws(HostError) { return try call(session, name, arguments) } catch {
      guard error.kind != .died else { throw error }
      return nil
    }
  }

  /// A section whose items get no answer although the other section's items do, or nil.
  fileprivate func missingAnswer(
    of function: FunctionDescription, _ signature: Signature
  ) throws -> Violation? {
    let isOfItem = signature.arguments.count == 2 && signature.takesTwoIndexes
    guard isOfItem || signature.arguments == [.point] && signature.result.isWhole else {
      return nil
    }
    let session = try freshSession(for: LayoutInput(counts: [6, 5]))
    guard try isLaidOut(session) else { return nil }
    var calls: [[(call: String, isAnswered: Bool)]] = [[], []]
    for cell in try session.elements() where cell.identity.category == .cell {
      let (section, item, frame) = (cell.identity.section, cell.identity.item, cell.frame)
      if !isOfItem, frame.width <= 0 || frame.height <= 0 { continue }
      let middle = Point(x: frame.x + frame.width / 2, y: frame.y + frame.height / 2)
      let arguments = isOfItem ? signature.arguments(of: section, item) : [.point(middle)]
      let found = try answer(session, function.name, arguments)
      calls[section].append(
        (
          callText(function.name, arguments),
          found.map { !signature.result.isWhole || ($0.numbers.first ?? 0) >= 0 } ?? false
        ))
    }
    for (section, other) in [(1, 0), (0, 1)] {
      guard let missing = calls[section].first, !calls[section].contains(where: \.isAnswered),
        !calls[other].isEmpty, calls[other].allSatisfy(\.isAnswered)
      else { continue }
      return Violation(
        expected: "an answer from \(missing.call), as for each item of section \(other)",
        found: "none, and none for any item of section \(section)")
    }
    return nil
  }

  /// The first wrong mapping between items and places; `behind` also asks for missing items.
  fileprivate func wrongAnswer(
    of function: FunctionDescription, _ signature: Signature, in sample: LayoutInput, behind: Bool
  ) throws -> Violation? {
    let session = try freshSession(for: sample)
    let cells = try session.elements().filter { $0.identity.category == .cell }
    func result(_ arguments: [Value]) throws(HostError) -> Value? {
      try answer(session, function.name, arguments)
    }
    if signature.arguments.count == 2, signature.takesTwoIndexes {
      return try wrongAnswer(
        about: cells, behind ? sample.counts : [], function.name, signature, result)
    }
    guard signature.arguments == [.point], signature.result.isWhole else { return nil }
    let starts = sample.starts
    var content = Size.zero
    for cell in cells where cell.frame.width > 0 && cell.frame.height > 0 {
      let place = starts[cell.identity.section] + cell.identity.item
      let middle = Point(
        x: cell.frame.x + cell.frame.width / 2, y: cell.frame.y + cell.frame.height / 2)
      content.width = max(content.width, cell.frame.maxX)
      content.height = max(content.height, cell.frame.maxY)
      guard let found = try result([.point(middle)]), found.numbers.first == Double(place) else {
        return Violation(
          expected:
            "\(place) from \(callText(function.name, [.point(middle)])), the middle of \(cell.identity)",
          found: try result([.point(middle)])?.description ?? "no answer")
      }
    }
    for cell in cells where behind {
      for point in [
        Point(x: content.width + 40, y: cell.frame.y),
        Point(x: cell.frame.x, y: content.height + 40),
      ] {
        guard let found = try result([.point(point)]), let number = found.numbers.first,
          number >= Double(sample.itemCount)
        else { continue }
        return Violation(
          expected:
            "an item below \(sample.itemCount) or none from \(callText(function.name, [.point(point)]))",
          found: "\(found)")
      }
    }
    return nil
  }

  /// Expects a point in the cell, a non-negative integer, or another number; past the last item,
  /// the answer for an item far behind.
  private func wrongAnswer(
    about cells: [Element], _ counts: [Int], _ name: String, _ signature: Signature,
    _ result: ([Value]) throws(HostError) -> Value?
  ) throws -> Violation? {
    let isPlace = signature.result == .point || signature.result == .rect
    let isMeasure = signature.result.isMeasure
    guard isPlace || isMeasure || signature.result.isWhole else { return nil }
    for cell in cells {
      let (section, item) = (cell.identity.section, cell.identity.item)
      let found = try result(signature.arguments(of: section, item))
      let numbers = found?.numbers ?? []
      let (expected, isSound): (String, Bool)
      if isMeasure {
        (expected, isSound) = ("a number", found != nil)
      } else if isPlace {
        let (x, y) = (numbers.first ?? .nan, numbers.dropFirst().first ?? .nan)
        let frame = cell.frame
        expected = "a place in the frame of \(cell.identity), \(frame.text),"
        isSound =
          x >= frame.minX - 1e-6 && x <= frame.maxX + 1e-6 && y >= frame.minY - 1e-6
          && y <= frame.maxY + 1e-6
      } else {
        (expected, isSound) = ("0 or more", (numbers.first ?? -1) >= 0)
      }
      guard isSound else {
        return Violation(
          expected: "\(expected) from \(callText(name, signature.arguments(of: section, item)))",
          found: found?.description ?? "no answer")
      }
    }
    for (section, count) in counts.enumerated() {
      let far = try [1000, 1_000_003].map {
        try result(signature.arguments(of: section, count + $0))
      }
      // Such a function has no value for "none".
      let isNone = far[0].map { !isPlace && !isMeasure && $0.numbers[0] < 0 } ?? true
      guard far[0] == far[1], isNone else { continue }
      let next = try result(signature.arguments(of: section, count))
      guard next != far[0] else { continue }
      let call = callText(name, signature.arguments(of: section, count))
      return Violation(
        expected:
          "\(far[0]?.description ?? "no answer") from \(call), as for all items that do not "
          + "exist", found: next?.description ?? "no answer")
    }
    return nil
  }
}

extension Signature {
  fileprivate func arguments(of section: Int, _ item: Int) -> [Value] {
    zip(arguments, [section, item]).map {
      Value.integer(Int64($1)).converted(to: $0) ?? .integer(0)
    }
  }
}

@Sendable private func reportsNoAnswer(_ trial: Trial) throws {
  let session = try trial.freshSession(for: LayoutInput(counts: [6, 5]))
  let larger = try trial.freshSession(for: LayoutInput(counts: Array(repeating: 12, count: 12)))
  guard try trial.isLaidOut(session), try trial.isLaidOut(larger) else { return }
  for function in try trial.engine.publishedFunctions {
    let signature = try function.parsedSignature
    let types = signature.arguments
    guard !types.isEmpty, types.allSatisfy(\.isWhole) else { continue }
    let zeros = types.compactMap { Value.integer(0).converted(to: $0) }
    guard zeros.count == types.count, let known = try trial.answer(session, function.name, zeros),
      session.warnings.isEmpty
    else { continue }
    let isPlace = signature.result.isVector && known.numbers.contains { $0 != 0 }
    for place in types.indices {
      for number: Int64 in [-1, 1_000_003, 1 << 40, 11] {
        guard let value = Value.integer(number).converted(to: types[place]) else { continue }
        var arguments = zeros
        arguments[place] = value
        guard let found = try trial.answer(session, function.name, arguments)?.numbers,
          found.allSatisfy({ $0 == 0 })
        else { continue }
        if let report = session.warnings.first {
          throw Violation(
            expected: "a failure status with the report of \(callText(function.name, arguments))",
            found: "TESSERA_OK with \"\(report)\"")
        }
        let isMissing =
          try number == 11 && signature.result.isMeasure
          && trial.answer(larger, function.name, arguments)?.numbers.contains { $0 != 0 } == true
        guard isPlace || isMissing else { continue }
        let result = isPlace ? "a place" : "a number"
        throw Violation(
          expected:
            "\(result) from \(callText(function.name, arguments)), or a reason why there is none",
          found: "\(isPlace ? "zeros" : "0") without a reason")
      }
    }
  }
}

extension ValueType {
  fileprivate var isMeasure: Bool { self == .number || self == .f32 }
}

@Sendable private func answersForThePresent(_ trial: Trial) throws {
  let session = try trial.session()
  _ = try session.elements()
  // Gives a stale cache the chance to answer.
  for call in try trial.calls(trial.sample) { _ = try trial.answer(session, call) }
  var sampling = try trial.sampling()
  var current = trial.sample
  for number in 0..<5 where trial.hasTime {
    let next =
      number == 0
      ? SampleStep(halvingItemsOf: current) : try SampleStep.random(from: current, &sampling)
    guard let step = next else { continue }
    guard try trial.accepts(step, session) else { return }
    current = step.after
    current.offset = session.offset
    let fresh = try trial.freshSession(for: current)
    guard try trial.isLaidOut(session), try trial.isLaidOut(fresh) else { continue }
    for call in try trial.calls(current) where trial.hasTime {
      try trial.require(
        call, returns: try trial.answer(fresh, call), "after \(step.name)",
        try trial.answer(session, call), "as for a new layout")
    }
  }
}

@Sendable private func answersMirrored(_ trial: Trial) throws {
  let width = try trial.contentSize().width
  let (sample, other) = trial.sample.mirrorImages(
    contentWidth: width, try trial.engine.delegateFunctions)
  let (left, right) = (try trial.freshSession(for: sample), try trial.freshSession(for: other))
  guard try trial.isLaidOut(left), try trial.isLaidOut(right) else { return }
  // The host doesn't mirror bare numbers; the engine converts them itself.
  let functions = try trial.engine.publishedFunctions.filter {
    guard let signature = try? $0.parsedSignature else { return false }
    return !([signature.result] + signature.arguments).contains(where: \.isMeasure)
  }
  for call in try trial.calls(sample)
  where trial.hasTime && functions.contains(where: { $0.name == call.name }) {
    // Mirroring rounds; left to right, the engine gets the mirrored arguments exactly.
    let seen = (call.name, call.arguments.map { $0.seenMirrored(in: width) })
    let given = (call.name, seen.1.map { $0.seenMirrored(in: width) })
    let answer = try? trial.call(left, given.0, given.1)
    let expected = try answer?.seenMirrored(in: width).description ?? trial.answer(left, given)
    try trial.require(
      seen, returns: expected, "right to left", try trial.answer(right, seen),
      "the mirror of the layout from left to right")
  }
}

extension Trial {
  fileprivate func calls(
    _ sample: LayoutInput, extreme: Bool = false
  ) throws(HostError) -> [PublishedCall] {
    try engine.publishedFunctions.calls(counts: sample.counts, extreme: extreme)
  }

  /// Throws `.died` if the engine's process ends.
  fileprivate func answer(
    _ session: Session, _ call: PublishedCall
  ) throws(HostError) -> String {
    do throws(HostError) {
      return try self.call(session, call.name, call.arguments).description
    } catch {
      switch error.kind {
      case .refused, .brokenContract, .invalidInput: return "the error \"\(error.message)\""
      default: throw error
      }
    }
  }

  fileprivate func require(
    _ call: PublishedCall, returns expected: String, _ when: String, _ found: String,
    _ context: String
  ) throws(Violation) {
    let text = callText(call.name, call.arguments)
    try require(
      expected == found, expected: "\(expected) from \(text), \(context)", found: "\(found) \(when)"
    )
  }
}
