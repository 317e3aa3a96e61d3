import CTessera
import Glibc
import TesseraGeometry

/// What the contract's `tessera_layout` points to.
final class BoundLayout {
  let layout: any Layout
  let host: HostReference
  let published: [PublishedFunction]
  let preparing: (any PreparingLayout)?
  let adjusting: (any AdjustingLayout)?
  let lazy: (any LazyLayout)?
  let reusable: (any ReusableLayout)?
  let snapping: (any SnappingLayout)?
  let updating: (any UpdatingLayout)?
  let sizing: (any SizingLayout)?
  let reordering: (any ReorderingLayout)?
  private let base: BaseLink
  private let parameters: [any DeclaredParameter]
  private let columns: [ColumnSlot]
  private let lists: [ListSlot]
  private let delegates: [any DeclaredDelegate]
  private var loaded: [tessera_value] = []

  init(_ layout: any Layout, host: HostReference) {
    self.layout = layout
    self.host = host
    preparing = layout as? any PreparingLayout
    adjusting = layout as? any AdjustingLayout
    lazy = layout as? any LazyLayout
    reusable = layout as? any ReusableLayout
    snapping = layout as? any SnappingLayout
    updating = layout as? any UpdatingLayout
    sizing = layout as? any SizingLayout
    reordering = layout as? any ReorderingLayout
    let declarations = Declarations(of: layout)
    parameters = declarations.parameters.map(\.slot)
    columns = declarations.columns.map(\.slot)
    lists = declarations.lists.map(\.slot)
    delegates = declarations.delegates.map(\.slot)
    published = declarations.published.map(\.function)
    base = BaseLink(type(of: layout).base)
    for inherited in declarations.inherited { inherited.link = base }
    for placed in declarations.placed { placed.bind(to: host) }
  }

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
    loadParameters(pointer.pointee.parameters)
    for index in columns.indices {
      let count = columns[index].scope == TESSERA_SCOPE_ITEM ? input.itemCount : input.sectionCount
      columns[index].load(from: pointer.pointee.values[index], count: count)
    }
    for index in delegates.indices {
      delegates[index].load(from: pointer.pointee.functions[index])
    }
    for index in lists.indices { lists[index].load(from: pointer.pointee.lists[index]) }
  }

  /// Most calls repeat the parameters of the last one; comparing them is cheaper than loading.
  private func loadParameters(_ given: UnsafePointer<tessera_value>?) {
    guard let given, !parameters.isEmpty else { return }
    let isKnown = loaded.withUnsafeBytes { known in
      known.count > 0 && memcmp(known.baseAddress!, given, known.count) == 0
    }
    guard !isKnown else { return }
    for index in parameters.indices { parameters[index].load(from: given + index) }
    loaded = Array(UnsafeBufferPointer(start: given, count: parameters.count))
  }

  /// A column that outlives its call would point to freed memory.
  private func unload() {
    for column in columns { column.unload() }
    for list in lists { list.unload() }
    for delegate in delegates { delegate.unload() }
    base.end()
  }
}

// Free functions: a C function formed in actor-bound code checks its executor at every call.

func createLayout(
  engine: UnsafePointer<tessera_engine>, host: HostReference,
  layout: UnsafeMutablePointer<OpaquePointer?>
) -> tessera_status {
  let bound = BoundLayout(RegisteredEngine.type(of: engine).init(), host: host)
  layout.pointee = OpaquePointer(Unmanaged.passRetained(bound).toOpaque())
  return TESSERA_OK
}

func destroyLayout(layout: OpaquePointer?) {
  guard let layout else { return }
  Unmanaged<BoundLayout>.fromOpaque(UnsafeRawPointer(layout)).release()
}

func prepareLayout(
  layout: OpaquePointer?, input: UnsafePointer<tessera_input>,
  output: UnsafeMutablePointer<tessera_output>
) -> tessera_status {
  call(layout, input, output, { $0.preparing }) {
    (preparing, input, output) throws(LayoutFailure) in
    try preparing.prepare(input, into: output)
  }
}

func adjustLayout(
  layout: OpaquePointer?, input: UnsafePointer<tessera_input>, rect: tessera_rect,
  output: UnsafeMutablePointer<tessera_output>
) -> tessera_status {
  call(layout, input, output, { $0.adjusting }) {
    (adjusting, input, output) throws(LayoutFailure) in
    try adjusting.adjust(input, rect: Rect(rect), into: output)
  }
}

func layoutElementsInRect(
  layout: OpaquePointer?, input: UnsafePointer<tessera_input>, rect: tessera_rect,
  output: UnsafeMutablePointer<tessera_output>
) -> tessera_status {
  call(layout, input, output, { $0.lazy }) { (lazy, input, output) throws(LayoutFailure) in
    try lazy.elementsInRect(Rect(rect), input: input, into: output)
  }
}

func layoutElement(
  layout: OpaquePointer?, input: UnsafePointer<tessera_input>, run: UnsafePointer<tessera_run>,
  output: UnsafeMutablePointer<tessera_output>
) -> tessera_status {
  call(layout, input, output, { $0.lazy }) { (lazy, input, output) throws(LayoutFailure) in
    try lazy.element(Run(run.pointee), input: input, into: output)
  }
}

func layoutStillValid(layout: OpaquePointer?, input: UnsafePointer<tessera_input>) -> Int32 {
  var answer: Int32 = 0
  _ = call(layout, input, { $0.reusable }) { reusable, input in
    answer = reusable.stillValid(input) ? 1 : 0
  }
  return answer
}

func withBound(
  _ layout: OpaquePointer?, _ body: (BoundLayout) -> tessera_status
) -> tessera_status {
  guard let layout else { return TESSERA_ERROR_WRONG_STATE }
  return Unmanaged<BoundLayout>.fromOpaque(UnsafeRawPointer(layout))._withUnsafeGuaranteedRef(body)
}

/// Returns `TESSERA_ERROR_UNSUPPORTED` without the ability.
func call<Ability>(
  _ layout: OpaquePointer?, _ input: UnsafePointer<tessera_input>,
  _ ability: (BoundLayout) -> Ability?, _ body: (Ability, Input) throws(LayoutFailure) -> Void
) -> tessera_status {
  withBound(layout) { bound in
    guard let able = ability(bound) else { return TESSERA_ERROR_UNSUPPORTED }
    return bound.call(input) { (input) throws(LayoutFailure) in try body(able, input) }
  }
}

func call<Ability>(
  _ layout: OpaquePointer?, _ input: UnsafePointer<tessera_input>,
  _ output: UnsafeMutablePointer<tessera_output>, _ ability: (BoundLayout) -> Ability?,
  _ body: (Ability, Input, Output) throws(LayoutFailure) -> Void
) -> tessera_status {
  withBound(layout) { bound in
    guard let able = ability(bound) else { return TESSERA_ERROR_UNSUPPORTED }
    return bound.call(input) { (input) throws(LayoutFailure) in
      try body(able, input, Output(pointer: output, host: bound.host))
    }
  }
}
