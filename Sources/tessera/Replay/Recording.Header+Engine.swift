import TesseraConformance
import TesseraHost
import TesseraScenario

extension Recording.Header {
  /// The first line of a recording that is made now of an engine.
  init(_ engine: Engine) {
    self.init(
      engine: engine.description.id, version: engine.description.version,
      library: engine.library, host: Tessera.configuration.version)
  }

  /// The first line of a recording of what is checked, which may be no engine at all.
  init(_ subject: CheckSubject) {
    if let engine = try? subject.engine {
      self.init(engine)
    } else {
      self.init(
        engine: subject.name, version: "", library: subject.name,
        host: Tessera.configuration.version)
    }
  }

  private init(engine: String, version: String, library: String, host: String) {
    self.init(
      engine: engine, version: version,
      library: library.split(separator: "/").last.map(String.init) ?? library,
      digest: (try? SHA256Digest(ofFile: library))?.description ?? "", host: host)
  }
}
