import TesseraExamination
import TesseraHost

/// Cases about the functions that an engine publishes.
let functionCases: [ConformanceCase] = [
  ConformanceCase(
    "functions-take-any-arguments", .functions,
    rule: "Published functions return for any arguments, and do not change the layout",
    why: "Programs compute arguments from old data, and a wrong number must not end the engine",
    remedy:
      "Check every argument before using it as an index, and return a number that means nothing",
    needs: .functions, samples: .few
  ) { trial in
    let session = try trial.session()
    let expected = try LayoutImage(session)
    let calls = try trial.calls(trial.sample, extreme: true)
    for call in calls where trial.hasTime { _ = try trial.answer(session, call) }
    try trial.requireSame(LayoutImage(session), as: expected, "as before the functions were called")
    try trial.change(session, to: trial.sample)
    try trial.requireSame(
      LayoutImage(session), as: expected, "when prepared again after the functions were called")
  },
  ConformanceCase(
    "functions-answer-alike", .functions,
    rule: "Published functions return the same for the same arguments, until something changes",
    why: "A program may ask twice, and trusts both answers",
    remedy: "Calculate from what prepare left, and change nothing of that",
    needs: .functions, samples: .few
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
  },
  ConformanceCase(
    "functions-answer-for-the-present", .functions,
    rule: "After any change, published functions return the same as for a new layout",
    why: "An answer about old data is wrong without looking wrong",
    remedy: "Calculate answers from what the last prepare left; forget it all in the next prepare",
    needs: .functions, samples: .usual { sample, sampling in sampling.fillValues(&sample) },
    examine: answersForThePresent),
  ConformanceCase(
    "functions-answer-mirrored", .functions,
    rule:
      "Right to left, published functions return the mirror of what they return left to right for the "
      + "mirrored arguments",
    why: "A program asks what is at the place that the user touched, as it is seen",
    remedy:
      "Ignore right_to_left in published functions too, since the host mirrors their points, rects and "
      + "insets",
    needs: .functions.and(.trait(.mirrors)),
    samples: .usual { sample, _ in sample.direction = .leftToRight }, examine: answersMirrored),
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
    for call in try trial.calls(trial.companion) {
      _ = try trial.answer(later, call)
    }
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

/// Changes a layout, and compares the answers with those of a new one.
@Sendable private func answersForThePresent(_ trial: Trial) throws {
  let session = try trial.session()
  _ = try session.elements()
  // An answer that is kept should be one of before the change.
  for call in try trial.calls(trial.sample) {
    _ = try trial.answer(session, call)
  }
  var sampling = try trial.sampling()
  var current = trial.sample
  for _ in 0..<4 where trial.hasTime {
    guard let step = try SampleStep(from: current, &sampling) else { continue }
    do throws(HostError) { try step.apply(to: session) } catch {
      guard error.kind != .refused else { return }
      guard error.kind == .brokenContract else { throw error }
    }
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

/// Compares the answers of a layout with those of its mirror image.
@Sendable private func answersMirrored(_ trial: Trial) throws {
  let width = try trial.contentSize().width
  let (sample, other) = trial.sample.mirrorImages(contentWidth: width)
  let (left, right) = (try trial.freshSession(for: sample), try trial.freshSession(for: other))
  guard try trial.isLaidOut(left), try trial.isLaidOut(right) else { return }
  // A bare number can be a position, which the host does not mirror: the engine converts it itself.
  let functions = try trial.engine.publishedFunctions.filter {
    guard let signature = try? $0.parsedSignature else { return false }
    return !([signature.result] + signature.arguments).contains { $0 == .number || $0 == .f32 }
  }
  for call in try trial.calls(sample)
  where trial.hasTime && functions.contains(where: { $0.name == call.name }) {
    // Mirroring rounds: left to right, the engine gets the very arguments that the host mirrors back.
    let seen = (call.name, call.arguments.map { $0.seenMirrored(in: width) })
    let given = (call.name, seen.1.map { $0.seenMirrored(in: width) })
    let answer = try? trial.call(left, given.0, given.1)
    let expected =
      try answer?.seenMirrored(in: width).description ?? trial.answer(left, given)
    try trial.require(
      seen, returns: expected, "right to left", try trial.answer(right, seen),
      "the mirror of the layout from left to right")
  }
}

extension Value {
  /// The value as it is seen where a layout is mirrored, by the rules of the contract.
  fileprivate func seenMirrored(in width: Double) -> Value {
    if let point = Point(self) { return .point(Point(x: width - point.x, y: point.y)) }
    if let rect = Rect(self) {
      return .rect(
        Rect(x: width - rect.x - rect.width, y: rect.y, width: rect.width, height: rect.height))
    }
    guard let insets = Insets(self) else { return self }
    return .insets(
      Insets(top: insets.top, left: insets.right, bottom: insets.bottom, right: insets.left))
  }
}

extension Trial {
  /// Calls of all published functions.
  ///
  /// - Parameter extreme: Whether to add calls with arguments at the limits of their types.
  fileprivate func calls(
    _ sample: LayoutInput, extreme: Bool = false
  ) throws(HostError) -> [(name: String, arguments: [Value])] {
    var calls: [(name: String, arguments: [Value])] = []
    for function in try engine.publishedFunctions {
      let signature = try function.parsedSignature
      var lists = signature.validArguments(counts: sample.counts)
      if extreme { lists += signature.extremeArguments(counts: sample.counts) }
      calls += lists.map { (function.name, $0) }
    }
    return calls
  }

  /// The result of a call, or why the engine gives none.
  ///
  /// - Throws: `.died` if the call ends the engine's process.
  fileprivate func answer(
    _ session: Session, _ call: (name: String, arguments: [Value])
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

  /// Throws if a call returned something else than expected.
  fileprivate func require(
    _ call: (name: String, arguments: [Value]), returns expected: String, _ when: String,
    _ found: String, _ context: String
  ) throws(Violation) {
    let text = callText(call.name, call.arguments)
    try require(
      expected == found, expected: "\(expected) from \(text), \(context)", found: "\(found) \(when)"
    )
  }
}
