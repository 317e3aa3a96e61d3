import TesseraConformance
import TesseraHost
import Testing

extension CheckSubject {
  init(under library: String) throws {
    let folder = String(library[..<(library.lastIndex(of: "/") ?? library.startIndex)])
    var configuration = HostConfiguration()
    configuration.limits.secondsPerCall = 2
    configuration.refusalTime = 0
    let host = TesseraHost.Host(
      searchPath: SearchPath(folders: [folder]), configuration: configuration)
    try self.init(library, host: host)
  }
}

extension ConformanceReport {
  init(_ subject: CheckSubject, cases: [String], level: CaseLevel = .quick) throws {
    var options = ConformanceSuite.Options()
    options.level = level
    options.filters = cases
    options.jobs = 1
    // Shrinking doesn't change the message, so it can stop early.
    options.shrinker.tries = 3
    self = try ConformanceSuite(subject, options).run()
  }

  func keeps(_ promises: [BrokenEngine.Promise]) -> Bool {
    promises.allSatisfy { promise in
      results.contains { $0.examined.id == promise.id && promise.isKept(by: $0.verdict) }
    }
  }

  func expectOnly(_ promises: [BrokenEngine.Promise]) {
    // Make sure every expected case ran.
    let examined = Set(results.map(\.examined.id))
    #expect(examined.isSuperset(of: promises.map(\.id)))
    for result in results {
      let promised = promises.filter { $0.id == result.examined.id }
      let name = result.verdict.name
      if promised.isEmpty {
        #expect(
          ["passed", "skipped", "warning"].contains(name),
          "\(result.examined.id) is not named: \(result.verdict)")
      }
      for promise in promised {
        #expect(
          promise.isKept(by: result.verdict),
          "expected \(promise.id) to be \(promise.verdict) with \"\(promise.text)\": \(result.verdict)"
        )
      }
    }
  }
}

extension BrokenEngine.Promise {
  fileprivate func isKept(by found: Verdict) -> Bool {
    let message = found.finding.map { "expected \($0.expected), found \($0.found)" }
    return found.name == verdict && message?.contains(text) == true
  }
}
