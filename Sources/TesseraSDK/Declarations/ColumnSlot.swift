import CTessera

/// Where the host's column arrives for the length of a call.
final class ColumnSlot<Value: LayoutValue>: DeclaredColumn {
  let scope: ColumnScope
  let help: String
  let fallback: AnyKeyPath?
  let isNamedLikeFallback: Bool
  private(set) var column = Column<Value>()

  init(
    scope: ColumnScope, help: String, fallback: AnyKeyPath? = nil, isNamedLikeFallback: Bool = false
  ) {
    self.scope = scope
    self.help = help
    self.fallback = fallback
    self.isNamedLikeFallback = isNamedLikeFallback
  }

  var contractType: tessera_type { Value.contractType }

  func load(from column: tessera_column, count: Int) {
    self.column = Column(column, count: count)
  }

  func unload() {
    column = Column()
  }
}

/// What a column has an element for.
enum ColumnScope {
  case section, item

  var contractScope: UInt32 {
    switch self {
    case .section: TESSERA_SECTION
    case .item: TESSERA_ITEM
    }
  }
}
