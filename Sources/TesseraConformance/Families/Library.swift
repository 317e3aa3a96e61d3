import TesseraExamination
import TesseraHost

let libraryCases: [ConformanceCase] = [
  ConformanceCase(
    "library-loads", .library,
    rule: "The host can load the file as an engine library",
    why: "The host rejects any other file, so nobody can use its engines",
    remedy: "Do what the message says; until then, other cases have no layout to test",
    owns: .all(of: .cannotLoad, .brokenContract),
    examine: { trial in _ = try trial.engine }),
  ConformanceCase(
    Catalogue.plainLayout, .library,
    rule: "No call crashes or hangs for 20 items with default values, from create to destroy",
    why: "These are the first calls of every program, and of most other cases",
    remedy: "Follow the message; cases that need a layout are skipped until this one passes",
    samples: .plain, examine: { try $0.survive() }),
  ConformanceCase(
    "library-file-is-for-this-machine", .library,
    rule: "The file is a complete ELF shared library for this machine",
    why: "The system's loader accepts no other file",
    remedy: "Link it with -shared -fPIC for the machine that it will run on"
  ) { trial in try trial.facts.format.get(elseExpected: "an ELF shared library for this machine") },
  ConformanceCase(
    "library-note-is-readable", .library,
    rule: "The file has a readable Tessera note of a version that the host supports",
    why: "The host reads the note before it runs any code of the file",
    remedy: "Write TESSERA_NOTE once, outside any function, and build with this host's tessera.h"
  ) { trial in
    guard case .success = trial.facts.format else { return }
    _ = try trial.facts.abi.get(elseExpected: "a Tessera note of a version that this host supports")
  },
  ConformanceCase(
    "library-exports-one-symbol", .library,
    rule: "The only symbol that the library exports is tessera_register",
    why: "Two libraries in one process that define the same name may call each other's functions",
    remedy:
      "Link with -Wl,--version-script=FILE, where FILE is { global: tessera_register; local: *; }; "
      + "-fvisibility=hidden leaves templates of the C++ library visible"
  ) { trial in
    guard case .success(let names) = trial.facts.exported else { return }
    let others = names.filter { $0 != "tessera_register" }
    let shown = others.prefix(5).joined(separator: ", ")
    try trial.require(
      others.isEmpty && names.count == 1, expected: "tessera_register and no other symbol",
      found: others.isEmpty
        ? "tessera_register \(names.count) times"
        : "also \(shown)\(others.count > 5 ? " and \(others.count - 5) more" : "")")
  },
  ConformanceCase(
    "library-symbols-resolve", .library,
    rule: "All symbols that the library needs resolve when it is loaded",
    why: "A missing function would terminate the program when it is first called",
    remedy:
      "Link with the libraries that define the names; -Wl,-z,defs makes the linker report them",
    owns: [.unresolvedSymbols], examine: { trial in _ = try trial.engine }),
  ConformanceCase(
    "library-keeps-the-working-folder", .library,
    rule: "The library does not call chdir",
    why: "Every relative path of the program would then refer to a different file",
    remedy: "Open files by absolute paths, or relative to a folder's descriptor"
  ) { trial in
    try trial.requireNoCalls(
      of: ["chdir", "fchdir", "chroot", "pivot_root"],
      expected: "no function that changes the working folder")
  },
  ConformanceCase(
    "library-sets-no-timers", .library,
    rule: "The library does not call alarm or another function that sets a timer of the process",
    why: "The signal of the timer ends a program that does not handle it, also long after the call",
    remedy: "Measure time with clock_gettime, and stop when host->progress returns 0"
  ) { trial in
    try trial.requireNoCalls(
      of: ["alarm", "ualarm", "setitimer", "timer_create", "timer_settime"],
      expected: "no function that sets a timer of the process")
  },
]

extension Trial {
  fileprivate var facts: LibraryFacts { LibraryFacts(ofLibrary: subject.libraryPath) }

  fileprivate func requireNoCalls(of functions: Set<String>, expected: String) throws(Violation) {
    guard case .success(let names) = facts.imported else { return }
    let calls = names.filter(functions.contains)
    try require(
      calls.isEmpty, expected: expected, found: "calls of \(calls.joined(separator: ", "))")
  }
}

extension Result where Failure == HostError {
  fileprivate func get(elseExpected expected: String) throws(Violation) -> Success {
    do throws(HostError) { return try get() } catch {
      throw Violation(expected: expected, found: error.message)
    }
  }
}

let processCases: [ConformanceCase] = [
  ConformanceCase(
    "library-loads-quickly", .library,
    rule: "Loading takes less than 100 ms",
    why: "A host lists dozens of libraries before it can show anything",
    remedy: "Do nothing in constructors; calculate tables at their first use",
    needs: .process,
    examine: { try $0.requireQuick("loading", \.loadingSeconds) }),
  ConformanceCase(
    "library-registers-quickly", .library,
    rule: "Registration takes less than 100 ms",
    why: "A host lists dozens of libraries before it can show anything",
    remedy: "Describe engines with constants, and do nothing else in tessera_register",
    needs: .process, examine: { try $0.requireQuick("registration", \.registrationSeconds) }),
  ConformanceCase(
    "library-registers-the-same-twice", .library,
    rule: "Every registration returns the same engines",
    why: "A host registers a library more than once and caches the result",
    remedy: "Add the same constant tessera_engine structs each time, and keep no state",
    needs: .process
  ) { trial in
    let problem = try trial.processReport().registrationProblem
    try trial.require(
      problem == nil, expected: "the engines of the first registration", found: problem ?? "")
  },
  ConformanceCase(
    Catalogue.printing, .library,
    rule: "The library writes nothing to standard output and standard error",
    why: "Other programs read the output of the program that embeds the engine",
    remedy: "Use host->report for messages to the user",
    needs: .process
  ) { trial in
    let report = try trial.processReport()
    try trial.require(
      report.printedBytes == 0, expected: "no output",
      found: "\(report.printedBytes) bytes\(report.printed.map { ": \"\($0)\"" } ?? "")")
    try trial.useEverything()
    let printed = try trial.engine.runtime.printed(by: trial.engine.description.id)
    try trial.require(printed == nil, expected: "no output", found: printed ?? "")
  },
  ConformanceCase(
    "library-unknown-extension-is-null", .library,
    rule: "An unknown extension id, or a known one with further characters, returns null",
    why: "The host would call functions through a table of a different layout",
    remedy: "Compare whole ids with strcmp == 0, and return null in all other cases",
    needs: .process,
    examine: noProblem(
      .unknownExtensions, expected: "null for every id that is not exactly one of its extensions")),
  stays(
    "library-leaves-no-threads", "No thread is still running after",
    why: "A thread would continue in memory that its layout has freed",
    remedy:
      "Join every thread before destroy returns, and start none during loading or registration"
  ) { before, after in
    after.threads > before.threads ? ("\(before.threads) thread", "\(after.threads) threads") : nil
  },
  stays(
    "library-leaves-signals", "Signal handlers and blocked signals are unchanged after",
    why: "The program's own handlers would no longer receive their signals",
    remedy:
      "Install no signal handlers and block no signals, or restore them before the call returns"
  ) { before, after in
    if let signal = before.signalActions.indices.first(where: {
      before.signalActions[$0] != after.signalActions[$0]
    }) {
      let name = ProcessFacts.name(ofSignal: signal + 1)
      return ("the original handler of \(name)", "a different one")
    }
    guard before.blockedSignals != after.blockedSignals else { return nil }
    func names(_ numbers: [Int]) -> String {
      numbers.isEmpty
        ? "no signals" : numbers.map(ProcessFacts.name(ofSignal:)).joined(separator: ", ")
    }
    return ("\(names(before.blockedSignals)) blocked", "\(names(after.blockedSignals)) blocked")
  },
  stays(
    "library-leaves-the-locale", "The locale is unchanged after",
    why: "The program would read and write numbers in a different format",
    remedy: "Use newlocale and the functions that end in _l; never call setlocale"
  ) { before, after in
    before.locale == after.locale ? nil : ("the locale \(before.locale)", after.locale)
  },
  stays(
    "library-leaves-the-umask", "The umask is unchanged after",
    why: "Files of the program would get different permissions",
    remedy: "Never call umask"
  ) { before, after in
    func octal(_ mask: Int) -> String { "0" + String(mask, radix: 8) }
    return before.fileModeMask == after.fileModeMask
      ? nil : ("the umask \(octal(before.fileModeMask))", octal(after.fileModeMask))
  },
  stays(
    "library-leaves-the-environment", "The environment is unchanged after",
    why:
      "Programs started later would get different variables, and getenv may crash in other threads",
    remedy: "Read the environment if necessary, and never call setenv, putenv or unsetenv"
  ) { before, after in
    before.environment == after.environment ? nil : ("the original variables", "different ones")
  },
  ConformanceCase(
    "library-leaves-no-descriptors", .library,
    rule: "Every file descriptor that the library opens is closed again",
    why: "A process has a limited number of descriptors, and each layout would use up more",
    remedy:
      "Close descriptors before create, prepare and tessera_register return, or at the latest in "
      + "destroy", needs: .process
  ) { trial in
    for part in try trial.processReport().partsOfEqualDescriptors {
      guard let first = part.first, let last = part.last else { continue }
      try trial.require(
        last.openDescriptors <= first.openDescriptors,
        expected: "\(first.openDescriptors) open descriptors, as before",
        found: "\(last.openDescriptors) after \(last.step)")
    }
  },
  ConformanceCase(
    "library-closes-no-foreign-descriptors", .library,
    rule: "The library closes no file descriptor that it did not open",
    why: "The program's files and connections would be closed, or replaced by other files",
    remedy: "Close only descriptors that your own calls opened, each once",
    needs: .process
  ) { trial in
    for part in try trial.processReport().partsOfEqualDescriptors {
      guard let first = part.first else { continue }
      for stage in part.dropFirst() {
        let pairs = zip(first.descriptorFiles, stage.descriptorFiles).enumerated()
        let changed = pairs.filter { $0.element.0 != 0 && $0.element.0 != $0.element.1 }
        guard let one = changed.first else { continue }
        let state = one.element.1 == 0 ? "closed" : "a different file"
        let more = changed.count > 1 ? ", as well as \(changed.count - 1) more" : ""
        throw Violation(
          expected: "the descriptors of the process as they were before \(stage.step)",
          found: "descriptor \(one.offset) is \(state) after \(stage.step)\(more)")
      }
    }
  },
  ConformanceCase(
    "library-lets-the-process-end", .library,
    rule: "A process that loaded the library ends with its own status, without a crash or a hang",
    why: "A program that ends would seem to have failed, or would not end",
    remedy: "Do nothing in destructors of the library and in functions for atexit",
    needs: .process, examine: { _ = try $0.examine(.ending) }),
]

extension Trial {
  /// Calls many functions; an engine may print in any.
  fileprivate func useEverything() throws(HostError) {
    var sampling = try sampling()
    var full = LayoutInput(counts: [3, 0, 5])
    sampling.fillAll(&full)
    var tiny = LayoutInput()
    tiny.bounds = Size(width: 1, height: 1)
    let session = try freshSession(for: LayoutInput())
    let samples = [
      LayoutInput(), LayoutInput(counts: []), LayoutInput(counts: [0, 2]), full, tiny,
    ]
    for sample in samples + [LayoutInput(counts: [400])] {
      try change(session, to: sample)
      guard (try? session.elements()) != nil else { continue }
      session.offset.y += 50
      _ = try? session.elements(in: session.visibleRect)
      _ = try? session.restingOffset(for: Point(x: 0, y: 33), velocity: .zero)
      for function in try engine.publishedFunctions {
        guard let signature = try? function.parsedSignature else { continue }
        let arguments = signature.arguments.compactMap(\.extremes.first)
        _ = try? call(session, function.name, arguments)
      }
    }
    try session.renew()
  }
}

extension ExaminationReport {
  /// Equal file descriptors: the library's own is closed between registration and layout.
  fileprivate var partsOfEqualDescriptors: [ArraySlice<ProcessFacts>] {
    let ready = stages.firstIndex { $0.step.contains("before create") } ?? 0
    return [stages[..<ready], stages[ready...]]
  }
}

private func stays(
  _ id: String, _ rule: String, why: String, remedy: String,
  difference: @escaping @Sendable (ProcessFacts, ProcessFacts) -> (before: String, after: String)?
) -> ConformanceCase {
  ConformanceCase(
    id, .library, rule: "\(rule) loading, registration, create, prepare and destroy",
    why: why, remedy: remedy, needs: .process
  ) { trial in
    let stages = try trial.processReport().stages
    guard let start = stages.first else { return }
    // A layout may hold resources until destroy.
    for stage in stages.dropFirst() where !["create", "prepare"].contains(stage.step) {
      guard let (before, after) = difference(start, stage) else { continue }
      throw Violation(
        expected: "\(before), as before the library was loaded",
        found: "\(after) after \(stage.step)")
    }
  }
}

extension Trial {
  /// Warns if the fastest of three runs took 100 ms; a busy machine may slow one.
  fileprivate func requireQuick(
    _ what: String, _ seconds: KeyPath<ExaminationReport, Double>
  ) throws {
    var best = try processReport()[keyPath: seconds]
    for _ in 0..<2 where best >= 0.1 { best = min(best, try examine(.process)[keyPath: seconds]) }
    try require(
      best < 0.1, expected: "\(what) within 100 ms",
      found: "\(Int(best * 1000)) ms, the best of three", isWarning: true)
  }
}
