import CTesseraSystem
import Testing

/// What the other tests prove is proven only where there is something to keep engines in.
@Suite struct MachineTests {
  @Test func machineOffersASandbox() {
    let offer = tessera_sandbox_offer_of_kernel()
    #expect(offer.landlock_files == 1)
    #expect(offer.seccomp == 1)
    #expect(offer.no_new_privileges == 1)
  }
}
