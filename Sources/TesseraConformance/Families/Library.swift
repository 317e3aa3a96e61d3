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
