import Foundation
import TestSupport
import Testing

@testable import TesseraConformance

/// Reports compared with literal text.
@Suite struct ReportTests {
  private let report = SampleReport.report

  @Test func textFollowsTheCatalogue() {
    #expect(
      report.text() == """
        FAILED geometry-two
          rule      A rule holds
          input     2 items, bounds 375x667
          expected  a < b & "c"
          found     cell 1 # none
          why       Somebody needs it
          remedy    Keep to it
          reproduce tessera check ./libspiral.so --filter geometry-two --seed 7
          layout    printf %s '{"sections":[{"items":2}]}' | tessera layout ./libspiral.so --scenario -

        CRASHED query-three
          rule      A rule holds
          expected  an answer
          found     signal 11
          why       Somebody needs it
          remedy    Keep to it
          reproduce tessera check ./libspiral.so --filter query-three --seed 7

        WARNING counts-four
          rule      A rule holds
          expected  an answer
          found     2\u{1} s
          why       Somebody needs it
          remedy    Keep to it
          reproduce tessera check ./libspiral.so --filter counts-four --seed 7

        CATEGORY  PASSED  FAILED  CRASHED  WARNING  SKIPPED
        geometry       1       1        ·        ·        ·
        query          ·       ·        1        ·        ·
        counts         ·       ·        ·        1        1

        Exercised: 1 of 2 parameters, 1 of 1 kinds
          not exercised: parameters itemSize
        Skipped because it declares no #kinds: counts-five

        ./libspiral.so failed at quick: 1 failed, 1 crashed, 1 warning, 1 passed, 1 skipped; seed 7, \
        1.250 s

        """)
    #expect(report.description == report.text())
    let all = report.text(listsPassed: true)
    #expect(all == "passed geometry-one\n\n" + report.text())
  }

  @Test func coloursAreOptional() {
    #expect(!report.text().contains("\u{1B}"))
    let coloured = report.text(isColoured: true)
    #expect(coloured.contains("\u{1B}[1;31mFAILED\u{1B}[0m geometry-two"))
    #expect(coloured.contains("\u{1B}[1;33mWARNING\u{1B}[0m counts-four"))
  }

  @Test func jsonHasTheDocumentedShape() throws {
    let text = [report].json
    let root = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(
      Set(root.keys) == [
        "subject", "engine", "version", "library", "level", "seed", "seconds", "passed", "counts",
        "cases", "exercised",
      ])
    #expect(root["passed"] as? Bool == false)
    #expect(root["seconds"] as? Double == 1.25)
    #expect(
      root["counts"] as? [String: Int] == [
        "passed": 1, "failed": 1, "crashed": 1, "warning": 1, "skipped": 1,
      ])
    let cases = try #require(root["cases"] as? [[String: Any]])
    let always: Set = ["id", "category", "level", "rule", "verdict", "samples", "seconds"]
    let found: Set = ["why", "remedy", "expected", "found", "seed", "command"]
    #expect(Set(cases[0].keys) == always)
    #expect(Set(cases[1].keys) == always.union(found).union(["sample", "layoutCommand"]))
    #expect(Set(cases[2].keys) == always.union(found))
    #expect(Set(cases[4].keys) == always.union(["reason"]))
    #expect(cases.compactMap { $0["verdict"] as? String }.count == 5)
    let exercised = try #require(root["exercised"] as? [[String: Any]])
    #expect(exercised[0]["declared"] as? [String] == ["spacing", "itemSize"])
    #expect(exercised[0]["exercised"] as? [String] == ["spacing"])
  }

  @Test func junitIsXMLWithASuiteForEachCategory() {
    #expect(
      [report].junit == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="tessera check ./libspiral.so" tests="5" failures="1" errors="1" time="1.250">
          <testsuite name="geometry" tests="2" failures="1" errors="0" skipped="0" time="0.010">
            <properties>
              <property name="exercised parameters" value="1 of 2"/>
              <property name="exercised kinds" value="1 of 1"/>
              <property name="not exercised parameters" value="itemSize"/>
            </properties>
            <testcase name="geometry-one" classname="./libspiral.so.geometry" time="0.005"/>
            <testcase name="geometry-two" classname="./libspiral.so.geometry" time="0.005">
              <failure type="violation" message="expected a &lt; b &amp; &quot;c&quot;; found cell 1 \
        # none">rule: A rule holds
        input: 2 items, bounds 375x667
        expected: a &lt; b &amp; &quot;c&quot;
        found: cell 1 # none
        why: Somebody needs it
        remedy: Keep to it
        reproduce: tessera check ./libspiral.so --filter geometry-two --seed 7
        layout: printf %s '{&quot;sections&quot;:[{&quot;items&quot;:2}]}' | tessera layout \
        ./libspiral.so --scenario -</failure>
            </testcase>
          </testsuite>
          <testsuite name="query" tests="1" failures="0" errors="1" skipped="0" time="0.005">
            <testcase name="query-three" classname="./libspiral.so.query" time="0.005">
              <error type="crash" message="expected an answer; found signal 11">rule: A rule holds
        expected: an answer
        found: signal 11
        why: Somebody needs it
        remedy: Keep to it
        reproduce: tessera check ./libspiral.so --filter query-three --seed 7</error>
            </testcase>
          </testsuite>
          <testsuite name="counts" tests="2" failures="0" errors="0" skipped="1" time="0.010">
            <testcase name="counts-four" classname="./libspiral.so.counts" time="0.005">
              <system-out>rule: A rule holds
        expected: an answer
        found: 2\u{FFFD} s
        why: Somebody needs it
        remedy: Keep to it
        reproduce: tessera check ./libspiral.so --filter counts-four --seed 7</system-out>
            </testcase>
            <testcase name="counts-five" classname="./libspiral.so.counts" time="0.005">
              <skipped message="it declares no #kinds"/>
            </testcase>
          </testsuite>
        </testsuites>

        """)
  }

  @Test func tapIsVersion13() {
    #expect(
      [report].tap == ##"""
        TAP version 13
        1..5
        # ./libspiral.so, level quick, seed 7
        ok 1 - geometry-one
        not ok 2 - geometry-two
          ---
          severity: "failed"
          rule: "A rule holds"
          input: "{\"sections\":[{\"items\":2}]}"
          expected: "a < b & \"c\""
          found: "cell 1 # none"
          why: "Somebody needs it"
          remedy: "Keep to it"
          seed: "7"
          command: "tessera check ./libspiral.so --filter geometry-two --seed 7"
          layout: "printf %s '{\"sections\":[{\"items\":2}]}' | tessera layout ./libspiral.so --scenario -"
          ...
        not ok 3 - query-three
          ---
          severity: "crashed"
          rule: "A rule holds"
          expected: "an answer"
          found: "signal 11"
          why: "Somebody needs it"
          remedy: "Keep to it"
          seed: "7"
          command: "tessera check ./libspiral.so --filter query-three --seed 7"
          ...
        ok 4 - counts-four
          ---
          severity: "warning"
          rule: "A rule holds"
          expected: "an answer"
          found: "2\u0001 s"
          why: "Somebody needs it"
          remedy: "Keep to it"
          seed: "7"
          command: "tessera check ./libspiral.so --filter counts-four --seed 7"
          ...
        ok 5 - counts-five # SKIP it declares no \#kinds
        # Exercised: 1 of 2 parameters, 1 of 1 kinds
        #   not exercised: parameters itemSize

        """##)
  }

  /// Perl's harness must agree on the verdicts.
  @Test(.secondRing) func proveReadsTAP() throws {
    let folder = try TemporaryFolder()
    try folder.write("report.tap", [report].tap)
    let result = try Program.run("prove", ["-e", "cat", "report.tap"], in: folder.path)
    #expect(result.status == 1, "\(result.errors)")
    #expect(result.output.contains("Failed 2/5 subtests"), "\(result.output)")
    #expect(result.output.contains("Failed tests:  2-3"), "\(result.output)")
    #expect(!result.output.contains("Parse errors"), "\(result.output)")
    #expect(result.output.contains("skipped"), "\(result.output)")
  }
}
