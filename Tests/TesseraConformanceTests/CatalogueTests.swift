import TesseraHost
import Testing

@testable import TesseraConformance

@Suite struct CatalogueTests {
  @Test func idsAreKebabCaseUniqueAndBeginWithTheirCategory() {
    var known = Set<String>()
    for examined in Catalogue.cases {
      #expect(known.insert(examined.id).inserted, "\(examined.id) is there twice")
      let parts = examined.id.split(separator: "-", omittingEmptySubsequences: false)
      let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789")
      #expect(parts.allSatisfy { !$0.isEmpty && letters.isSuperset(of: $0) }, "\(examined.id)")
      #expect(parts.first.map(String.init) == examined.category.rawValue, "\(examined.id)")
    }
    #expect(known.count >= 40)
  }

  @Test func filtersMatchIdsCategoriesAndWildcards() throws {
    func ids(_ patterns: String..., level: CaseLevel = .thorough) throws -> [String] {
      try Catalogue.cases(upTo: level, matching: patterns).map(\.id)
    }
    #expect(try ids("counts-two") == ["counts-two"])
    #expect(
      try ids("counts-t*") == ["counts-two", "counts-three", "counts-ten", "counts-thousand"])
    #expect(try ids("counts-*-section-*").count == 3)
    #expect(
      try ids("geometry") == Catalogue.cases.filter { $0.category == .geometry }.map(\.id))
    #expect(try ids("query-*", "counts-two").last == "counts-two")
    #expect(try ids("counts-hundred-thousand", level: .quick) == ["counts-hundred-thousand"])
    #expect(try !ids("counts", level: .quick).contains("counts-hundred-thousand"))
    let error = #expect(throws: HostError.self) { try ids("geometri") }
    #expect(error?.kind == .invalidInput)
    #expect(error?.message.contains("did you mean geometry?") == true)
  }
}
