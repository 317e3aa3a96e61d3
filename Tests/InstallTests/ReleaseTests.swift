import Foundation
import TestSupport
import Testing

/// What Tools/release makes of this build, and what `--verify` says about it, whole and harmed.
@Suite(
  .enabled(
    if: Tool.isPresent("dpkg-gencontrol") && Tool.isPresent("git"),
    "dpkg-dev and git are needed"))
struct ReleaseTests {
  /// A release of this build, made once for all tests, also those of the packages in it.
  static let made = Result { try make("release-made") }

  private static func make(_ name: String) throws -> String {
    let folder = BuiltProducts.folder.appendingPathComponent(name).path
    try? FileManager.default.removeItem(atPath: folder)
    let result = try tool(
      "--products", BuiltProducts.folder.path, "--compression", "none", folder)
    try #require(result.status == 0, "\(result.errors)")
    return folder
  }

  private static func tool(_ arguments: String...) throws -> ProgramResult {
    try Program.run("\(BuiltProducts.repository.path)/Tools/release", arguments)
  }

  /// A copy that shares its files with the release until they are replaced.
  private func copy() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let made = try Self.made.get()
    let copied = try Program.run("cp", ["-R", "--reflink=auto", made, folder.path("release")])
    try #require(copied.status == 0, "\(copied.errors)")
    return folder
  }

  @Test func theSumsAreThoseOfTheSystem() throws {
    let folder = try Self.made.get()
    let checked = try Program.run("sha256sum", ["--check", "--strict", "SHA256SUMS"], in: folder)
    #expect(checked.status == 0, "\(checked.output)\(checked.errors)")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(checked.output.split(separator: "\n").count == files.count - 1)
    // With those of the view, where GTK is installed.
    #expect([4, 8].contains(files.filter { $0.hasSuffix(".deb") }.count))
    #expect(files.filter { $0.hasSuffix(".whl") }.count == 1)
  }

  /// The files of the commit as git itself archives them.
  @Test func theSourcesAreThoseOfTheCommit() throws {
    let folder = try Self.made.get()
    let root = BuiltProducts.repository.path
    let lines = """
      tar tf \(folder)/tessera-*-source.tar | grep -v '/$' | sed 's|^[^/]*/||' | LC_ALL=C sort
      """
    let packed = try Program.run("bash", ["-eo", "pipefail", "-c", lines])
    let listed = try Program.run(
      "bash",
      [
        "-ec", "for file in $(git ls-files); do [ ! -e $file ] || echo $file; done | LC_ALL=C sort",
      ], in: root)
    #expect(packed.output == listed.output && packed.output.contains("\nREADME.md\n"))
  }

  /// It runs the first page's commands with the archive, the wheel and the image.
  @Test func aReleaseIsVerified() throws {
    let result = try Self.tool("--verify", "--quick", Self.made.get())
    #expect(result.status == 0, "\(result.errors)")
    for name in ["-linux-", ".whl\n"] {
      #expect(
        result.output.contains(/first page's commands run with \S*/) && result.output.contains(name)
      )
    }
    #expect(
      result.output.contains("-image-") || result.output.contains("not tried: the image"),
      "\(result.output)")
  }

  /// Packages, wheel, archives, site and image.
  @Test(.enabled(if: Soak.isFull, "Tools/soak runs it: it makes a whole release again"))
  func theSameCommitMakesTheSameBytes() throws {
    let again = try Self.make("release-again")
    let result = try Program.run("diff", ["-r", Self.made.get(), again])
    #expect(result.status == 0, "\(result.output)")
  }

  /// Each harm, done in the folder by a line of shell, and the sentence about it.
  @Test(arguments: [
    ("echo >>$(ls *.whl)", ".whl is not what was released: its sum is "),
    ("rm RELEASE-NOTES.md", "RELEASE-NOTES.md is missing, and SHA256SUMS lists it"),
    ("rm RELEASE-NOTES.md; sed -i /NOTES/d SHA256SUMS", "lists 0 files for the release notes"),
    ("touch new", "SHA256SUMS does not list new; remove it"),
    ("echo x >>SHA256SUMS", "/SHA256SUMS is no sum and name; download the file again"),
    (
      "truncate -s -900000 *-image-*.tar; rm SHA256SUMS; sha256sum * >../s; mv ../s SHA256SUMS",
      ".tar cannot be unpacked: unexpected end of data"
    ),
    (
      "sed -i 0,/SPDXRef-Package-libffi/s//SPDXRef-Other/ *.json; rm SHA256SUMS; sha256sum * >../s; mv ../s SHA256SUMS",
      "relates SPDXRef-Package-libffi, which it does not list"
    ),
    (
      """
      mkdir ../i; tar xf *-image-*.tar -C ../i; blob=$(ls -S ../i/blobs/sha256/* | head -1); printf x >>$blob
      tar cf $(ls *-image-*.tar) -C ../i .; rm SHA256SUMS; sha256sum * >../s; mv ../s SHA256SUMS
      """, "bytes with another sum as the blob "
    ),
  ])
  func harmIsReported(harm: String, sentence: String) throws {
    let folder = try copy()
    let harmed = try Program.run("bash", ["-ec", harm], in: folder.path("release"))
    try #require(harmed.status == 0, "\(harmed.errors)")
    let result = try Self.tool("--verify", "--quick", folder.path("release"))
    #expect(result.status == (harm.hasPrefix("echo x") ? 65 : 1))
    #expect(result.errors.contains(sentence), "\(result.errors)")
    #expect(!result.errors.contains("Traceback") && !result.output.contains("passed"))
  }

  @Test func wrongArgumentsAreRejected() throws {
    let folder = try TemporaryFolder()
    try folder.write("file", "")
    let full = try Self.tool(folder.path)
    #expect(full.status == 73 && full.errors.contains("is there already; give a new folder"))
    let none = try Self.tool("--verify", folder.path)
    #expect(none.status == 66 && none.errors.contains("there is no \(folder.path)/SHA256SUMS"))
    let unbuilt = try Self.tool("--products", folder.path, folder.path("new"))
    #expect(unbuilt.status == 66 && unbuilt.errors.contains("holds no tessera"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("new")))
  }
}
