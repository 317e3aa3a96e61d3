import Testing

@testable import TesseraHost

@Suite struct DiagnosisTests {
  @Test(
    arguments: [(0, 0), (1, 1), (2, 1), (3, 2), (4, 3), (5, 4), (6, 5), (7, 5)] as [(Int, Int)])
  func protectionsComeWithVersions(version: Int, count: Int) {
    let kernel = KernelOffer(
      release: "6.1", machine: "x86_64", dropsPrivileges: true, filtersCalls: true,
      landlock: version)
    #expect(KernelOffer.Protection.allCases.count { kernel.protects($0) } == count)
  }
}
