import TesseraGeometry
import TesseraHost
import Testing

/// Values that make no sense are refused by name, whoever notices.
@Suite struct InvalidValueTests {
  @Test(arguments: ShippedEngines.ids, [Double.nan, .infinity, -.infinity])
  func invalidNumberOfAParameterIsReportedByName(_ id: String, _ number: Double) throws {
    let session = try ShippedEngines.session(id)
    for parameter in session.engine.settableParameters {
      for index in parameter.type.components.indices + [0] {
        var numbers = parameter.initial.numbers
        guard index < numbers.count else { continue }
        numbers[index] = number
        guard let value = Value(type: parameter.type, numbers: numbers) else { continue }
        let error = #expect(throws: HostError.self) {
          try session.setParameter(parameter.name, to: value)
        }
        #expect(error?.kind == .invalidInput)
        #expect(
          error?.message.contains(parameter.name) == true, "\(parameter.name): \(error as Any)")
      }
    }
  }

  @Test(arguments: ShippedEngines.ids)
  func parameterOutOfRangeIsReportedWithNameValueAndRange(_ id: String) throws {
    let session = try ShippedEngines.session(id)
    for parameter in session.engine.settableParameters {
      for (index, limit) in parameter.minimum.enumerated() where limit.isFinite {
        var numbers = parameter.initial.numbers
        numbers[index] = limit - 1
        let value = try #require(Value(type: parameter.type, numbers: numbers))
        let error = #expect(throws: HostError.self) {
          try session.setParameter(parameter.name, to: value)
        }
        #expect(error?.kind == .invalidInput)
        for part in [parameter.name, "\(value)", limit.shortText] {
          #expect(error?.message.contains(part) == true, "\(part): \(error as Any)")
        }
      }
    }
  }

  @Test(arguments: ShippedEngines.ids, [Double.nan, .infinity, -.infinity])
  func invalidNumberOfAValueIsReportedByName(_ id: String, _ number: Double) throws {
    let session = try ShippedEngines.session(id)
    try session.setSections([3])
    for description in session.engine.settableValues {
      let count = max(1, description.type.components.count)
      let numbers = Array(repeating: number, count: count)
      guard let value = Value(type: description.type, numbers: numbers) else { continue }
      let error = #expect(throws: HostError.self) {
        switch description.scope {
        case .section: try session.setSectionValues(description.name, .constant(value))
        case .item: try session.setItemValues(description.name, .constant(value))
        }
        _ = try session.elements()
      }
      #expect([.invalidInput, .refused].contains(error?.kind))
      #expect(
        error?.message.contains(description.name) == true, "\(description.name): \(error as Any)")
      try session.setSections([3])
    }
  }

  /// Or it is not looked at: a derived engine may have sizes of its own.
  @Test(arguments: ShippedEngines.ids)
  func negativeSizeIsRejectedByName(_ id: String) throws {
    let session = try ShippedEngines.session(id)
    for description in session.engine.settableValues where description.type == .size {
      let sizes = [Size(width: 10, height: 10), Size(width: 10, height: -1)]
      try session.setSections(description.scope == .item ? [2] : [1, 1])
      let before = try Snapshot(session)
      switch description.scope {
      case .section: try session.setSectionValues(description.name, .sizes(sizes))
      case .item: try session.setItemValues(description.name, .sizes(sizes))
      }
      do { #expect(try Snapshot(session) == before) } catch let error as HostError {
        #expect(error.kind == .refused)
        for part in [description.name, "-1"] {
          #expect(error.message.contains(part), "\(part): \(error)")
        }
      }
    }
  }

  /// A refusal leaves the session usable, and what it refused forgotten once it is replaced.
  @Test(arguments: ShippedEngines.ids)
  func invalidViewportsAreReportedByName(_ id: String) throws {
    let session = try ShippedEngines.session(id)
    let sound = try Snapshot(session)
    func expectRefusal(_ name: String) {
      let error = #expect(throws: HostError.self) { try session.elements() }
      #expect(error?.kind == .invalidInput)
      #expect(error?.message.contains(name) == true, "\(name): \(error as Any)")
    }
    for number in [Double.nan, .infinity, -1] {
      session.bounds.width = number
      expectRefusal("bounds")
      session.bounds = Size(width: 375, height: 667)
      session.scale = number
      expectRefusal("scale")
      session.scale = 2
    }
    session.contentInsets.left = .nan
    expectRefusal("contentInsets")
    session.contentInsets = .zero
    session.offset.y = .infinity
    expectRefusal("offset")
    session.offset = .zero
    #expect(try Snapshot(session) == sound)
    let error = #expect(throws: HostError.self) {
      try session.elements(in: Rect(x: .nan, y: 0, width: 1, height: 1))
    }
    #expect(error?.kind == .invalidInput)
  }
}
