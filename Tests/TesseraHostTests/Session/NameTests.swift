import TesseraGeometry
import TesseraHost
import Testing

/// Names, types and counts that are wrong: each is told in one sentence with what is right.
@Suite struct NameTests {
  let session: Session

  init() throws { session = try FixtureLibrary.inputs.get().session("inputs") }

  private func expect(
    _ parts: String..., at location: SourceLocation = #_sourceLocation,
    from body: () throws -> Void
  ) throws {
    let error = try hostError(body)
    #expect(error.kind == .invalidInput, sourceLocation: location)
    for part in parts {
      #expect(error.message.contains(part), "\(error.message)", sourceLocation: location)
    }
    #expect(!error.message.hasSuffix("."), sourceLocation: location)
  }

  @Test func anUnknownParameterIsToldWithTheOneThatIsMeant() throws {
    try expect("org.example.inputs", "\"rati\"", "did you mean ratio?") {
      try session.setParameter("rati", to: .number(1))
    }
    try expect("\"zzzzzz\"", "flag, count, ratio") {
      try session.setParameter("zzzzzz", to: .number(1))
    }
    try expect("\"Flag\"", "did you mean flag?") { try session.resetParameter("Flag") }
  }

  @Test func anotherTypeIsToldWithBoth() throws {
    try expect("count", "number", "integer") {
      try session.setParameter("count", to: .number(3))
    }
    try expect("extent", "point", "size") {
      try session.setParameter("extent", to: .point(.zero))
    }
    try expect("mode", "integer", "enum") { try session.setParameter("mode", to: .integer(1)) }
  }

  @Test func aValueOutOfRangeIsToldWithTheRange() throws {
    try expect("count is 0", "1 to 10") { try session.setParameter("count", to: .integer(0)) }
    try expect("count is 11", "1 to 10") { try session.setParameter("count", to: .integer(11)) }
    try expect("ratio is 1.5", "1 or less") {
      try session.setParameter("ratio", to: .number(1.5))
    }
    try expect("extent is 10x50.5", "height 0 to 50") {
      try session.setParameter("extent", to: .size(Size(width: 10, height: 50.5)))
    }
    try expect("extent is -1x5", "width 0 or more") {
      try session.setParameter("extent", to: .size(Size(width: -1, height: 5)))
    }
    try expect("ratio", "nan", "finite") {
      try session.setParameter("ratio", to: .number(.nan))
    }
    // Nothing of all that was taken.
    #expect(try session.elements().count == 6)
  }

  @Test func aChoiceThatIsNoneIsToldWithAll() throws {
    try expect("mode is \"mad\"", "calm, lively, wild") {
      try session.setParameter("mode", to: .choice("mad"))
    }
    try expect("mode at place 1", "\"mad\"", "calm, lively, wild") {
      try session.setSections([2])
      try session.setItemValues("mode", .choices(["calm", "mad"]))
    }
    try expect("mode", "\"mad\"") {
      try session.setItemValues("mode", .constant(.choice("mad")))
    }
  }

  @Test func valuesOfTheWrongCountAreToldWithBoth() throws {
    try session.setSections([5, 7])
    try expect("weight has 9 values for 12 items; give one value, or 12") {
      try session.setItemValues("weight", .numbers(Array(repeating: 1, count: 9)))
    }
    try expect("margin has 3 values for 2 sections; give one value, or 2") {
      try session.setSectionValues("margin", .insets(Array(repeating: .zero, count: 3)))
    }
  }

  @Test func valuesOfTheWrongScopeNameOrTypeAreTold() throws {
    try expect("no section value \"weight\"", "margin") {
      try session.setSectionValues("weight", .constant(.number(1)))
    }
    try expect("no item value \"wieght\"", "did you mean weight?") {
      try session.setItemValues("wieght", .constant(.number(1)))
    }
    try expect("weight", "size", "number") {
      try session.setItemValues("weight", .sizes(Array(repeating: .zero, count: 6)))
    }
  }

  @Test func valuesThatAreNotFiniteAreToldWithTheirPlace() throws {
    try session.setSections([3])
    try expect("weight at place 1") {
      try session.setItemValues("weight", .numbers([0, .nan, .infinity]))
    }
    try expect("extent at place 2") {
      try session.setItemValues(
        "extent", .sizes([.zero, .zero, Size(width: 0, height: -.infinity)]))
    }
    try expect("weight is inf") {
      try session.setItemValues("weight", .constant(.number(.infinity)))
    }
    try expect("margin") {
      try session.setSectionValues("margin", .insets([Insets(right: .nan)]))
    }
  }

  @Test func countsThatAreNoneAreTold() throws {
    try expect("section 1 has -1 items") { try session.setSections([4, -1]) }
    try expect("2^62") { try session.setSections([1 << 62, 1]) }
    try expect("2^62") { try session.setSections([Int.max]) }
    #expect(session.itemCounts == [6])
  }
}
