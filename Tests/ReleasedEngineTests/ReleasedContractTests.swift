import Foundation
import TesseraConformance
import TesseraHost
import TestSupport
import Testing

/// Every released version of the contract is kept, and stays as it was released.
@Suite struct ReleasedContractTests {
  /// The first version that is kept is 0.5.
  @Test func everyVersionBeforeTheCurrentOneIsKept() {
    let current = ABIVersion.current
    #expect(current.major == 0, "list the last minor version of each major version here")
    for minor in 5..<max(5, current.minor) {
      #expect(
        ReleasedLibraries.versions.contains("0.\(minor)"),
        """
        Tests/Fixtures/released has no folder 0.\(minor), and the header is of version \(current); \
        copy the headers of the last commit of 0.\(minor), as the README there says
        """)
    }
  }

  @Test(arguments: ReleasedLibraries.versions)
  func folderHasTheHeaderOfItsVersion(_ version: String) throws {
    let header = ReleasedLibraries.fixtures
      .appendingPathComponent("\(version)/include/tessera/tessera.h")
    let text = try String(contentsOf: header, encoding: .utf8)
    let numbers = version.split(separator: ".")
    #expect(text.contains("#define TESSERA_ABI_MAJOR \(numbers[0])\n"))
    #expect(text.contains("#define TESSERA_ABI_MINOR \(numbers[1])\n"))
    #expect("\(ABIVersion.supported.lowerBound)" <= version)
    #expect(version <= "\(ABIVersion.supported.upperBound)")
  }

  @Test(arguments: ReleasedLibraries.versions)
  func nothingInAReleasedVersionChanges(_ version: String) throws {
    let folder = ReleasedLibraries.fixtures.appendingPathComponent(version)
    let result = try Program.run(
      "sha256sum", ["--check", "--strict", "--quiet", "SHA256SUMS"], in: folder.path)
    #expect(result.status == 0, "\(version): \(result.output)\(result.errors)")
    let sums = try String(
      contentsOf: folder.appendingPathComponent("SHA256SUMS"), encoding: .utf8)
    let listed = sums.split(separator: "\n").map { String($0.dropFirst(66)) }
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
      !["", "SHA256SUMS"].contains($0)
        && (try? FileManager.default.contentsOfDirectory(
          atPath: folder.appendingPathComponent($0).path)) == nil
    }
    #expect(Set(files) == Set(listed))
  }

  @Test(arguments: ReleasedLibraries.forms)
  func enginesPassTheSuite(_ form: ReleasedLibraries.Form) throws {
    let host = try ReleasedLibraries.version05(form).host(.sandbox)
    let listing = host.listing()
    #expect(listing.refused.isEmpty, "\(listing.refused.map(\.error.message))")
    let ids = Set(listing.engines.map(\.description.id))
    #expect(
      ids.subtracting(["org.tessera.grid"]) == [
        "org.example.climbing-rungs", "org.example.notices", "org.example.queue",
        "org.example.rungs", "org.example.squares", "org.example.tiles",
      ])
    // The kept libraries are the same engines.
    for id in ids.sorted() where form == .compiled || id == "org.tessera.grid" {
      var options = ConformanceSuite.Options()
      (options.level, options.jobs) = (.quick, 1)
      let report = try ConformanceSuite(CheckSubject(id, host: host), options).run()
      #expect(report.isPassed, "\(id), \(form): \(report)")
    }
  }

  @Test(.enabled(if: !ReleasedLibraries.forms.contains(.kept), "this machine is an x86-64"))
  func keptLibrariesAreLeftOut() {
    print("The libraries that were compiled at the time of 0.5 are left out: they are for x86-64.")
  }
}
