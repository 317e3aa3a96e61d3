import CTessera

@testable import TesseraSDK

extension EngineIdentity {
  static func example(_ name: String) -> EngineIdentity {
    EngineIdentity(
      id: "org.example.\(name.lowercased())", name: name, version: "1.0.0", author: "", license: "",
      summary: "")
  }
}

final class EngineUnderTest {
  let host = FakeHost()
  let engine: tessera_engine
  let layout: OpaquePointer?

  init(_ type: any Layout.Type) {
    _ = host.registry.add(type, host: host.reference)
    engine = host.engines[0].pointee
    var layout: OpaquePointer?
    _ = engine.create?(host.engines[0], host.reference, &layout)
    self.layout = layout
  }

  deinit { engine.destroy?(layout) }

  func prepare(_ input: FakeInput, into output: FakeOutput) -> Status? {
    input.pass { engine.prepare?(layout, $0, output.reference) }
  }

  func adjust(_ input: FakeInput, rect: tessera_rect, into output: FakeOutput) -> Status? {
    input.pass { engine.adjust?(layout, $0, rect, output.reference) }
  }

  func elementsInRect(_ rect: tessera_rect, _ input: FakeInput, into output: FakeOutput) -> Status?
  {
    input.pass { engine.elements_in_rect?(layout, $0, rect, output.reference) }
  }

  func element(_ run: tessera_run, _ input: FakeInput, into output: FakeOutput) -> Status? {
    var run = run
    return input.pass { engine.element?(layout, $0, &run, output.reference) }
  }

  func stillValid(_ input: FakeInput) -> Int32? {
    input.pass { engine.still_valid?(layout, $0) }
  }

  func published<Function>(_ name: String, as type: Function.Type) -> Function? {
    for index in 0..<Int(engine.function_count) {
      guard let declaration = engine.functions?[index], let entry = declaration.published,
        String(cString: declaration.name) == name
      else { continue }
      return unsafeBitCast(entry, to: Function.self)
    }
    return nil
  }
}
