import TesseraHost
import TestSupport
import Testing

@Suite("Repeated identities")
struct DiffRefusalTests {
  private func message(_ before: [[String]], _ after: [[String]]) -> String? {
    do throws(HostError) {
      _ = try UpdateBatch(from: before, to: after)
      return nil
    } catch {
      #expect(error.kind == .invalidInput)
      return error.message
    }
  }

  @Test("The sentence names the identity and both places")
  func sentence() {
    #expect(
      message([["a", "b"], ["c", "a"]], [["b"]])
        == "identity \"a\" is both item 0 of section 0 and item 1 of section 1 before the update; "
        + "give each item an identity of its own")
    #expect(
      message([["b"]], [["b"], [], ["c", "c"]])
        == "identity \"c\" is both item 0 of section 2 and item 1 of section 2 after the update; "
        + "give each item an identity of its own")
    #expect(
      message([["a", "a"]], [["a", "a"]])
        == "identity \"a\" is both item 0 of section 0 and item 1 of section 0 before the update; "
        + "give each item an identity of its own")
    #expect(
      message([["a", "b"]], [["a", "b", "a"]])
        == "identity \"a\" is both item 0 of section 0 and item 2 of section 0 after the update; "
        + "give each item an identity of its own")
  }

  @Test("Wherever a repetition is put, it is found; elsewhere none is")
  func anywhere() {
    var random = SeededGenerator(seed: 21)
    for round in 0..<1500 {
      let names = (0..<Int.random(in: 2...40, using: &random)).map { "n\($0)" }
      var before = names
      var after = names
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        before.remove(at: Int.random(in: 0..<before.count, using: &random))
        after.insert(
          "new \(random.next())", at: Int.random(in: 0...after.count, using: &random))
        if before.count < 2 { break }
      }
      if round % 4 == 0 { after.shuffle(using: &random) }
      #expect(message([before], [after]) == nil)
      let side = round % 3
      if side != 1 {
        before[Int.random(in: 0..<before.count, using: &random)] =
          before[Int.random(in: 0..<before.count, using: &random)]
      }
      if side != 0 {
        after[Int.random(in: 0..<after.count, using: &random)] =
          after[Int.random(in: 0..<after.count, using: &random)]
      }
      let isRepeated = Set(before).count < before.count || Set(after).count < after.count
      #expect((message([before], [after]) != nil) == isRepeated)
    }
  }
}
