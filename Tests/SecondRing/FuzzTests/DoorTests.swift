import Foundation
import TestSupport
import Testing

/// What takes numbers and texts from outside, with random inputs: a short run of Tools/fuzz/doors.py.
///
/// Tools/soak does a long one. Each begins with the inputs in Tests/Fixtures/fuzz.
@Suite struct DoorTests {
  @Test(arguments: ["page", "pictures", "rows"])
  func everyInputEndsInAResultOrAnError(door: String) throws {
    let script = BuiltProducts.repository.appendingPathComponent("Tools/fuzz/doors.py")
    let result = try Program.run(
      "python3", [script.path, BuiltProducts.command.path, door, "--seconds", "4"])
    #expect(result.status == 0, "\(result.errors)")
    let inputs = result.output.split(separator: " ").dropFirst().first.flatMap {
      Int($0.filter { $0 != "," })
    }
    #expect(inputs ?? 0 > 0, "\(result.output)")
  }
}
