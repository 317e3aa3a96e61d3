import CTessera
import TesseraCatalog
import TesseraRuntime

/// Stands between a layout and its engines: passes each call on, compares the engine's input before
/// and after it, and limits the rows that the engines add or leaves space after them.
final class Interposition {
  /// The number of rows that the engines may add in one call; nil if the store's capacity is the
  /// only limit.
  var allowance: Int?
  /// The memory of the layout's rows.
  let rows: ExaminedRows
  /// Whether a call to prepare is running, so that every engine writes to the prepared rows.
  fileprivate var isPreparing = false
  private let leavesSpace: Bool
  private var interposed: [InterposedEngine] = []

  /// - Parameters:
  ///   - engines: The true engines, the most derived first.
  ///   - leavesSpace: Whether unused rows follow each run.
  init(_ engines: [LoadedEngine], _ rows: ExaminedRows, leavesSpace: Bool = false) {
    self.rows = rows
    self.leavesSpace = leavesSpace
    interposed = engines.map { InterposedEngine($0, self) }
  }

  /// The engines to give to the layout.
  var engines: [LoadedEngine] { interposed.map(\.engine) }

  /// The first engine that wrote to its input: "org.example.a wrote to its parameters".
  var written: String? {
    interposed.lazy.compactMap { engine in
      engine.written.map { "\(engine.trueEngine.description.id) wrote to \($0)" }
    }.first
  }

  /// Leaves unused rows after the last run of a store, if this layout has them.
  func leaveSpace(in store: RowStore) { if leavesSpace { store.leaveSpace() } }

  fileprivate func add(count: UInt64, _ add: () -> tessera_status) -> tessera_status {
    guard let store = isPreparing ? rows.prepared : rows.answer else { return add() }
    let first = store.rowCount
    if let allowance, count > UInt64(max(0, allowance - first)) {
      store.refuse()
      return TESSERA_NO_SPACE
    }
    let status = add()
    if store.rowCount > first { leaveSpace(in: store) }
    return status
  }
}

/// An engine whose functions call those of a true engine.
private final class InterposedEngine {
  private struct EngineBox {
    var table: tessera_engine
    var owner: Unmanaged<InterposedEngine>
  }
  private struct OutputBox {
    var table: tessera_output
    var owner: Unmanaged<InterposedEngine>
  }

  let trueEngine: LoadedEngine
  /// The true engine's layout.
  var layout: OpaquePointer?
  /// The host's output of the running call.
  private(set) var trueOutput: UnsafeMutablePointer<tessera_output>!
  /// The first part of the input that was written to: "its parameters".
  private(set) var written: String?
  private unowned let interposition: Interposition
  private let engineBox = UnsafeMutablePointer<EngineBox>.allocate(capacity: 1)
  private let outputBox = UnsafeMutablePointer<OutputBox>.allocate(capacity: 1)

  init(_ engine: LoadedEngine, _ interposition: Interposition) {
    trueEngine = engine
    self.interposition = interposition
    var table = engine.table
    table.create = { InterposedEngine.owner(of: $0).create(host: $1, layout: $2) }
    table.destroy = { InterposedEngine.owner(of: $0).destroy() }
    if table.prepare != nil {
      table.prepare = { layout, input, output in
        InterposedEngine.owner(of: layout).prepare(input, output)
      }
    }
    if table.adjust != nil {
      table.adjust = { layout, input, rect, output in
        InterposedEngine.owner(of: layout).call(input, output) { $0.adjust!($1, input, rect, $2) }
      }
    }
    if table.elements_in_rect != nil {
      table.elements_in_rect = { layout, input, rect, output in
        InterposedEngine.owner(of: layout).call(input, output) {
          $0.elements_in_rect!($1, input, rect, $2)
        }
      }
    }
    if table.element != nil {
      table.element = { layout, input, run, output in
        InterposedEngine.owner(of: layout).call(input, output) { $0.element!($1, input, run, $2) }
      }
    }
    // An examination that interposes calls neither of these.
    table.still_valid = nil
    table.extension = nil
    engineBox.initialize(to: EngineBox(table: table, owner: .passUnretained(self)))
    let output = tessera_output(
      struct_size: UInt32(MemoryLayout<tessera_output>.size), reserved: 0,
      add: { InterposedEngine.owner(of: $0).add($1, $2) },
      run_count: { output in
        let output = InterposedEngine.owner(of: output).trueOutput!
        return output.pointee.run_count(output)
      },
      get: { output, index, run, rows in
        let output = InterposedEngine.owner(of: output).trueOutput!
        return output.pointee.get(output, index, run, rows)
      },
      set_content_size: { output, size in
        let output = InterposedEngine.owner(of: output).trueOutput!
        output.pointee.set_content_size(output, size)
      },
      content_size: { output in
        let output = InterposedEngine.owner(of: output).trueOutput!
        return output.pointee.content_size(output)
      },
      leave: { output, rows, count in
        let output = InterposedEngine.owner(of: output).trueOutput!
        return output.pointee.leave(output, rows, count)
      })
    outputBox.initialize(to: OutputBox(table: output, owner: .passUnretained(self)))
  }

  deinit {
    engineBox.deallocate()
    outputBox.deallocate()
  }

  /// The engine to give to the layout.
  var engine: LoadedEngine {
    LoadedEngine(
      pointer: UnsafeRawPointer(engineBox).assumingMemoryBound(to: tessera_engine.self),
      table: engineBox.pointee.table, description: trueEngine.description)
  }

  static func owner(of engine: UnsafePointer<tessera_engine>) -> InterposedEngine {
    UnsafeRawPointer(engine).assumingMemoryBound(to: EngineBox.self).pointee.owner
      .takeUnretainedValue()
  }

  static func owner(of output: UnsafeMutablePointer<tessera_output>) -> InterposedEngine {
    UnsafeRawPointer(output).assumingMemoryBound(to: OutputBox.self).pointee.owner
      .takeUnretainedValue()
  }

  /// The interposed engine of which `create` returned this layout.
  static func owner(of layout: OpaquePointer?) -> InterposedEngine {
    Unmanaged.fromOpaque(UnsafeRawPointer(layout!)).takeUnretainedValue()
  }

  /// Creates the true layout; until it is destroyed it keeps this object alive.
  func create(
    host: UnsafePointer<tessera_host>, layout place: UnsafeMutablePointer<OpaquePointer?>
  ) -> tessera_status {
    let status = trueEngine.table.create?(trueEngine.pointer, host, &layout) ?? TESSERA_OK
    if status == TESSERA_OK {
      place.pointee = OpaquePointer(Unmanaged.passRetained(self).toOpaque())
    }
    return status
  }

  func destroy() {
    trueEngine.table.destroy?(layout)
    Unmanaged.passUnretained(self).release()
  }

  func prepare(
    _ input: UnsafePointer<tessera_input>, _ output: UnsafeMutablePointer<tessera_output>
  ) -> tessera_status {
    let wasPreparing = interposition.isPreparing
    interposition.isPreparing = true
    defer { interposition.isPreparing = wasPreparing }
    return call(input, output) { $0.prepare!($1, input, $2) }
  }

  /// Calls the true engine, and compares its input before and after the call.
  func call(
    _ input: UnsafePointer<tessera_input>, _ output: UnsafeMutablePointer<tessera_output>,
    _ body: (tessera_engine, OpaquePointer?, UnsafeMutablePointer<tessera_output>) -> tessera_status
  ) -> tessera_status {
    trueOutput = output
    let copy = input.pointee
    let before = parts(of: copy, at: input)
    let status = body(
      trueEngine.table, layout,
      UnsafeMutableRawPointer(outputBox).assumingMemoryBound(to: tessera_output.self))
    for (old, new) in zip(before, parts(of: copy, at: input)) where old.bytes != new.bytes {
      written = written ?? old.name
    }
    return status
  }

  func add(
    _ run: UnsafePointer<tessera_run>, _ rows: UnsafeMutablePointer<UnsafePointer<tessera_rows>?>
  ) -> tessera_status {
    interposition.add(count: run.pointee.count) { trueOutput.pointee.add(trueOutput, run, rows) }
  }

  /// The parts of an input that an engine could write to.
  ///
  /// Section starts and values lie in pages that a worker cannot write, so they need no comparison.
  private func parts(
    of input: tessera_input, at place: UnsafePointer<tessera_input>
  ) -> [(name: String, bytes: [UInt8])] {
    func bytes<Item>(_ start: UnsafePointer<Item>, _ count: Int) -> [UInt8] {
      Array(UnsafeRawBufferPointer(UnsafeBufferPointer(start: start, count: count)))
    }
    let description = trueEngine.description
    return [
      ("its parameters", bytes(input.parameters, description.parameters.count)),
      ("the pointers to its values", bytes(input.values, description.values.count)),
      ("its lists", bytes(input.lists, description.lists.count)),
      ("its delegate functions", bytes(input.functions, description.delegateFunctions.count)),
      ("its input", bytes(place, 1)),
    ]
  }
}
