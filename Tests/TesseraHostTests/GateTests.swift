import Foundation
import TestSupport
import Testing

/// Every call of a session passes the gate, which loads a replaced library; nothing else does.
@Suite struct GateTests {
  private static let folder = BuiltProducts.repository.appendingPathComponent(
    "Sources/TesseraHost/Session")

  /// Functions that neither look up a name or number nor ask the engine.
  private static let outside: Set = [
    "enter", "leave",  // the gate
    "close", "renew", "reload",  // change the version itself; `reload` refuses to within a call
    "start", "finish",  // of a background prepare, whose caller has entered
    "watchEngine",  // the files alone
  ]

  @Test func everyCallEntersTheGate() throws {
    var (found, callers): (Set<String>, [String]) = ([], [])
    var entering = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted() {
      let text = try String(
        contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
      callers += text.matches(of: /[^c] reloadIfReplaced\(\)/).map { _ in name }
      // A function of a type ends with the first brace at its indentation.
      for function in text.matches(
        of:
          #/
          (?m)^\ \ (?:@\w+(?:\(\w+\))?\ )*(?:public|package)\ func\ (\w+)\b
          [\s\S]*?\{\n([\s\S]*?)^\ \ \}$
          /#
      ) {
        let start = function.output.2.split(separator: "\n").prefix(2)
          .map { $0.trimmingCharacters(in: .whitespaces) }
        if start.contains("enter()"), start.contains("defer { leave() }") {
          entering += 1
        } else {
          found.insert(String(function.output.1))
        }
      }
    }
    #expect(found == Self.outside)
    #expect(entering > 30)
    #expect(callers == ["SessionGate.swift"])
  }
}
