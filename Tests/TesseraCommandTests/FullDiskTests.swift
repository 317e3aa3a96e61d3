import Foundation
import TestSupport
import Testing

/// Out of space.
///
/// The disk is a tmpfs of 32 KiB, visible only to the test's processes.
@Suite struct FullDiskTests {
  private static let namespace = geteuid() == 0 ? "unshare -m" : "unshare -rm"
  private static let canMount =
    (try? Program.run(
      "bash", ["-c", "\(namespace) mount -t tmpfs -o size=32k test /mnt"]
    ).status) == 0

  /// Runs the command with `full` as the disk, then lists it.
  private func run(_ arguments: String, beforehand: String = "true") throws -> ProgramResult {
    let folder = try TemporaryFolder()
    try folder.makeFolder("full")
    try FileManager.default.copyItem(
      atPath: BuiltProducts.engine("Mosaic").path, toPath: folder.path("libmosaic.so"))
    return try Program.shell(
      """
      \(Self.namespace) bash -c '
        mount -t tmpfs -o size=32k,mode=755 test full
        \(beforehand)
        export HOME=$PWD/full TESSERA_PATH=\(BuiltProducts.folder.path)
        \(Program.tessera) \(arguments)
        echo $?
        find full -type f ! -path "*/.cache/*" ! -name before
      '
      """, in: folder)
  }

  @Test(
    .enabled(if: canMount, "this machine does not let the user mount a file system"),
    arguments: [
      "install --no-check ./libmosaic.so", "layout grid --items 3000 -o full/x.json",
      "trust add --allowlist full/list ./libmosaic.so",
    ])
  func fullDiskIsReported(arguments: String) throws {
    let result = try run(
      arguments,
      beforehand: arguments.hasPrefix("trust") ? "cat /dev/zero >full/before 2>/dev/null" : "true")
    #expect(result.output == "73\n", "\(result.output)\(result.errors)")
    #expect(
      result.errors.contains(
        "the disk is full (No space left on device); free space there"), "\(result.errors)")
    #expect(!result.errors.contains("writable"))
  }
}
