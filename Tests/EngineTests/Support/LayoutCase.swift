import TesseraGeometry
import TesseraHost

/// All that a layout is made for, kept so that it can be given to any number of sessions and told
/// when a law does not hold.
struct LayoutCase: Sendable {
  var bounds = Size(width: 375, height: 667)
  var offset = Point.zero
  var contentInsets = Insets.zero
  var safeAreaInsets = Insets.zero
  var layoutMargins = Insets.zero
  var scale = 2.0
  var direction = LayoutDirection.leftToRight
  var counts = [20]
  var parameters: [String: Value] = [:]
  var sectionValues: [String: ValueColumn] = [:]
  var itemValues: [String: ValueColumn] = [:]

  /// What an engine may fill without scrolling.
  var extent: Size {
    Size(
      width: max(0, bounds.width - contentInsets.left - contentInsets.right),
      height: max(0, bounds.height - contentInsets.top - contentInsets.bottom))
  }

  /// The case whose left and right are exchanged, the viewport in content of a width too.
  func mirrored(inContentOf width: Double) -> LayoutCase {
    func mirror(_ insets: Insets) -> Insets {
      Insets(
        top: insets.top, left: insets.right, bottom: insets.bottom, right: insets.left)
    }
    var result = self
    result.contentInsets = mirror(contentInsets)
    result.safeAreaInsets = mirror(safeAreaInsets)
    result.layoutMargins = mirror(layoutMargins)
    result.offset.x = width - offset.x - bounds.width
    result.direction = direction == .leftToRight ? .rightToLeft : .leftToRight
    return result
  }

  /// Gives a session all of it, and takes back what an earlier case set beside it.
  func apply(to session: Session) throws {
    session.bounds = bounds
    session.offset = offset
    session.contentInsets = contentInsets
    session.safeAreaInsets = safeAreaInsets
    session.layoutMargins = layoutMargins
    session.scale = scale
    session.direction = direction
    for parameter in session.engine.settableParameters {
      if let value = parameters[parameter.name] {
        try session.setParameter(parameter.name, to: value)
      } else {
        try session.resetParameter(parameter.name)
      }
    }
    try session.setSections(counts)
    for (name, column) in sectionValues { try session.setSectionValues(name, column) }
    for (name, column) in itemValues { try session.setItemValues(name, column) }
  }

  /// A session that was given nothing but this.
  func session(of engine: Engine) throws -> Session {
    let session = try Session(engine)
    try apply(to: session)
    return session
  }
}

extension Engine {
  /// The parameters that a user can set: of one name the most derived, none that an engine owns.
  var settableParameters: [ParameterDescription] {
    let owned = Set(chain.flatMap { $0.defaults.filter(\.isOwned).map(\.name) })
    var known = owned
    return chain.flatMap(\.parameters).filter { known.insert($0.name).inserted }
  }

  /// The section values and item values that a user can give.
  var settableValues: [ValueDescription] {
    var known = Set<String>()
    return chain.flatMap(\.values).filter { known.insert("\($0.scope) \($0.name)").inserted }
  }

  /// The parameter that stands in for a value.
  func fallback(of value: ValueDescription) -> ParameterDescription? {
    chain.flatMap(\.parameters).first { $0.name == value.fallback }
  }
}
