import CTessera
import CTesseraSystem
import Glibc
import TesseraCatalog
import TesseraRuntime

/// Hooks around calls between a layout and its engines; no-ops by default.
class CallExaminer {
  let rows: ExaminedRows
  final var hidesExtensions = false
  /// The first invalid result, such as "still_valid returned 2; expected 0 or 1".
  fileprivate(set) final var oddNumber: String?
  /// Fills the upper half of registers that hold numbers of up to 32 bits.
  final var fillsRegisters = false
  /// Fails a derived engine's calls to its base.
  final var failsBase = false
  final var hasFailedBase = false
  /// Every engine then writes to the prepared rows.
  fileprivate(set) final var isPreparing = false

  init(_ rows: ExaminedRows) { self.rows = rows }

  convenience init(capacity: Int) { self.init(.modest(capacity: capacity)) }

  /// Calls an engine; calls to bases nest.
  func call<Result>(
    _ engine: EngineDescription, _ input: UnsafePointer<tessera_input>,
    _ body: (UnsafePointer<tessera_input>) -> Result
  ) -> Result { body(input) }

  /// Memory for the running call; nil for the host's memory.
  func lend(byteCount: Int, _ name: String) -> UnsafeMutableRawPointer? { nil }

  /// Memory until `takeBack`; nil for the host's memory.
  func lendLasting(byteCount: Int, _ name: String) -> UnsafeMutableRawPointer? { nil }

  func takeBack(_ memory: UnsafeMutableRawPointer) {}

  /// Before an engine gets the rows of a run in prepare, perhaps its base's.
  func willGive(_ rows: tessera_rows, isFetched: Bool) {}

  func wereLeft(_ rows: tessera_rows, _ count: Int) {}

  func add(count: UInt64, _ add: () -> tessera_status) -> tessera_status { add() }

  /// Progress from the engine at `place` in the chain, before clamping.
  func observe(_ progress: Double, ofEngineAt place: Int) {}

  func runWasAdded(to store: RowStore) {}

  /// The engines may no longer use the rows.
  func rowsWereTaken(from store: RowStore) {}
}

/// Stands between a layout and the true engine; each call goes through an examiner.
final class InterposedEngine {
  private typealias Interposed<Table> = OwnedTable<Table, InterposedEngine>

  let trueEngine: LoadedEngine
  private let place: Int
  private let attributeCount: Int
  private let examiner: CallExaminer
  private var layout: OpaquePointer?
  private var trueHost: UnsafePointer<tessera_host>!
  private var trueOutput: UnsafeMutablePointer<tessera_output>!
  private var lentOutput: UnsafeMutableRawPointer?
  private let ownEngine = UnsafeMutablePointer<Interposed<tessera_engine>>.allocate(capacity: 1)
  private let ownOutput = UnsafeMutablePointer<Interposed<tessera_output>>.allocate(capacity: 1)
  private let ownHost = UnsafeMutablePointer<Interposed<tessera_host>>.allocate(capacity: 1)
  private var lentHost: UnsafeMutableRawPointer?
  private let functions: UnsafeMutableBufferPointer<tessera_function_declaration>
  private var publishedFunctions: [InterposedFunction] = []
  /// Delegate functions with filled registers, by index.
  private var delegateFunctions: [Int: InterposedFunction] = [:]
  private let ownFunctions: UnsafeMutableBufferPointer<tessera_function>
  private var updates: InterposedTable<tessera_updates>?
  private var sizing: InterposedTable<tessera_sizing>?
  private var reordering: InterposedTable<tessera_reordering>?
  private var snapping: InterposedTable<tessera_snapping>?

  /// `engines`: most derived first.
  static func chain(_ engines: [LoadedEngine], _ examiner: CallExaminer) -> [InterposedEngine] {
    engines.indices.map { place in
      let attributes = engines[place...].flatMap(\.description.attributes).map(\.name)
      return InterposedEngine(engines[place], at: place, Set(attributes).count, examiner)
    }
  }

  private init(
    _ engine: LoadedEngine, at place: Int, _ attributeCount: Int, _ examiner: CallExaminer
  ) {
    trueEngine = engine
    self.place = place
    self.attributeCount = attributeCount
    self.examiner = examiner
    functions = .allocate(capacity: engine.description.functions.count)
    ownFunctions = .allocate(capacity: engine.description.functions.count)
    var table = engine.table
    table.create = { InterposedEngine.owner(of: $0).create(host: $1, layout: $2) }
    table.destroy = { InterposedEngine.owner(of: $0).destroy() }
    Self.replace(&table.prepare) { InterposedEngine.owner(of: $0).prepare($1, $2) }
    Self.replace(&table.adjust) { layout, input, rect, output in
      InterposedEngine.owner(of: layout).call(input, output) { $0.adjust!($1, $2, rect, $3) }
    }
    Self.replace(&table.elements_in_rect) { layout, input, rect, output in
      InterposedEngine.owner(of: layout).call(input, output) {
        $0.elements_in_rect!($1, $2, rect, $3)
      }
    }
    Self.replace(&table.element) { layout, input, run, output in
      let owner = InterposedEngine.owner(of: layout)
      return owner.call(input, output) { table, layout, input, output in
        owner.lending(UnsafeMutablePointer(mutating: run), "the tessera_run") {
          table.element!(layout, input, $0, output)
        }
      }
    }
    Self.replace(&table.still_valid) { layout, input in
      let owner = InterposedEngine.owner(of: layout)
      let result = owner.call(input) { owner.trueEngine.table.still_valid!(owner.layout, $0) }
      if result != 0, result != 1, owner.examiner.oddNumber == nil {
        owner.examiner.oddNumber = "still_valid returned \(result); expected 0 or 1"
      }
      return result
    }
    Self.replace(&table.extension) { InterposedEngine.owner(of: $0).extensionTable($1) }
    table.functions = UnsafePointer(functions.baseAddress)
    table.function_size = UInt32(MemoryLayout<tessera_function_declaration>.stride)
    ownEngine.initialize(to: Interposed(table: table, owner: .passUnretained(self)))
    ownOutput.initialize(to: Interposed(table: Self.output, owner: .passUnretained(self)))
    interposeFunctions()
  }

  private static func replace<Function>(_ function: inout Function?, _ other: Function) {
    if function != nil { function = other }
  }

  deinit {
    ownEngine.deallocate()
    ownOutput.deallocate()
    ownHost.deallocate()
    functions.deallocate()
    ownFunctions.deallocate()
  }

  var engine: LoadedEngine {
    LoadedEngine(
      pointer: UnsafeRawPointer(ownEngine).assumingMemoryBound(to: tessera_engine.self),
      table: ownEngine.pointee.table, description: trueEngine.description, abi: trueEngine.abi)
  }

  private static func owner<Table>(of table: UnsafePointer<Table>) -> InterposedEngine {
    Interposed.owner(of: table)
  }

  private static func owner(of output: UnsafeMutablePointer<tessera_output>) -> InterposedEngine {
    owner(of: UnsafePointer(output))
  }

  private static func owner(of layout: OpaquePointer?) -> InterposedEngine {
    Unmanaged.fromOpaque(UnsafeRawPointer(layout!)).takeUnretainedValue()
  }
}

extension InterposedEngine {
  /// The true layout retains this object.
  private func create(
    host: UnsafePointer<tessera_host>, layout place: UnsafeMutablePointer<OpaquePointer?>
  ) -> tessera_status {
    trueHost = host
    ownHost.initialize(to: Interposed(table: host.pointee, owner: .passUnretained(self)))
    ownHost.pointee.table.report = { host, status, message in
      let host = InterposedEngine.owner(of: host).trueHost!
      host.pointee.report(host, status, message)
    }
    ownHost.pointee.table.progress = { host, fraction in
      let owner = InterposedEngine.owner(of: host)
      owner.examiner.observe(fraction, ofEngineAt: owner.place)
      return owner.trueHost.pointee.progress(owner.trueHost, fraction)
    }
    ownHost.pointee.table.extension = { InterposedEngine.owner(of: $0).hostExtension($1) }
    let size = MemoryLayout<Interposed<tessera_host>>.size
    lentHost = examiner.lendLasting(byteCount: size, "the tessera_host")
    lentHost?.copyMemory(from: ownHost, byteCount: size)
    let status = trueEngine.table.create?(trueEngine.pointer, self.host, &layout) ?? TESSERA_OK
    if status == TESSERA_OK {
      place.pointee = OpaquePointer(Unmanaged.passRetained(self).toOpaque())
    }
    return status
  }

  private func destroy() {
    trueEngine.table.destroy?(layout)
    if let lentHost { examiner.takeBack(lentHost) }
    Unmanaged.passUnretained(self).release()
  }

  private func prepare(
    _ input: UnsafePointer<tessera_input>, _ output: UnsafeMutablePointer<tessera_output>
  ) -> tessera_status {
    let wasPreparing = examiner.isPreparing
    examiner.isPreparing = true
    defer { examiner.isPreparing = wasPreparing }
    return call(input, output) { $0.prepare!($1, $2, $3) }
  }

  private func call(
    _ input: UnsafePointer<tessera_input>, _ output: UnsafeMutablePointer<tessera_output>,
    _ body: (
      tessera_engine, OpaquePointer?, UnsafePointer<tessera_input>,
      UnsafeMutablePointer<tessera_output>
    ) -> tessera_status
  ) -> tessera_status {
    if examiner.failsBase, place > 0 {
      examiner.hasFailedBase = true
      trueHost.pointee.report(trueHost, TESSERA_ERROR_FAILED, "the base fails in a test")
      return TESSERA_ERROR_FAILED
    }
    trueOutput = output
    return call(input) { body(trueEngine.table, layout, $0, self.output) }
  }

  private func call<Result>(
    _ input: UnsafePointer<tessera_input>, _ body: (UnsafePointer<tessera_input>) -> Result
  ) -> Result {
    // A stateless engine also reports through the host in its input.
    var own = input.pointee
    own.host = host
    if examiner.fillsRegisters { own.functions = filling(own.functions) }
    return examiner.call(trueEngine.description, &own) { input in
      let outer = lentOutput
      let size = MemoryLayout<Interposed<tessera_output>>.size
      lentOutput = examiner.lend(byteCount: size, "the tessera_output")
      lentOutput?.copyMemory(from: ownOutput, byteCount: size)
      defer { lentOutput = outer }
      return body(input)
    }
  }

  private func interposeFunctions() {
    let size = Int(trueEngine.table.function_size)
    for index in functions.indices {
      var declaration: tessera_function_declaration = DescriptionReader.load(
        at: UnsafeRawPointer(trueEngine.table.functions!) + index * size, size: size)
      if let code = declaration.published,
        let signature = try? trueEngine.description.functions[index].parsedSignature
      {
        let function = InterposedFunction(
          signature, code, fillsArguments: examiner.fillsRegisters
        ) { [unowned self] in layout }
        declaration.published = function?.code
        if let function { publishedFunctions.append(function) }
      }
      functions.initializeElement(at: index, to: declaration)
    }
  }
}

extension InterposedEngine {
  private func filling(
    _ given: UnsafePointer<tessera_function>
  ) -> UnsafePointer<tessera_function> {
    for (index, description) in trueEngine.description.delegateFunctions.enumerated() {
      var function = given[index]
      if let code = function.call, let signature = try? description.parsedSignature {
        if delegateFunctions[index]?.trueCode != unsafeBitCast(code, to: Int.self) {
          delegateFunctions[index] = InterposedFunction(signature, code, fillsResult: true, nil)
        }
        function.call = delegateFunctions[index]?.code ?? code
      }
      ownFunctions.initializeElement(at: index, to: function)
    }
    return UnsafePointer(ownFunctions.baseAddress!)
  }
}

extension InterposedEngine {
  private var host: UnsafePointer<tessera_host> {
    UnsafeRawPointer(lentHost ?? UnsafeMutableRawPointer(ownHost))
      .assumingMemoryBound(to: tessera_host.self)
  }

  /// Lends a copy and reads back the engine's writes.
  private func lending<Content, Result>(
    _ content: UnsafeMutablePointer<Content>, count: Int = 1, _ name: String,
    _ body: (UnsafeMutablePointer<Content>) -> Result
  ) -> Result {
    let size = count * MemoryLayout<Content>.stride
    guard let copy = examiner.lend(byteCount: size, name) else { return body(content) }
    copy.copyMemory(from: content, byteCount: size)
    defer { UnsafeMutableRawPointer(content).copyMemory(from: copy, byteCount: size) }
    return body(copy.assumingMemoryBound(to: Content.self))
  }

  private var output: UnsafeMutablePointer<tessera_output> {
    (lentOutput ?? UnsafeMutableRawPointer(ownOutput)).assumingMemoryBound(to: tessera_output.self)
  }

  private static var output: tessera_output {
    tessera_output(
      struct_size: UInt32(MemoryLayout<tessera_output>.size), reserved: 0,
      add: { output, run, rows in
        let owner = InterposedEngine.owner(of: output)
        let status = owner.examiner.add(count: run.pointee.count) {
          owner.trueOutput.pointee.add(owner.trueOutput, run, rows)
        }
        owner.willGive(rows, status, isFetched: false)
        return owner.lend(rows, status)
      },
      run_count: { output in
        let output = InterposedEngine.owner(of: output).trueOutput!
        return output.pointee.run_count(output)
      },
      get: { output, index, run, rows in
        let owner = InterposedEngine.owner(of: output)
        let status = owner.trueOutput.pointee.get(owner.trueOutput, index, run, rows)
        owner.willGive(rows, status, isFetched: true)
        return owner.lend(rows, status)
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
        let owner = InterposedEngine.owner(of: output)
        let status = owner.trueOutput.pointee.leave(owner.trueOutput, rows, count)
        if status == TESSERA_OK { owner.examiner.wereLeft(rows.pointee, Int(count)) }
        return status
      })
  }

  private func willGive(
    _ rows: UnsafeMutablePointer<UnsafePointer<tessera_rows>?>, _ status: tessera_status,
    isFetched: Bool
  ) {
    guard examiner.isPreparing, status == TESSERA_OK, let rows = rows.pointee else { return }
    examiner.willGive(rows.pointee, isFetched: isFetched)
  }

  private func lend(
    _ rows: UnsafeMutablePointer<UnsafePointer<tessera_rows>?>, _ status: tessera_status
  ) -> tessera_status {
    guard status == TESSERA_OK, let found = rows.pointee,
      let copy = examiner.lend(byteCount: MemoryLayout<tessera_rows>.size, "a tessera_rows")?
        .bindMemory(to: tessera_rows.self, capacity: 1),
      let attributes = examiner.lend(byteCount: 8 * attributeCount, "the attributes of rows")
    else { return status }
    copy.initialize(to: found.pointee)
    if let columns = found.pointee.attributes {
      attributes.copyMemory(from: columns, byteCount: 8 * attributeCount)
      copy.pointee.attributes = UnsafePointer(
        attributes.assumingMemoryBound(to: UnsafeMutableRawPointer?.self))
    }
    rows.pointee = UnsafePointer(copy)
    return status
  }

  private func hostExtension(_ id: UnsafePointer<CChar>) -> UnsafeRawPointer? {
    guard !examiner.hidesExtensions else { return nil }
    let found = trueHost.pointee.extension(trueHost, id)
    guard found != nil else { return nil }
    if strcmp(id, TESSERA_EXT_QUERY) == 0 { return UnsafeRawPointer(Self.query) }
    return strcmp(id, TESSERA_EXT_ADJUSTING) == 0 ? UnsafeRawPointer(Self.adjusting) : found
  }

  /// `tessera.adjusting/1`, shared by all engines.
  private nonisolated(unsafe) static let adjusting = permanentTable(
    tessera_adjusting(
      struct_size: UInt32(MemoryLayout<tessera_adjusting>.size), reserved: 0,
      not_needed: {
        let host = InterposedEngine.owner(of: $0).trueHost!
        return host.pointee.extension(host, TESSERA_EXT_ADJUSTING)!
          .load(as: tessera_adjusting.self).not_needed(host)
      }))

  private nonisolated(unsafe) static let query = permanentTable(
    tessera_query(
      struct_size: UInt32(MemoryLayout<tessera_query>.size), reserved: 0,
      elements_in_rect: { InterposedEngine.owner(of: $0).query($1, $2) }))

  private func query(
    _ rect: tessera_rect, _ place: UnsafeMutablePointer<UnsafeMutablePointer<tessera_output>?>
  ) -> tessera_status {
    let table = trueHost.pointee.extension(trueHost, TESSERA_EXT_QUERY)!
      .load(as: tessera_query.self)
    let status = table.elements_in_rect(trueHost, rect, place)
    if status == TESSERA_OK {
      trueOutput = place.pointee
      place.pointee = output
    }
    return status
  }
}

extension InterposedEngine {
  /// Wraps the true engine's table; the true one if the host would not call it.
  private func extensionTable(_ id: UnsafePointer<CChar>) -> UnsafeRawPointer? {
    guard let found = trueEngine.table.extension!(trueEngine.pointer, id) else { return nil }
    return switch String(cString: id) {
    case TESSERA_EXT_UPDATES: interpose(&updates, found, Self.replace)
    case TESSERA_EXT_SIZING: interpose(&sizing, found, Self.replace)
    case TESSERA_EXT_REORDERING: interpose(&reordering, found, Self.replace)
    case TESSERA_EXT_SNAPPING: interpose(&snapping, found, Self.replace)
    default: found
    }
  }

  private func interpose<Table>(
    _ known: inout InterposedTable<Table>?, _ found: UnsafeRawPointer,
    _ replace: (inout Table) -> Void
  ) -> UnsafeRawPointer {
    guard found.load(as: UInt32.self) == MemoryLayout<Table>.size else { return found }
    if known == nil {
      known = InterposedTable(found.load(as: Table.self))
      replace(&known!.given.pointee)
    }
    return UnsafeRawPointer(known!.given)
  }

  private static func replace(_ updates: inout tessera_updates) {
    replace(&updates.begin) { layout, input, updates, count in
      let owner = InterposedEngine.owner(of: layout)
      return owner.call(input) {
        owner.updates!.true.begin!(owner.layout, $0, owner.lend(updates, count), count)
      }
    }
    replace(&updates.initial_attributes) { layout, input, output in
      let owner = InterposedEngine.owner(of: layout)
      return owner.call(input, output) { owner.updates!.true.initial_attributes!($1, $2, $3) }
    }
    replace(&updates.final_attributes) { layout, input, output in
      let owner = InterposedEngine.owner(of: layout)
      return owner.call(input, output) { owner.updates!.true.final_attributes!($1, $2, $3) }
    }
    replace(&updates.end) { layout in
      let owner = InterposedEngine.owner(of: layout)
      owner.updates!.true.end!(owner.layout)
    }
  }

  private func lend(
    _ updates: UnsafePointer<tessera_update>, _ count: UInt64
  ) -> UnsafePointer<tessera_update> {
    let size = Int(count) * MemoryLayout<tessera_update>.stride
    guard let copy = examiner.lend(byteCount: size, "the updates") else { return updates }
    copy.copyMemory(from: updates, byteCount: size)
    return UnsafePointer(copy.assumingMemoryBound(to: tessera_update.self))
  }

  /// Lends exactly as much room for sizes as allowed.
  private func lendingSizes(
    _ input: UnsafePointer<tessera_input>, _ run: UnsafePointer<tessera_run>,
    _ sizes: UnsafeMutablePointer<tessera_size>, _ count: UnsafeMutablePointer<UInt64>,
    _ body: (
      UnsafePointer<tessera_input>, UnsafePointer<tessera_run>, UnsafeMutablePointer<tessera_size>,
      UnsafeMutablePointer<UInt64>
    ) -> tessera_status
  ) -> tessera_status {
    call(input) { input in
      lending(UnsafeMutablePointer(mutating: run), "the tessera_run") { run in
        let room = Int(run.pointee.count)
        return lending(count, "the count of sizes") { count in
          lending(sizes, count: room, "the sizes") { body(input, run, $0, count) }
        }
      }
    }
  }

  private static func replace(_ sizing: inout tessera_sizing) {
    sizing.estimates = { layout, input, run, sizes, count in
      let owner = InterposedEngine.owner(of: layout)
      return owner.lendingSizes(input, run, sizes, count) {
        owner.sizing!.true.estimates(owner.layout, $0, $1, $2, $3)
      }
    }
    sizing.proposals = { layout, input, run, sizes, count in
      let owner = InterposedEngine.owner(of: layout)
      return owner.lendingSizes(input, run, sizes, count) {
        owner.sizing!.true.proposals(owner.layout, $0, $1, $2, $3)
      }
    }
  }

  private static func replace(_ reordering: inout tessera_reordering) {
    reordering.target = { layout, input, section, item, point, targetSection, targetItem in
      let owner = InterposedEngine.owner(of: layout)
      return owner.call(input) { input in
        owner.lending(targetSection, "the target's section") { ownSection in
          owner.lending(targetItem, "the target's item") { ownItem in
            owner.reordering!.true.target(
              owner.layout, input, section, item, point, ownSection, ownItem)
          }
        }
      }
    }
  }

  private static func replace(_ snapping: inout tessera_snapping) {
    snapping.resting_offset = { layout, input, velocity, resting in
      let owner = InterposedEngine.owner(of: layout)
      return owner.call(input) { input in
        owner.lending(resting, "the resting offset") {
          owner.snapping!.true.resting_offset(owner.layout, input, velocity, $0)
        }
      }
    }
  }
}

private final class InterposedTable<Table> {
  let `true`: Table
  let given = UnsafeMutablePointer<Table>.allocate(capacity: 1)

  init(_ table: Table) {
    `true` = table
    given.initialize(to: table)
  }

  deinit { given.deallocate() }
}

/// C ABIs leave the upper half of a register undefined for numbers of up to 32 bits.
private final class InterposedFunction {
  private let interface: CallInterface
  /// The interface with filled numbers as 64 bits.
  private let wide: CallInterface
  private let fills: (arguments: Bool, result: Bool)
  private let closure: OpaquePointer
  private let function: @convention(c) () -> Void
  private let layout: (() -> OpaquePointer?)?
  private(set) var code: (@convention(c) () -> Void)?
  var trueCode: Int { unsafeBitCast(function, to: Int.self) }

  /// `layout` returns the layout to pass; nil to pass the caller's context.
  init?(
    _ signature: Signature, _ function: @escaping @convention(c) () -> Void,
    fillsArguments: Bool = false, fillsResult: Bool = false, _ layout: (() -> OpaquePointer?)?
  ) {
    let filled = try? Signature(
      result: fillsResult ? signature.result.filled : signature.result,
      arguments: fillsArguments ? signature.arguments.map(\.filled) : signature.arguments)
    guard let interface = try? CallInterface(signature), let filled,
      let wide = try? CallInterface(filled), let closure = tessera_closure_create()
    else { return nil }
    (self.interface, self.wide) = (interface, wide)
    fills = (fillsArguments, fillsResult)
    self.closure = closure
    self.layout = layout
    self.function = function
    code = tessera_closure_prepare(
      closure, fillsResult ? wide.pointer : interface.pointer,
      { context, result, arguments in
        Unmanaged<InterposedFunction>.fromOpaque(context).takeUnretainedValue()
          .call(result, arguments)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit { tessera_closure_destroy(closure) }

  private func call(
    _ result: UnsafeMutableRawPointer, _ arguments: UnsafePointer<UnsafeMutableRawPointer>
  ) {
    let count = 1 + interface.types.count
    var passed = Array(UnsafeBufferPointer(start: arguments, count: count))
    var layout = layout?()
    var numbers = [UInt64](repeating: 0, count: count)
    withUnsafeMutableBytes(of: &layout) { first in
      numbers.withUnsafeMutableBytes { numbers in
        if self.layout != nil { passed[0] = first.baseAddress! }
        for (place, type) in interface.types.enumerated()
        where fills.arguments && type != type.filled {
          let number = numbers.baseAddress! + 8 * (1 + place)
          number.storeBytes(of: type.filledRegister(at: passed[1 + place]), as: UInt64.self)
          passed[1 + place] = number
        }
        tessera_call(fills.arguments ? wide.pointer : interface.pointer, function, result, passed)
      }
    }
    let type = interface.signature.result
    guard fills.result, type != type.filled else { return }
    result.storeBytes(of: type.filledRegister(at: result), as: UInt64.self)
  }
}

extension ValueType {
  fileprivate var filled: ValueType { stride <= 4 && isWhole || self == .bool ? .u64 : self }

  /// A number in the lower half; compilers extend smaller numbers to 32 bits.
  fileprivate func filledRegister(at address: UnsafeRawPointer) -> UInt64 {
    let number = Value.load(self, from: address).whole(Int64.self) ?? 0
    return UInt64(UInt32(truncatingIfNeeded: number)) | 0xA5A5_A5A5 << 32
  }
}
