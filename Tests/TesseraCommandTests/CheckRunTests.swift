import Foundation
import TestSupport
import Testing

@Suite struct CheckRunTests {
  private static let twins = BuiltProducts.repository.appendingPathComponent(
    "Tests/BrokenEngines/twins")
  private static let prepare = "const double width = plain_extent(in).width;"
  private static let destroy = "free(layout);"
  private static let fault = "*(volatile int *)(uintptr_t)0 = 1; "
  private static let hang = "for (;;) *(volatile double *)&layout->width = 0; "

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @discardableResult
  private func engine(
    _ name: String, _ code: String = "", before line: String = prepare
  ) throws -> String {
    let grid = try String(
      contentsOf: Self.twins.appendingPathComponent("grid.c"), encoding: .utf8)
    try folder.write("\(name).c", grid.replacing("  \(line)", with: "  \(code)\(line)"))
    try CCompiler("gcc").compile(
      folder.path("\(name).c"), to: folder.path("lib\(name).so"),
      flags: [
        "-std=c11", "-O1", "-w", "-shared", "-fPIC", "-fvisibility=hidden", "-I", Self.twins.path,
        "-lm",
      ])
    return "./lib\(name).so"
  }

  private func check(_ arguments: String...) throws -> ProgramResult {
    try Program.tessera(["check", "--level", "quick"] + arguments, in: folder)
  }

  private func count(_ text: String, in output: String) -> Int {
    output.components(separatedBy: text).count - 1
  }

  @Test(arguments: [
    ("prepare", prepare, "every pointer and index that prepare uses"),
    ("destroy", destroy, "Free in destroy, once"),
    ("create", "(*layout)->host = host;", "Check every allocation in create"),
  ]) func crashOfThePlainSampleIsReportedOnce(
    _ call: String, _ line: String, _ advice: String
  ) throws {
    let engine = try engine("crash", Self.fault, before: line)
    let text = try check(engine)
    #expect(text.status == 1, "\(text.errors)")
    #expect(count("CRASHED ", in: text.output) == 1 + 1, "\(text.output)")
    #expect(text.output.contains("\nCRASHED library-lays-out\n"))
    #expect(text.output.contains("crashed in \(call) with SIGSEGV"), "\(text.output)")
    #expect(text.output.contains(advice) && !text.output.contains("Do nothing in constructors"))
    #expect(
      text.output.contains("\nSkipped because it needs the plain sample; see library-lays-out: "))
    let json = try check(engine, "--format", "json")
    let report = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    let cases = try #require(report?["cases"] as? [[String: Any]])
    #expect(cases.count > 120)
    #expect(cases.count { $0["verdict"] as? String == "crashed" } == 1)
  }

  @Test func hangInPrepareIsFoundOnce() throws {
    let engine = try engine("hang", Self.hang)
    let start = ContinuousClock.now
    let result = try check(engine, "--timeout", "1")
    #expect(ContinuousClock.now - start < .seconds(20))
    #expect(result.status == 1)
    #expect(result.output.contains("did not return from prepare within 1 s"), "\(result.output)")
    #expect(result.output.contains("every loop and every wait in prepare ends"))
    #expect(count("\nCRASHED ", in: result.output) == 1)
  }

  @Test func failFastStopsAfterTheFirstFailure() throws {
    let engine = try engine("sections", "if (in->section_count > 1) \(Self.fault)")
    let result = try check(engine, "--fail-fast", "--filter", "counts", "--format", "tap")
    #expect(result.status == 1)
    #expect(count("\nnot ok ", in: result.output) == 1, "\(result.output)")
    #expect(count("# SKIP another case failed", in: result.output) > 5, "\(result.output)")
    let two = try check(engine, engine, "--fail-fast", "--filter", "counts", "--format", "tap")
    #expect(count("\nnot ok ", in: two.output) == 1, "\(two.output)")
    #expect(two.output.contains("# SKIP another engine failed"))
  }

  @Test func severalEnginesAreCheckedInOneRun() throws {
    let (good, bad) = (try engine("good"), try engine("bad", Self.fault))
    let both = try check(bad, good, "--filter", "counts")
    #expect(both.status == 1, "\(both.errors)")
    #expect(both.output.hasPrefix("checking ./libbad.so\n"), "\(both.output)")
    #expect(both.output.contains("\n\nchecking ./libgood.so\npassed counts-zero\n"))
    #expect(count(" at quick: ", in: both.output) == 2)
    #expect(both.output.hasSuffix("\n2 engines, 1 passed, 1 failed: ./libbad.so\n"))
    let json = try check(good, bad, "--filter", "counts", "--format", "json")
    let list = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]]
    #expect(list?.compactMap { $0["passed"] as? Bool } == [true, false])
    let junit = try check(good, bad, "--filter", "counts", "--format", "junit")
    #expect(count("<testsuites ", in: junit.output) == 1)
    #expect(count("<testsuite ", in: junit.output) == 2)
    let tap = try check(good, bad, "--filter", "counts", "--format", "tap", "-o", "report.tap")
    #expect(tap.status == 1 && tap.output.isEmpty)
    #expect(try folder.read("report.tap").contains("\n1..28\n"))
    let missing = try check(good, "./libnone.so")
    #expect(missing.status == 66 && missing.output.isEmpty)
  }
}
