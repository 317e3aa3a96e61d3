import TesseraCatalog
import TesseraRuntime
import TesseraWorker

/// A look at an engine from inside its process, for tests of engines.
///
/// Each takes place in a worker of its own, which ends afterwards.
public enum Examination: Equatable, Sendable {
  /// The layouts are made, used and destroyed one after the other, and the state of the process is
  /// told at each stage.
  case process
  /// All layouts are made, then prepared, then asked in turn; in the end they are destroyed.
  case interleaved
  /// So many threads make layouts of their own, so many times each.
  case threads(Int, rounds: Int)
  /// Each layout is prepared three times, and then asked.
  case preparedAgain
  /// A layout is made and destroyed without being prepared, and asked before it is.
  case unprepared(asks: Bool)
  /// Layouts are made, prepared and destroyed so many times.
  case recreated(Int)
  /// One layout is prepared and asked so many times.
  case reprepared(Int)
  /// Rows lie so that a write beside them does harm at once: behind their end, or before their start.
  case guarded(Side)
  /// What the engines are given is compared before and after each of their calls.
  case readOnlyInput
  /// The host refuses rows, after fewer and fewer.
  case refusedRows
  /// How much memory each layout keeps while it is prepared.
  case kept
  /// The engine is asked for extensions that nobody knows.
  case unknownExtensions

  /// An end of some memory.
  public enum Side: Equatable, Sendable {
    /// Its first byte.
    case start
    /// Its last byte.
    case end
  }
}

/// What came of an examination.
public struct ExaminationReport: Equatable, Sendable {
  package init() {}

  /// The process at one stage.
  public struct Stage: Equatable, Sendable {
    /// What had been done when the state was read: "loading", "prepare".
    public let name: String
    /// The state.
    public let facts: ProcessFacts


    package init(name: String, facts: ProcessFacts) {
      self.name = name
      self.facts = facts
    }  }

  /// The process before anything of the libraries was there, and after each stage.
  public package(set) var stages: [Stage] = []
  /// How long the slowest library took to be loaded, in seconds.
  public package(set) var loadingSeconds = 0.0
  /// How long the slowest registration took, in seconds.
  public package(set) var registrationSeconds = 0.0
  /// How a second registration of a library differed from its first.
  public package(set) var registrationProblem: String?
  /// How a description read in the end differed from the first.
  public package(set) var descriptionProblem: String?
  /// What the examination itself found wrong.
  public package(set) var problem: String?
  /// By how many bytes malloc had given out more in the end than after the first tenth; of `kept`:
  /// how many each layout kept.
  public package(set) var heapBytes: [Int] = []
  /// The same of memory of the process's own.
  public package(set) var privateBytes: [Int] = []
  /// What each layout answered, in order.
  public package(set) var images: [LayoutRows] = []
  /// How many bytes the engines printed.
  public package(set) var printedBytes = 0
  /// The last that they printed, on one line.
  public package(set) var printed: String?
}

extension ByteWriter {
  package mutating func put(_ examination: Examination) {
    func put(_ code: UInt8, _ first: Int = 0, _ second: Int = 0) {
      self.put(code)
      self.put(first)
      self.put(second)
    }
    switch examination {
    case .process: put(1)
    case .interleaved: put(2)
    case .threads(let count, let rounds): put(3, count, rounds)
    case .preparedAgain: put(4)
    case .unprepared(let asks): put(5, asks ? 1 : 0)
    case .recreated(let count): put(6, count)
    case .reprepared(let count): put(7, count)
    case .guarded(let side): put(8, side == .end ? 1 : 0)
    case .refusedRows: put(9)
    case .kept: put(10)
    case .unknownExtensions: put(11)
    case .readOnlyInput: put(12)
    }
  }

  package mutating func put(_ report: ExaminationReport) {
    put(count: report.stages.count)
    for stage in report.stages {
      put(stage.name)
      put(stage.facts)
    }
    put(report.loadingSeconds)
    put(report.registrationSeconds)
    put(report.registrationProblem)
    put(report.descriptionProblem)
    put(report.problem)
    for numbers in [report.heapBytes, report.privateBytes] {
      put(count: numbers.count)
      for number in numbers { put(number) }
    }
    put(count: report.images.count)
    for image in report.images { put(image) }
  }
}

extension ByteReader {
  package mutating func examination() throws(HostError) -> Examination {
    let (code, first, second) = (try uint8(), try int(), try int())
    switch code {
    case 1: return .process
    case 2: return .interleaved
    case 3: return .threads(first, rounds: second)
    case 4: return .preparedAgain
    case 5: return .unprepared(asks: first == 1)
    case 6: return .recreated(first)
    case 7: return .reprepared(first)
    case 8: return .guarded(first == 1 ? .end : .start)
    case 9: return .refusedRows
    case 10: return .kept
    case 11: return .unknownExtensions
    case 12: return .readOnlyInput
    default: throw Self.broken("is an examination of kind \(code)")
    }
  }

  package mutating func examinationReport() throws(HostError) -> ExaminationReport {
    var report = ExaminationReport()
    for _ in 0..<(try count(ofAtLeast: 64)) {
      report.stages.append(
        ExaminationReport.Stage(name: try string(), facts: try processFacts()))
    }
    report.loadingSeconds = try double()
    report.registrationSeconds = try double()
    report.registrationProblem = try optionalString()
    report.descriptionProblem = try optionalString()
    report.problem = try optionalString()
    report.heapBytes = try ints()
    report.privateBytes = try ints()
    for _ in 0..<(try count(ofAtLeast: 20)) { report.images.append(try layoutRows()) }
    return report
  }

  private mutating func ints() throws(HostError) -> [Int] {
    var numbers: [Int] = []
    for _ in 0..<(try count(ofAtLeast: 8)) { numbers.append(try int()) }
    return numbers
  }
}
