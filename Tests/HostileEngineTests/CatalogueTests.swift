import CTesseraSystem
import Testing

@Suite struct CatalogueTests {
  @Test func everyHostileEngineHasACase() {
    #expect(Set(HostileSources.files.keys) == Set(HostileCases.everything.map(\.source)))
  }

  @Test func machineOffersASandbox() {
    let offer = tessera_sandbox_offer_of_kernel()
    #expect(offer.landlock >= 1 && offer.seccomp == 1 && offer.no_new_privileges == 1)
  }
}
