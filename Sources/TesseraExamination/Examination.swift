import TesseraCatalog
import TesseraRuntime
import TesseraWorker

/// A test of an engine from inside its process.
///
/// Each examination runs in a worker of its own, which ends afterwards.
public enum Examination: Equatable, Sendable {
  /// Creates, uses and destroys the layouts one after the other, and reports the state of the
  /// process at each stage.
  case process
  /// Creates all layouts, prepares them, queries them in turn, and destroys them in the end.
  case interleaved
  /// Creates layouts on several threads at once, several times on each.
  case threads(Int, rounds: Int)
  /// Prepares each layout three times, and compares the results.
  case preparedAgain
  /// Creates and destroys each layout without preparing it; with `asks`, also queries it.
  case unprepared(asks: Bool)
  /// Creates, prepares and destroys layouts a number of times.
  case recreated(Int)
  /// Prepares and queries one layout a number of times.
  case reprepared(Int)
  /// Places rows next to an inaccessible page, so that a write outside them crashes: after their
  /// end or before their start.
  case guarded(Side)
  /// Compares the engines' input before and after each call.
  case readOnlyInput
  /// Refuses the rows beyond several limits, and compares the layouts that follow.
  case refusedRows
  /// Measures how much memory each prepared layout keeps.
  case kept
  /// Requests unknown extensions from the engine.
  case unknownExtensions

  /// One end of a block of memory.
  public enum Side: Equatable, Sendable {
    /// Its first byte.
    case start
    /// Its last byte.
    case end
  }
}

/// The result of an examination.
public struct ExaminationReport: Equatable, Sendable {
  package init() {}

  /// The process at one stage.
  public struct Stage: Equatable, Sendable {
    /// The step before the state was read: "loading", "prepare".
    public let name: String
    /// The state.
    public let facts: ProcessFacts

    package init(name: String, facts: ProcessFacts) {
      self.name = name
      self.facts = facts
    }
  }

  /// The process before the libraries were loaded, and after each stage.
  public package(set) var stages: [Stage] = []
  /// How long it took to load the slowest library, in seconds.
  public package(set) var loadingSeconds = 0.0
  /// How long the slowest registration took, in seconds.
  public package(set) var registrationSeconds = 0.0
  /// How a second registration of a library differed from its first.
  public package(set) var registrationProblem: String?
  /// How a description that was read at the end differed from the first.
  public package(set) var descriptionProblem: String?
  /// The problem that the examination itself found.
  public package(set) var problem: String?
  /// How many more bytes were allocated by malloc at the end than after the first tenth of the
  /// rounds; for `kept`, how many bytes each layout kept.
  public package(set) var heapBytes: [Int] = []
  /// How much the process's private memory grew in the same time.
  public package(set) var privateBytes: [Int] = []
  /// The rows of each layout, in order.
  public package(set) var images: [LayoutRows] = []
  /// How many bytes the engines printed.
  public package(set) var printedBytes = 0
  /// The last text that they printed, on one line.
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
