import Foundation
import TestSupport
import Testing

/// Every function fails at once where it must: null, other threads, callbacks, during a prepare,
/// after fork.
@Suite struct GuardTests {
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
}
