import CTessera
import CTesseraNote
import Testing

@testable import TesseraSDK

private final class One: PreparingLayout {
  static let identity = EngineIdentity.example("One")
  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {}
}

private final class Two: PreparingLayout {
  static let identity = EngineIdentity.example("Two")
  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {}
}

@Suite struct RegistrationTests {
  @Test func rejectedEngineDoesNotAffectOthers() {
    let host = FakeHost()
    host.registryAnswers = [TESSERA_ERROR_INVALID_VALUE]
    #expect(host.registry.add(One.self, Two.self, host: host.reference) == TESSERA_OK)
    #expect(host.engines.map { String(cString: $0.pointee.id) } == ["org.example.two"])
  }

  @Test func rejectionOfAllIsReturned() {
    let host = FakeHost()
    host.registryAnswers = [TESSERA_ERROR_INVALID_VALUE, TESSERA_ERROR_UNSUPPORTED]
    withExtendedLifetime(host) {
      #expect(
        host.registry.add(One.self, Two.self, host: host.reference) == TESSERA_ERROR_INVALID_VALUE)
    }
  }

  @Test(arguments: [(0, 6), (2, 0)] as [(UInt32, UInt32)])
  func hostWithAnotherABIIsRejected(major: UInt32, minor: UInt32) {
    let host = FakeHost(abiMajor: major, abiMinor: minor)
    #expect(host.registry.add(One.self, host: host.reference) == TESSERA_ERROR_UNSUPPORTED)
    #expect(host.engines.isEmpty)
    #expect(
      host.messages == [
        "the host speaks ABI \(major).\(minor), this library needs 1.0 or a later 1.x; "
          + "update the host"
      ])
  }

  @Test func theNoteStatesTheHeadersVersion() {
    #expect(tessera_note_abi_major() == UInt32(TESSERA_ABI_MAJOR))
    #expect(tessera_note_abi_minor() == UInt32(TESSERA_ABI_MINOR))
  }
}
