import TesseraHost

/// The file, and what it does when it is loaded.
let libraryCases: [ConformanceCase] = [
  ConformanceCase(
    "library-loads", .library,
    rule: "The file is an engine library that the host loads",
    why: "A host refuses any other file, so none of its engines is there for anybody",
    remedy: "Do what the sentence says; nothing else is examined before",
    owns: { $0.kind == .cannotLoad || $0.kind == .brokenContract },
    examineOnce: { trial in _ = try trial.engine })
]
