import CTessera
import CTesseraExamination
import CTesseraSystem
import TesseraCatalog
import TesseraRuntime

/// Watches the calls of a layout and supplies its rows; changes nothing by default.
class CallWatch: CallExaminer, RowMemory {
  final var hidesExtensions = false
  /// Whether a derived engine's calls of its base fail.
  final var baseFails = false {
    didSet { hasFailedBase = false }
  }
  private(set) final var hasFailedBase = false
  private(set) final var numbering: ChainNumbers?
  private let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  func call<Result>(
    _ engine: EngineDescription, _ input: UnsafePointer<tessera_input>,
    _ body: (UnsafePointer<tessera_input>) -> Result
  ) -> Result { body(input) }

  func lend(byteCount: Int, _ name: String) -> UnsafeMutableRawPointer? { nil }

  func lendLasting(byteCount: Int, _ name: String) -> UnsafeMutableRawPointer? { nil }

  func takeBack(_ memory: UnsafeMutableRawPointer) {}

  func willGive(_ rows: tessera_rows, isFetched: Bool) {}

  func wereLeft(_ rows: tessera_rows, _ count: Int) {}

  func add(_ count: UInt64, to store: RowStore, _ add: () -> tessera_status) -> tessera_status {
    add()
  }

  func observe(_ progress: Double, ofEngineAt place: Int) {}

  final func failsBase() -> Bool {
    hasFailedBase = hasFailedBase || baseFails
    return baseFails
  }

  func replacement(for code: @escaping Code, _ signature: Signature) -> Code { code }

  func runWasAdded(to store: RowStore) {}

  /// The engines may no longer use the rows.
  func rowsWereTaken(from store: RowStore) {}

  /// Rows for many layouts within a sandbox's address space; stray writes are harmless.
  func column(byteCount: Int, _ name: String) -> ColumnMemory? {
    let space = 4096
    guard let whole = ColumnMemory.obtain(byteCount: byteCount + 2 * space) else { return nil }
    return ColumnMemory(base: whole.base + space, byteCount: byteCount, owner: whole)
  }

  final func preparedStore(_ numbering: ChainNumbers) throws(HostError) -> RowStore {
    self.numbering = numbering
    return try store(numbering.columns, adjusted: false, capacity, numbering)
  }

  final func answerStore(
    _ numbering: ChainNumbers, columns: BuiltInColumns, capacity: Int
  ) throws(HostError) -> RowStore { try store(columns, adjusted: true, capacity, numbering) }

  private final func store(
    _ columns: BuiltInColumns, adjusted: Bool, _ capacity: Int, _ numbering: ChainNumbers
  ) throws(HostError) -> RowStore {
    let attributes = numbering.attributes.filter { adjusted || !$0.isAdjusted }
    var names = (["frame"] + columns.headerNames + attributes.map(\.name))[...]
    return try RowStore(
      numbering: numbering, columns: columns, adjusted: adjusted, capacity: capacity
    ) { column(byteCount: $0, names.popFirst() ?? "frame") }
  }
}

typealias Code = @convention(c) () -> Void

/// Lends rows with a guard page: accesses beyond the end or after a move fault.
class CheckedRows: CallWatch {
  /// Nil if out of memory.
  override final func column(byteCount: Int, _ name: String) -> ColumnMemory? {
    let name = "the column \(name) of the rows"
    guard let base = tessera_checked_lend(UInt64(byteCount), name, 0) else { return nil }
    return ColumnMemory(base: base, byteCount: byteCount, owner: RetiredBlock(base))
  }
}

private final class RetiredBlock {
  private let base: UnsafeMutableRawPointer

  init(_ base: UnsafeMutableRawPointer) { self.base = base }

  deinit { tessera_checked_retire(base) }
}

extension RowStore {
  func columns(
    _ numbering: ChainNumbers? = nil
  ) -> [(name: String, base: UnsafeMutableRawPointer, stride: Int)] {
    let builtIn = ["frame", "transform", "alpha", "z_index", "hidden"]
    return existing.map { number, base, stride in
      let name =
        number < builtIn.count
        ? builtIn[number] : numbering?.attributes[number - builtIn.count].name ?? "attribute"
      return (name, base, stride)
    }
  }
}

/// Fills the upper half of registers that hold numbers of up to 32 bits.
final class FilledRegisters: CallWatch {
  private var published: [FilledFunction] = []
  /// Delegate functions by their address.
  private var delegates: [Int: FilledFunction] = [:]

  override func replacement(for code: @escaping Code, _ signature: Signature) -> Code {
    guard let function = FilledFunction(signature, code, fillsResult: false) else { return code }
    published.append(function)
    return function.code ?? code
  }

  override func call<Result>(
    _ engine: EngineDescription, _ input: UnsafePointer<tessera_input>,
    _ body: (UnsafePointer<tessera_input>) -> Result
  ) -> Result {
    var own = input.pointee
    let functions = engine.delegateFunctions.enumerated().map { index, description in
      var function = own.functions[index]
      guard let code = function.call, let signature = try? description.parsedSignature else {
        return function
      }
      let address = unsafeBitCast(code, to: Int.self)
      let filled = delegates[address] ?? FilledFunction(signature, code, fillsResult: true)
      delegates[address] = filled
      function.call = filled?.code ?? code
      return function
    }
    return functions.withUnsafeBufferPointer { functions in
      if let start = functions.baseAddress { own.functions = start }
      return body(&own)
    }
  }
}

/// C ABIs leave the upper half of a register undefined for numbers of up to 32 bits.
private final class FilledFunction {
  private let interface: CallInterface
  /// The interface with filled numbers as 64 bits.
  private let wide: CallInterface
  /// Otherwise fills the arguments.
  private let fillsResult: Bool
  private let closure: OpaquePointer
  private let function: Code
  private(set) var code: Code?

  init?(_ signature: Signature, _ function: @escaping Code, fillsResult: Bool) {
    let filled = try? Signature(
      result: fillsResult ? signature.result.filled : signature.result,
      arguments: fillsResult ? signature.arguments : signature.arguments.map(\.filled))
    guard let interface = try? CallInterface(signature), let filled,
      let wide = try? CallInterface(filled), let closure = tessera_closure_create()
    else { return nil }
    (self.interface, self.wide, self.closure) = (interface, wide, closure)
    (self.function, self.fillsResult) = (function, fillsResult)
    code = tessera_closure_prepare(
      closure, fillsResult ? wide.pointer : interface.pointer,
      { context, result, arguments in
        Unmanaged<FilledFunction>.fromOpaque(context).takeUnretainedValue().call(result, arguments)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit { tessera_closure_destroy(closure) }

  private func call(
    _ result: UnsafeMutableRawPointer, _ arguments: UnsafePointer<UnsafeMutableRawPointer>
  ) {
    let type = interface.signature.result
    if fillsResult {
      tessera_call(interface.pointer, function, result, arguments)
      guard type != type.filled else { return }
      result.storeBytes(of: type.filledRegister(at: result), as: UInt64.self)
      return
    }
    var passed = Array(UnsafeBufferPointer(start: arguments, count: 1 + interface.types.count))
    var numbers = [UInt64](repeating: 0, count: passed.count)
    numbers.withUnsafeMutableBytes { numbers in
      for (place, type) in interface.types.enumerated() where type != type.filled {
        let number = numbers.baseAddress! + 8 * (1 + place)
        number.storeBytes(of: type.filledRegister(at: passed[1 + place]), as: UInt64.self)
        passed[1 + place] = number
      }
      tessera_call(wide.pointer, function, result, passed)
    }
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
