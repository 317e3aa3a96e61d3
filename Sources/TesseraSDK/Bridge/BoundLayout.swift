import CTessera

/// Which optional protocols a layout conforms to.
struct Abilities {
  let preparing: (any PreparingLayout)?
  let adjusting: (any AdjustingLayout)?
  let lazy: (any LazyLayout)?
  let reusable: (any ReusableLayout)?
  let snapping: (any SnappingLayout)?
  let updating: (any UpdatingLayout)?
  let sizing: (any SizingLayout)?
  let reordering: (any ReorderingLayout)?

  init(of layout: any Layout) {
    preparing = layout as? any PreparingLayout
    adjusting = layout as? any AdjustingLayout
    lazy = layout as? any LazyLayout
    reusable = layout as? any ReusableLayout
    snapping = layout as? any SnappingLayout
    updating = layout as? any UpdatingLayout
    sizing = layout as? any SizingLayout
    reordering = layout as? any ReorderingLayout
  }

  /// Whether the layout has the table of any extension.
  var hasExtensions: Bool {
    snapping != nil || updating != nil || sizing != nil || reordering != nil
  }

  var traits: UInt32 {
    (lazy == nil ? 0 : TESSERA_TRAIT_LAZY) | (adjusting == nil ? 0 : TESSERA_TRAIT_VIEWPORT)
  }
}

/// A layout bound to its host: what the contract's `tessera_layout` points to.
final class BoundLayout {
  let layout: any Layout
  let host: HostReference
  let abilities: Abilities
  let published: [PublishedFunction]
  private let base: BaseLink
  private let parameters: [any DeclaredParameter]
  private let columns: [any DeclaredColumn]
  private let delegates: [any DeclaredDelegate]

  init(_ layout: any Layout, host: HostReference) {
    self.layout = layout
    self.host = host
    abilities = Abilities(of: layout)
    let declarations = Declarations(of: layout)
    parameters = declarations.parameters.map(\.slot)
    columns = declarations.columns.map(\.slot)
    delegates = declarations.delegates.map(\.slot)
    published = declarations.published.map(\.function)
    base = BaseLink(type(of: layout).base)
    for inherited in declarations.inherited { inherited.bind(to: base) }
    for placed in declarations.placed { placed.bind(to: host) }
  }

  /// Lets the layout see parameters and values for the length of `body`, and gives a failure of it
  /// to the host.
  func call(
    _ input: UnsafePointer<tessera_input>, _ body: (Input) throws(LayoutFailure) -> Void
  ) -> tessera_status {
    load(input)
    defer { unload() }
    do {
      try body(Input(input, base: base))
      try base.throwRecorded()
      return TESSERA_OK
    } catch {
      report(error, to: host)
      return error.status
    }
  }

  private func load(_ pointer: UnsafePointer<tessera_input>) {
    let input = Input(pointer, base: base)
    base.begin(pointer)
    for index in parameters.indices {
      parameters[index].load(from: pointer.pointee.parameters + index)
    }
    for index in columns.indices {
      let count = columns[index].scope == .item ? input.itemCount : input.sectionCount
      columns[index].load(from: pointer.pointee.values[index], count: count)
    }
    for index in delegates.indices {
      delegates[index].load(from: pointer.pointee.functions[index])
    }
  }

  /// A column that outlived its call would point to memory that is no longer there.
  private func unload() {
    for column in columns { column.unload() }
    for delegate in delegates { delegate.unload() }
    base.end()
  }
}
