import Foundation
import TestSupport
import Testing

@Suite struct DoctorTests {
  private func report(_ result: ProgramResult) throws -> [String: Any] {
    try #require(
      JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any],
      "\(result.errors)")
  }

  private func object(_ name: String, in report: [String: Any]) throws -> [String: Any] {
    try #require(report[name] as? [String: Any], "\(name)")
  }

  @Test func reportMatchesThisMachine() throws {
    let home = try TemporaryFolder()
    let result = try Program.tessera(
      "doctor", "--json", environment: ["HOME": home.path])
    let report = try report(result)
    #expect(report["version"] as? String == "1.0.0")
    #expect((report["abi"] as? [String])?.count == 2)
    let kernel = try object("kernel", in: report)
    let release = try String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)
    #expect(kernel["release"] as? String == release.trimmingCharacters(in: .newlines))
    let worker = try object("worker", in: report)
    #expect((worker["program"] as? String)?.hasSuffix("/tessera-worker") == true)
    #expect(worker["secondsPerCall"] as? Double == 10)
    #expect((report["engines"] as? Int ?? 0) >= 9)
    let cache = try object("cache", in: report)
    #expect(cache["folder"] as? String == home.path(".cache/tessera/8"))
    let allowlist = try object("allowlist", in: report)
    #expect(allowlist["file"] as? String == home.path(".config/tessera/trusted"))
    #expect(allowlist["libraries"] is NSNull)
    #expect(try object("environment", in: report)["HOME"] as? String == home.path)
    let soft = try Program.run("bash", ["-c", "ulimit -Sn"]).output
    #expect("\(try object("process", in: report)["RLIMIT_NOFILE"] as? Int ?? -1)\n" == soft)
    let sandboxed = try #require(report["sandboxed"] as? Bool)
    #expect(result.status == (sandboxed ? 0 : 1))
    #expect((report["wrong"] as? [String])?.isEmpty == sandboxed)
    if sandboxed { #expect((worker["startSeconds"] as? Double ?? 0) > 0) }
  }

  @Test(arguments: ["sandbox", "process"]) func brokenWorkerIsNoCrashOfTheLibrary(isolation: String)
    throws
  {
    let folder = try TemporaryFolder()
    try folder.write("worker", "#!/bin/sh\nkill -SEGV $$\n")
    chmod(folder.path("worker"), 0o755)
    let environment = ["XDG_CACHE_HOME": folder.path("cache")]
    for _ in 0..<4 {
      let broken = try Program.tessera(
        "layout", "grid", "--isolation", isolation,
        environment: environment.merging(["TESSERA_WORKER": folder.path("worker")]) { $1 })
      #expect([66, 69].contains(broken.status), "\(broken.errors)")
      #expect(broken.errors.contains("crashed with SIGSEGV"), "\(broken.errors)")
      #expect(broken.errors.contains("before it loaded a library"), "\(broken.errors)")
    }
    let whole = try Program.tessera(
      "layout", "grid", "--isolation", isolation, environment: environment)
    #expect(whole.status == 0, "\(whole.errors)")
  }

  @Test func refusalIsReportedWithItsReason() throws {
    let folder = try TemporaryFolder()
    try folder.write("libtext.so", "not a library")
    let open = try folder.makeFolder("open")
    #expect(chmod(open, 0o777) == 0)
    let result = try Program.tessera(
      "doctor", environment: ["TESSERA_PATH": "\(folder.path):\(open):/none"])
    let (sandboxed, text) = (result.status == 0, result.output)
    #expect(text.hasPrefix(sandboxed ? "engines run" : "engines do not run"))
    let weaker = try #require(text.range(of: "\nWEAKER\n"))
    let kernel = try #require(text.range(of: "\nKERNEL\n"))
    let summary = text[weaker.upperBound..<kernel.lowerBound]
    #expect(summary.contains("\(folder.path("libtext.so")): it is a text file"))
    #expect(summary.contains("skipped"))
    #expect(summary.contains("chmod o-w \(open)"))
    #expect(text.contains("  1 library "))
    #expect(text.contains("  missing "))
  }

  /// setuid copy: only root can make one.
  @Test(.enabled(if: geteuid() == 0, "only root may give files away"))
  func privilegedProcessIgnoresTheEnvironment() throws {
    let folder = try TemporaryFolder()
    for name in ["tessera", "tessera-worker"] {
      try FileManager.default.copyItem(
        at: BuiltProducts.folder.appendingPathComponent(name),
        to: URL(fileURLWithPath: folder.path(name)))
    }
    #expect(chown(folder.path("tessera"), 65534, 0) == 0)
    #expect(chmod(folder.path("tessera"), 0o4755) == 0)
    let home = try TemporaryFolder()
    let result = try Program.run(
      folder.path("tessera"), ["doctor", "--format", "json"],
      environment: [
        "HOME": home.path, "TESSERA_WORKER": "/bin/false", "TESSERA_PATH": home.path,
      ])
    let report = try report(result)
    #expect(try object("process", in: report)["privileged"] as? Bool == true)
    #expect(
      try object("worker", in: report)["program"] as? String == folder.path("tessera-worker"))
    #expect(try object("cache", in: report)["folder"] is NSNull)
    #expect(try object("allowlist", in: report)["file"] is NSNull)
    let path = try #require(report["searchPath"] as? [[String: Any]])
    #expect(!path.contains { $0["path"] as? String == home.path })
    #expect(try home.names == [])
  }
}
