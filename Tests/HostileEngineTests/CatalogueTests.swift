import Testing

@Suite struct CatalogueTests {
  /// An engine without a case would never run.
  @Test func everyHostileEngineHasACase() {
    #expect(Set(HostileSources.files.keys) == Set(HostileCases.everything.map(\.source)))
  }
}
