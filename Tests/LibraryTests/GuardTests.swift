import Foundation
import TestSupport
import Testing

/// Every function of the header comes back where it must not work, because all take one entry.
@Suite struct GuardTests {
  private static let sources = BuiltProducts.repository.appendingPathComponent(
    "Sources/TesseraLibrary")

  /// Functions without a handle.
  private static let unguarded: Set = [
    "tessera_host_version",  // returns a constant
    "tessera_engines_create",  // makes a handle
    "tessera_arrow_share",  // takes an array, which never changes
  ]

  @Test func everyCallComesBackWhereItMustNotWork() throws {
    let folder = try TemporaryFolder()
    let functions = try HostHeader.functions().filter { $0.handle != nil }
    try folder.write("calls.h", functions.map(Self.call).joined() + Self.table(functions))
    let pipe = folder.path("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    let worker = try folder.write("worker", "#!/bin/sh\nread -r line < '\(pipe)'\nexit 1\n")
    try #require(chmod(worker, 0o755) == 0)
    try folder.makeFolder("engines")
    try folder.link(
      "engines/libTesseraTable.so", to: "\(Prefix.engines)/libTesseraTable.so")
    try folder.link("engines/libTesseraFlow.so", to: "\(Prefix.engines)/libTesseraFlow.so")
    let result = try CProgram("Tests/Fixtures/library/guards.c", including: folder.path).run(
      folder.path("engines"), worker, pipe, "\(Soak.count("FORKS", 20))")
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.status) \(result.errors)")
  }

  /// The function of `calls.h` that calls one of the header.
  private static func call(_ function: HostFunction) -> String {
    let arguments = function.parameters.enumerated().map { place, type in
      switch type {
      case _ where place == 0: "handle"
      case "tessera_session *": "has_arguments ? handle : NULL"
      case "const tessera_moment *", "tessera_moment *": "NULL"
      case "const char *": "has_arguments ? \"a\" : NULL"
      case _ where type.hasSuffix("*") || type.hasSuffix("*const"):
        "has_arguments ? (void *)room : NULL"
      case "tessera_delegate", "tessera_measure", "tessera_measure_supplementary",
        "tessera_progress", "tessera_supply":
        "NULL"
      default: "0"
      }
    }.joined(separator: ", ")
    let call = "\(function.name)(\(arguments))"
    let body =
      switch kind(function) {
      case "NOTHING": "\(call); return (outcome){0};"
      case "STATUS": "return (outcome){.status = \(call)};"
      case "NUMBER": "return (outcome){.number = \(call)};"
      default: "return (outcome){.pointer = \(call)};"
      }
    return "static outcome call_\(function.name)(void *handle, int has_arguments) "
      + "{ (void)has_arguments; \(body) }\n"
  }

  private static func table(_ functions: [HostFunction]) -> String {
    "static const function functions[] = {\n"
      + functions.map {
        "  {\"\($0.name)\", \"\($0.handle!)\", \(kind($0)), call_\($0.name)},\n"
      }.joined() + "};\n"
  }

  /// What a function returns.
  private static func kind(_ function: HostFunction) -> String {
    switch function.result {
    case "void": "NOTHING"
    case "int32_t": "STATUS"
    case "uint32_t": "NUMBER"
    case _ where function.name.hasSuffix("s_message") || function.name.hasSuffix("n_message"):
      ["tessera_engines_message", "tessera_session_message"].contains(function.name)
        ? "TEXT" : "POINTER"
    case _ where ["tessera_engines_code", "tessera_session_code"].contains(function.name): "CODE"
    default: "POINTER"
    }
  }

  /// Nothing but the entries in Handle.swift reaches the object behind a pointer, and every function of the
  /// header that takes a handle takes one of them.
  @Test func everyFunctionTakesTheEntry() throws {
    let functions = try HostHeader.functions()
    #expect(Set(functions.filter { $0.handle == nil }.map(\.name)) == Self.unguarded)
    let texts = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path)
      .filter { $0.hasSuffix(".swift") }.sorted()
      .map { name in
        (
          name: name,
          text: try String(contentsOf: Self.sources.appendingPathComponent(name), encoding: .utf8)
        )
      }
    for (name, text) in texts where name != "Handle.swift" {
      #expect(!text.contains(/Unmanaged<\w*Handle>|\.handle\(|\.perform\(/), "\(name)")
    }
    let everything = texts.map(\.text).joined(separator: "\n")
    // A function at the start of a line ends on this line, or with the first one that is only a brace.
    let bodies = everything.matches(
      of: /(?m)^(?:(?:public|private|fileprivate) )?func (\w+)(?:.*\{.*\}$|[\s\S]*?\n\}$)/
    ).map { (name: String($0.output.1), text: $0.output.0) }
    func calls(_ text: Substring, _ entry: String) -> Bool {
      text.contains(try! Regex("(?:[^.\\w]|TesseraLibrary\\.)\(entry)\\((?!_ )"))
    }
    // The entries, and what leads to one of them.
    var entries: Set = ["Handle.enter", "Handle.take", "Handle.message", "Handle.code"]
    var leading: Set<String> = []
    repeat {
      entries.formUnion(leading)
      leading = Set(
        bodies.filter { body in
          !body.name.hasPrefix("tessera_") && !entries.contains(body.name)
            && entries.contains { calls(body.text.dropFirst(body.name.count), $0) }
        }.map(\.name))
    } while !leading.isEmpty
    for function in functions where function.handle != nil {
      let body = bodies.first { $0.name == function.name }
      #expect(
        body.map { body in entries.contains { calls(body.text, $0) } } == true,
        "\(function.name) takes no entry of Handle.swift")
    }
  }

  /// A lock of the whole process is one that forks wait for: any other can be held for good in the child.
  @Test func forksWaitForEveryLockOfTheProcess() throws {
    var guarded = 0
    for module in [
      "CTesseraSystem", "TesseraCatalog", "TesseraRuntime", "TesseraWorker", "TesseraHost",
      "TesseraLibrary",
    ] {
      let folder = BuiltProducts.repository.appendingPathComponent("Sources/\(module)")
      for case let file as URL in FileManager.default.enumerator(
        at: folder, includingPropertiesForKeys: nil)!
      where ["c", "swift"].contains(file.pathExtension) && file.lastPathComponent != "forks.c" {
        let text = try String(contentsOf: file, encoding: .utf8)
        // A comment names the type that `Locked` replaces.
        let code = text.replacing(/\/\/.*/, with: "")
        #expect(!code.contains(/\bMutex\b/), "\(file.lastPathComponent)")
        let locks = text.matches(of: /PTHREAD_\w*MUTEX_INITIALIZER/).count
        #expect(
          text.matches(of: /\btessera_guard_forks\(/).count == locks, "\(file.lastPathComponent)")
        guarded += locks
      }
    }
    #expect(guarded == 3)
  }
}
