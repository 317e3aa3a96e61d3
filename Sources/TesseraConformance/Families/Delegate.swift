import TesseraHost

/// What an engine is given beside parameters: values of sections and items, and functions.
let delegateCases: [ConformanceCase] = [
  ConformanceCase(
    "delegate-functions-are-called", .delegate,
    rule: "Every delegate function is called with its context in some layout",
    why: "An answer that nobody asks for is a promise that is not kept",
    remedy: "Call what `functions` holds, with its context first, or do not declare it",
    needs: .delegate, owns: { $0.message.holds("called without its context") },
    examineOnce: everyFunctionIsCalled),
  ConformanceCase(
    "delegate-absent-is-fallback", .delegate,
    rule: "Without delegate functions a layout is the same, whether there were any before or not",
    why: "What answered may go away, and what is documented for its absence then holds",
    remedy: "Ask in every prepare whether `call` is null, and keep no answer",
    needs: .delegate, samples: .usual { sample, _ in sample.delegate = [:] }
  ) { trial in
    try trial.requireLayout()
    let expected = try trial.image()
    let session = try trial.freshSession(for: trial.sample)
    _ = try trial.answer(session, adding: 1)
    guard (try? session.elements()) != nil else { return }
    for function in try trial.engine.delegateFunctions {
      try session.setDelegate(function.name, nil)
    }
    try trial.requireSame(LayoutImage(session), as: expected, "as if no function ever answered")
  },
  ConformanceCase(
    "delegate-answers-change", .delegate,
    rule: "After the answers of delegate functions change a layout is what a new one is",
    why: "Answers follow data, and data change",
    remedy: "Ask again in every prepare; keep no answer from one to the next",
    needs: .delegate, samples: .usual
  ) { trial in
    let fresh = try trial.freshSession(for: trial.sample)
    _ = try trial.answer(fresh, adding: 0)
    let expected = try LayoutImage(fresh)
    let session = try trial.freshSession(for: trial.sample)
    _ = try trial.answer(session, adding: 1)
    guard (try? session.elements()) != nil else { return }
    _ = try trial.answer(session, adding: 0)
    try trial.requireSame(
      LayoutImage(session), as: expected, "as a new layout, after other answers")
  },
  ConformanceCase(
    "delegate-answers-at-limits", .delegate,
    rule: "The least and greatest answers that a signature allows are laid out or refused by name",
    why: "What answers is another's code, and its mistakes must not become crashes",
    remedy: "Check an answer before it is an index or a length; refuse it with the function's name",
    needs: .delegate, samples: .fixed([Sample(counts: [5]), Sample(counts: [2, 0, 9])]),
    examine: answersAtLimits),
  ConformanceCase(
    "delegate-values-change", .delegate,
    rule: "After section and item values change a layout is what a new one is",
    why: "Values follow data, and data change",
    remedy: "Read every value in every prepare, or from where `change` says that something changed",
    needs: .values, samples: .usual { sample, sampling in sampling.giveEach(&sample) }
  ) { trial in
    let expected = try trial.image()
    var sampling = Sampling(for: try trial.engine, random: trial.random)
    for _ in 0..<3 {
      var other = trial.sample
      sampling.giveEach(&other)
      let session = try trial.freshSession(for: other)
      guard (try? session.elements()) != nil else { continue }
      try trial.sample.applyValues(to: session)
      try trial.requireSame(
        LayoutImage(session), as: expected, "as a new layout, after other values")
    }
  },
  ConformanceCase(
    "delegate-values-zero-and-huge", .delegate,
    rule: "Values of zero, below zero and far too great are laid out or refused by name",
    why: "Pictures are empty until they are loaded, and lists are long",
    remedy: "Divide by no value that may be 0; refuse what makes no sense with the value's name",
    needs: .values,
    samples: SampleSet { sampling, _ in sampling.extremeValues() }, examine: laidOutOrRefusedByName),
  ConformanceCase(
    "delegate-input-is-read-only", .delegate,
    rule: "Nothing that the host gives an engine is written to",
    why: "The host and its user go on reading it; it lies in memory that only can be read",
    remedy: "Copy what is to be changed; only what the output gave may be written",
    samples: SampleSet { sampling, _ in
      (0..<2).map { _ in
        var sample = Sample(counts: [4, 0, 9, 1, 3, 0, 20])
        sampling.giveEach(&sample)
        return sample
      }
    }
  ) { trial in
    let session = try trial.freshSession(for: trial.sample)
    _ = try trial.answer(session, adding: 0)
    do throws(HostError) {
      _ = try session.elements()
      _ = try session.elements(in: session.visibleRect)
    } catch {
      // Whether values suit an engine is another rule's.
      guard error.kind != .refused else { return }
      throw error
    }
  },
]

/// Looks for each function for a layout that calls it.
@Sendable private func everyFunctionIsCalled(_ trial: Trial) throws {
  let functions = try trial.engine.delegateFunctions
  var missing = functions.map(\.name)
  var sampling = Sampling(for: try trial.engine, random: trial.random)
  for round in 0..<60 where !missing.isEmpty && trial.hasTime {
    var sample = round == 0 ? Sample() : sampling.usual()
    guard sample.itemCount > 0 else { continue }
    sample.delegate = [:]
    let session = try trial.freshSession(for: sample)
    let calls = try trial.answer(session, adding: round)
    do throws(HostError) { _ = try session.elements() } catch {
      guard error.kind == .refused else { throw error }
    }
    missing.removeAll { calls[$0].calls > 0 }
  }
  trial.coverage.record(.delegate, functions.map(\.name).filter { !missing.contains($0) })
  try trial.require(
    missing.isEmpty, expected: "a call of each of \(functions.count) functions",
    found: "none of \(missing.joined(separator: ", ")) in any of 60 layouts")
}

@Sendable private func answersAtLimits(_ trial: Trial) throws {
  for function in try trial.engine.delegateFunctions {
    let signature = try function.parsedSignature
    for answer in signature.result.extremes {
      let session = try trial.freshSession(for: trial.sample)
      try session.setDelegate(
        function.name,
        DelegateFunction(function.name, signature) { _ throws(HostError) in answer })
      do throws(HostError) { _ = try session.elements() } catch {
        guard error.kind == .refused else { throw error }
        try trial.require(
          error.message.contains(function.name),
          expected: "a refusal of \(answer) that names \(function.name)",
          found: "the refusal \"\(error.message)\"")
      }
    }
  }
}
