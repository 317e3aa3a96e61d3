import CTessera

/// Something that a layout's property declares.
protocol Declared {
  func declare(as name: String, in declarations: inout Declarations)
}

protocol DeclaredParameter: AnyObject, Declared {
  func contractParameter(named name: UnsafePointer<CChar>) -> tessera_parameter
  func load(from value: UnsafePointer<tessera_value>)
}

protocol DeclaredColumn: AnyObject {
  var scope: ColumnScope { get }
  var help: String { get }
  var fallback: AnyKeyPath? { get }
  var isNamedLikeFallback: Bool { get }
  var contractType: tessera_type { get }
  func load(from column: tessera_column, count: Int)
  func unload()
}

protocol DeclaredAttribute: AnyObject, Declared {
  func contractAttribute(named name: UnsafePointer<CChar>) -> tessera_attribute
}

protocol DeclaredDelegate: AnyObject, Declared {
  func contractFunction(named name: UnsafePointer<CChar>) -> tessera_function_declaration
  func load(from function: tessera_function)
  func unload()
}

protocol DeclaredInheritance: AnyObject, Declared {
  /// What the base's parameter starts as; nil where the base says it.
  var contractSetting: tessera_setting? { get }
  func bind(to link: BaseLink)
}

/// What a layout's properties declare, each list in the order of the source.
struct Declarations {
  var parameters: [(name: String, slot: any DeclaredParameter)] = []
  var columns: [(name: String, slot: any DeclaredColumn)] = []
  var attributes: [(name: String, slot: any DeclaredAttribute)] = []
  var kinds: [(name: String, kind: Kind)] = []
  var delegates: [(name: String, slot: any DeclaredDelegate)] = []
  var published: [(name: String, function: PublishedFunction)] = []
  var inherited: [any DeclaredInheritance] = []
  var placed: [PlacedElements] = []

  /// Finds them by reflection, once for a layout; kinds and attributes learn their numbers by it.
  init(of layout: any Layout) {
    collect(Mirror(reflecting: layout))
  }

  private mutating func collect(_ mirror: Mirror) {
    if let superclass = mirror.superclassMirror { collect(superclass) }
    for child in mirror.children {
      guard let declared = child.value as? any Declared, let label = child.label else { continue }
      // The storage of a wrapped property `spacing` is called `_spacing`.
      declared.declare(as: label.hasPrefix("_") ? String(label.dropFirst()) : label, in: &self)
    }
  }

  /// The name of the parameter that a column falls back on, or nil without one.
  func fallbackName(of column: any DeclaredColumn, in layout: any Layout) -> String? {
    guard let path = column.fallback, let target = layout[keyPath: path] as AnyObject? else {
      return nil
    }
    return parameters.first { $0.slot === target }?.name
  }
}
