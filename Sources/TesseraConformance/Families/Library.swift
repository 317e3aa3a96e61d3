import TesseraHost

/// The file, and what is in it.
let libraryCases: [ConformanceCase] = [
  ConformanceCase(
    "library-loads", .library,
    rule: "The file is an engine library that the host loads",
    why: "A host refuses any other file, so none of its engines is there for anybody",
    remedy: "Do what the sentence says; nothing else is examined before",
    owns: { $0.kind == .cannotLoad || $0.kind == .brokenContract },
    examineOnce: { trial in _ = try trial.engine }),
  ConformanceCase(
    "library-file-is-for-this-machine", .library,
    rule: "The file is a complete ELF shared library for this machine",
    why: "The system's loader takes nothing else",
    remedy: "Link it with -shared -fPIC for the machine that it is to run on"
  ) { trial in
    try trial.facts.format.get(elseExpected: "an ELF shared library for this machine")
  },
  ConformanceCase(
    "library-note-is-readable", .library,
    rule: "The Tessera note can be read out of the file, and is of a version that the host speaks",
    why: "Hosts look at the note before they run anything of a file",
    remedy: "Write TESSERA_NOTE once, outside any function, and build with this host's tessera.h"
  ) { trial in
    // What is no library at all has its own case.
    guard case .success = trial.facts.format else { return }
    _ = try trial.facts.abi.get(elseExpected: "a Tessera note of a version that this host speaks")
  },
  ConformanceCase(
    "library-exports-one-symbol", .library,
    rule: "The one name that the library defines for others is tessera_register",
    why: "Two libraries in one process that define the same name may call each other's functions",
    remedy:
      "Compile with -fvisibility=hidden, or link with a version script that leaves the one name"
  ) { trial in
    guard case .success(let names) = trial.facts.exported else { return }
    let others = names.filter { $0 != "tessera_register" }
    let shown = others.prefix(5).joined(separator: ", ")
    try trial.require(
      others.isEmpty && names.count == 1, expected: "tessera_register and no other name",
      found: others.isEmpty
        ? "tessera_register \(names.count) times"
        : "\(shown)\(others.count > 5 ? " and \(others.count - 5) more" : "") beside it")
  },
  ConformanceCase(
    "library-symbols-resolve", .library,
    rule: "Everything that the library wants of others is there when it is loaded",
    why: "What is missing would end the program when it is first called",
    remedy: "Link with the libraries that define the names, and with -Wl,-z,defs to be told",
    owns: { $0.kind == .cannotLoad && $0.message.contains("the loader refuses it") },
    examineOnce: { trial in _ = try trial.engine }),
  ConformanceCase(
    "library-keeps-the-working-folder", .library,
    rule: "The library has no use for chdir",
    why: "Every relative path of the program would mean another file",
    remedy: "Open files by their whole path, or relative to a folder's descriptor"
  ) { trial in
    guard case .success(let names) = trial.facts.imported else { return }
    let calls = names.filter { ["chdir", "fchdir", "chroot", "pivot_root"].contains($0) }
    try trial.require(
      calls.isEmpty, expected: "no function that changes the working folder",
      found: "\(calls.joined(separator: ", ")) among the functions that it calls")
  },
]

extension Trial {
  /// What the library's file tells.
  fileprivate var facts: LibraryFacts { LibraryFacts(ofLibrary: subject.libraryPath) }
}

extension Result where Failure == HostError {
  /// The value; without one, a violation that says why.
  fileprivate func get(elseExpected expected: String) throws(Violation) -> Success {
    do throws(HostError) { return try get() } catch {
      throw Violation(expected: expected, found: error.message)
    }
  }
}

/// What a library does to the process that it is loaded into.
let processCases: [ConformanceCase] = [
  ConformanceCase(
    "library-loads-quickly", .library,
    rule: "Loading takes less than 100 ms",
    why: "A host lists dozens of libraries before anything is shown",
    remedy: "Do nothing in constructors; calculate tables when they are first needed",
    needs: .process,
    examineOnce: { try $0.requireQuick("loading", \.loadingSeconds) }),
  ConformanceCase(
    "library-registers-quickly", .library,
    rule: "Registration takes less than 100 ms",
    why: "A host lists dozens of libraries before anything is shown",
    remedy: "Describe engines with constants, and do nothing else in tessera_register",
    needs: .process,
    examineOnce: { try $0.requireQuick("registration", \.registrationSeconds) }),
  ConformanceCase(
    "library-registers-the-same-twice", .library,
    rule: "Every registration gives the same engines",
    why: "Hosts ask a library more than once, and remember what it said",
    remedy: "Add the same constant tessera_engine structs each time; count and remember nothing",
    needs: .process
  ) { trial in
    let problem = try trial.processReport().registrationProblem
    try trial.require(
      problem == nil, expected: "the engines of the first registration",
      found: problem ?? "")
  },
  ConformanceCase(
    "library-prints-nothing", .library,
    rule: "Nothing is written to standard output and standard error",
    why: "The output of a program is read by other programs",
    remedy: "Say things with host->report, which tells the user",
    needs: .process
  ) { trial in
    let report = try trial.processReport()
    try trial.require(
      report.printedBytes == 0, expected: "no output",
      found: "\(report.printedBytes) bytes\(report.printed.map { ": \"\($0)\"" } ?? "")")
  },
  ConformanceCase(
    "library-unknown-extension-is-null", .library,
    rule: "An extension id that is unknown, or has anything behind it, gives null",
    why: "A host would call functions of a table that is of another shape",
    remedy: "Compare ids whole, with strcmp == 0, and return null in all other cases",
    needs: .process
  ) { trial in
    try trial.requireNoProblem(
      .unknownExtensions, expected: "null for every id that is not exactly one of its extensions")
  },
  stays(
    "library-leaves-no-threads", "No thread is left running by",
    why: "A thread goes on in memory that its layout has freed",
    remedy: "Join every thread before destroy returns, and start none when loaded or registered"
  ) { before, after in
    after.threads > before.threads
      ? ("\(before.threads) thread", "\(after.threads) threads") : nil
  },
  stays(
    "library-leaves-signals", "What happens on signals is left as it was by",
    why: "The program's own handlers would never hear of their signals",
    remedy: "Install no signal handlers and block no signals; put back what a call changed"
  ) { before, after in
    if let signal = before.signalActions.indices.first(where: {
      before.signalActions[$0] != after.signalActions[$0]
    }) {
      let name = ProcessFacts.name(ofSignal: signal + 1)
      return ("the handler of \(name) that was there", "another one")
    }
    guard before.blockedSignals != after.blockedSignals else { return nil }
    func names(_ numbers: [Int]) -> String {
      numbers.isEmpty
        ? "no signals" : numbers.map(ProcessFacts.name(ofSignal:)).joined(separator: ", ")
    }
    return ("\(names(before.blockedSignals)) blocked", "\(names(after.blockedSignals)) blocked")
  },
  stays(
    "library-leaves-the-locale", "The locale is left as it was by",
    why: "The program would read and write numbers with other signs",
    remedy: "Use newlocale and the functions with _l; never call setlocale"
  ) { before, after in
    before.locale == after.locale ? nil : ("the locale \(before.locale)", after.locale)
  },
  stays(
    "library-leaves-the-umask", "The umask is left as it was by",
    why: "Files of the program would get other rights",
    remedy: "Never call umask"
  ) { before, after in
    func octal(_ mask: Int) -> String { "0" + String(mask, radix: 8) }
    return before.fileModeMask == after.fileModeMask
      ? nil : ("the umask \(octal(before.fileModeMask))", octal(after.fileModeMask))
  },
  stays(
    "library-leaves-the-environment", "The environment is left as it was by",
    why:
      "Programs that are started later would get other variables, and getenv may crash meanwhile",
    remedy: "Read the environment if you must, and never call setenv, putenv or unsetenv"
  ) { before, after in
    before.environment == after.environment ? nil : ("the variables that were there", "others")
  },
  ConformanceCase(
    "library-leaves-no-descriptors", .library,
    rule: "Every descriptor that was opened is closed again",
    why: "A program has few, and they are gone when many layouts have come and gone",
    remedy:
      "Close what create, prepare and tessera_register open before they return, at the latest in "
      + "destroy",
    needs: .process
  ) { trial in
    let stages = try trial.processReport().stages
    // The library's own file is closed between its registration and the first layout.
    let ready = stages.firstIndex { $0.name.contains("before create") } ?? 0
    for part in [stages[..<ready], stages[ready...]] {
      guard let first = part.first, let last = part.last else { continue }
      try trial.require(
        last.facts.openDescriptors <= first.facts.openDescriptors,
        expected: "\(first.facts.openDescriptors) open descriptors, as before",
        found: "\(last.facts.openDescriptors) after \(last.name)")
    }
  },
]

/// A case that compares the process before the library was there with it after each stage.
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
    // What a layout has while it lives is its own, as long as destroy gives it back.
    for stage in stages.dropFirst() where !["create", "prepare"].contains(stage.name) {
      guard let (before, after) = difference(start.facts, stage.facts) else { continue }
      throw Violation(
        expected: "\(before), as before the library was loaded",
        found: "\(after) after \(stage.name)")
    }
  }
}

extension Trial {
  /// Warns where the quickest of three times took 100 ms: whoever shares the machine may have been
  /// the reason for one.
  fileprivate func requireQuick(
    _ what: String, _ seconds: KeyPath<ExaminationReport, Double>
  ) throws {
    var best = try processReport()[keyPath: seconds]
    for _ in 0..<2 where best >= 0.1 { best = min(best, try examine(.process)[keyPath: seconds]) }
    guard best >= 0.1 else { return }
    throw Violation(
      expected: "\(what) within 100 ms", found: "\(Int(best * 1000)) ms, the best of three",
      isWarning: true)
  }
}
