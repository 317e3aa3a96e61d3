import CTesseraExamination
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
  /// The same, and then ends the process as exit does; it gives no report.
  case ending
  /// Creates and uses the layouts, each of which has two inputs in sequence: first the inputs of all
  /// layouts, then, in the same order, their second ones; each step for all layouts before the next.
  case turns
  /// Creates layouts on several threads at once, several times on each.
  case threads(Int, rounds: Int)
  /// Prepares each layout three times, and compares the results.
  case preparedAgain
  /// Creates and destroys each layout without preparing it, and asks it what may be asked before that.
  case unprepared
  /// Creates layouts on several threads at once, which is the first that the process does, and compares
  /// them.
  case firstUse(Int)
  /// Lays out on a thread with a stack of so many bytes.
  case stack(Int)
  /// Makes every call of each layout again, in another order, and in another layout.
  case asked
  /// Makes every call of one layout a number of times.
  case askedAgain(Int)
  /// Compares each layout with one whose host has no extensions.
  case bare
  /// Changes a layout from the first to the second input, which has one new item at the beginning and one at
  /// the end of a section, or one new section at the beginning and one at the end if that is nil: in batches
  /// with the two insertions in either order, and beside a batch of another layout. Asks in several ways
  /// how elements appear and disappear.
  case batches(section: Int?)
  /// Lets the calls of the base fail that a derived engine makes.
  case failingBase
  /// Compares the estimates and the proposals of layouts whose items have other sizes.
  case estimates
  /// Prepares one layout with each of the other inputs and with the first again, a number of times, whatever it
  /// refuses.
  case changedAgain(Int)
  /// Changes two layouts by turns from one input to the next, while the host keeps all, some or none of
  /// the rows that it could keep, and compares them with new layouts.
  case changed
  /// Changes a layout from one input to the next, for each pair of them, and finds out whether any row is
  /// left as it is.
  case keeping
  /// Compares the layouts with those of the same values, farther apart in memory.
  case spread
  /// Creates, prepares and destroys layouts a number of times.
  case recreated(Int)
  /// Prepares and queries one layout a number of times.
  case reprepared(Int)
  /// Places rows next to an inaccessible page, so that a write outside them crashes: after their
  /// end or before their start.
  case guarded(Side)
  /// Compares the engines' input before and after each call.
  case readOnlyInput
  /// Stops calls at several places, and compares the layouts that follow.
  case interrupted(Interruption)
  /// Stops calls of the first layout that can be stopped, a number of times.
  case interruptedAgain(Interruption, rounds: Int)
  /// Observes the progress of each layout's calls.
  case progress
  /// Calls the published functions of each layout alone, then of all of them in turn.
  case publishedFunctions
  /// Asks the engine for elements that do not exist.
  case unknownElements
  /// Begins and ends batch updates of one layout, which reload items, a number of times.
  case updatedAgain(Int)
  /// Measures how much memory each prepared layout keeps.
  case kept
  /// Requests unknown extensions from the engine.
  case unknownExtensions
  /// Prepares one layout with each input in sequence, with memory that detects its misuse: blocks from
  /// malloc, and everything that the engine is given for a call.
  case memory
  /// Measures the processor time of each layout's prepare.
  case timedPrepares
  /// Measures the processor time of each layout's queries of the viewport, in the middle of the
  /// content, for each element found.
  case timedQueries
  /// Creates and uses the layouts one after the other, with functions of the system that answer as
  /// elsewhere.
  case simulated(SimulatedMachine)

  /// How the host stops a call.
  public enum Interruption: Equatable, Sendable {
    /// `progress` returns 0.
    case cancelled
    /// `add` refuses rows.
    case refusedRows
  }

  /// One end of a block of memory.
  public enum Side: Equatable, Sendable {
    /// Its first byte.
    case start
    /// Its last byte.
    case end
  }
}

/// What is different for the engines of an examination.
public struct SimulatedMachine: OptionSet, Sendable {
  /// The bits of the set.
  public let rawValue: Int

  /// A set of differences by their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Environment variables.
  public static let variables = SimulatedMachine(rawValue: Int(TESSERA_SIMULATED_VARIABLES))
  /// The time of day.
  public static let time = SimulatedMachine(rawValue: Int(TESSERA_SIMULATED_TIME))
  /// The locale's decimal point.
  public static let locale = SimulatedMachine(rawValue: Int(TESSERA_SIMULATED_LOCALE))
  /// The id of the process, and the number of processors.
  public static let process = SimulatedMachine(rawValue: Int(TESSERA_SIMULATED_PROCESS))
}

/// The result of an examination.
public struct ExaminationReport: Equatable, Sendable {
  package init() {}

  /// A misuse of memory.
  public struct Misuse: Equatable, Sendable {
    /// What an engine may not do with memory.
    public enum Rule: Sendable {
      /// Memory from malloc was used outside its bounds or after it was freed, or freed wrongly.
      case heap
      /// Something that was lent for a call was used outside its bounds.
      case bounds
      /// The same of rows, which other examinations are about.
      case rows
      /// Something that was lent for an earlier call was used.
      case kept
      /// The process crashed only with other contents of new memory.
      case contents
    }

    /// The rule that it breaks.
    public let rule: Rule
    /// What happened: "prepare reads past the end of section_starts".
    public let sentence: String
    /// Whether it happened in a published function, whose arguments a program chooses.
    public let isInFunction: Bool
  }

  /// The process before the libraries were loaded, and after each stage.
  public package(set) var stages: [ProcessFacts] = []
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
  /// How the engines misused memory, which ended their process.
  public package(set) var misuse: Misuse?
  /// How many more bytes were allocated by malloc at the end than after the first tenth of the
  /// rounds; for `kept`, how many bytes each layout kept.
  public package(set) var heapBytes: [Int] = []
  /// How much the process's private memory grew in the same time.
  public package(set) var privateBytes: [Int] = []
  /// The processor time that each layout took, in seconds.
  public package(set) var processorSeconds: [Double] = []
  /// The rows of each layout, in order.
  public package(set) var images: [LayoutRows] = []
  /// What came of the calls of each layout, in order.
  public package(set) var answers: [[String]] = []
  /// How many bytes the engines printed.
  public package(set) var printedBytes = 0
  /// The last text that they printed, on one line.
  public package(set) var printed: String?
}

extension Examination: ByteCodable {
  package func write(to writer: inout ByteWriter) {
    let (code, first, second): (UInt8, Int, Int) =
      switch self {
      case .process: (1, 0, 0)
      case .turns: (2, 0, 0)
      case .threads(let count, let rounds): (3, count, rounds)
      case .preparedAgain: (4, 0, 0)
      case .unprepared: (5, 0, 0)
      case .recreated(let count): (6, count, 0)
      case .reprepared(let count): (7, count, 0)
      case .guarded(let side): (8, side == .end ? 1 : 0, 0)
      case .interrupted(let way): (9, way.code, 0)
      case .kept: (10, 0, 0)
      case .unknownExtensions: (11, 0, 0)
      case .readOnlyInput: (12, 0, 0)
      case .ending: (13, 0, 0)
      case .interruptedAgain(let way, let rounds): (14, way.code, rounds)
      case .progress: (15, 0, 0)
      case .publishedFunctions: (16, 0, 0)
      case .memory: (17, 0, 0)
      case .simulated(let kinds): (18, kinds.rawValue, 0)
      case .timedPrepares: (19, 0, 0)
      case .timedQueries: (20, 0, 0)
      case .unknownElements: (21, 0, 0)
      case .updatedAgain(let count): (22, count, 0)
      case .firstUse(let count): (23, count, 0)
      case .asked: (24, 0, 0)
      case .askedAgain(let count): (25, count, 0)
      case .changed: (26, 0, 0)
      case .keeping: (27, 0, 0)
      case .spread: (28, 0, 0)
      case .changedAgain(let count): (29, count, 0)
      case .bare: (30, 0, 0)
      case .batches(let section): (31, section ?? -1, 0)
      case .stack(let bytes): (32, bytes, 0)
      case .failingBase: (33, 0, 0)
      case .estimates: (34, 0, 0)
      }
    writer.put(code)
    writer.put(first)
    writer.put(second)
  }

  package static func read(from reader: inout ByteReader) throws(HostError) -> Examination {
    let code = try reader.read(UInt8.self)
    let (first, second) = (try reader.read(Int.self), try reader.read(Int.self))
    switch code {
    case 1: return .process
    case 2: return .turns
    case 3: return .threads(first, rounds: second)
    case 4: return .preparedAgain
    case 5: return .unprepared
    case 6: return .recreated(first)
    case 7: return .reprepared(first)
    case 8: return .guarded(first == 1 ? .end : .start)
    case 9: return .interrupted(first == 1 ? .cancelled : .refusedRows)
    case 10: return .kept
    case 11: return .unknownExtensions
    case 12: return .readOnlyInput
    case 13: return .ending
    case 14:
      return .interruptedAgain(first == 1 ? .cancelled : .refusedRows, rounds: second)
    case 15: return .progress
    case 16: return .publishedFunctions
    case 17: return .memory
    case 18: return .simulated(SimulatedMachine(rawValue: first))
    case 19: return .timedPrepares
    case 20: return .timedQueries
    case 21: return .unknownElements
    case 22: return .updatedAgain(first)
    case 23: return .firstUse(first)
    case 24: return .asked
    case 25: return .askedAgain(first)
    case 26: return .changed
    case 27: return .keeping
    case 28: return .spread
    case 29: return .changedAgain(first)
    case 30: return .bare
    case 31: return .batches(section: first < 0 ? nil : first)
    case 32: return .stack(first)
    case 33: return .failingBase
    case 34: return .estimates
    default: throw ByteReader.broken("is an examination of kind \(code)")
    }
  }
}

extension Examination.Interruption {
  fileprivate var code: Int { self == .cancelled ? 1 : 0 }
}

// What the engines printed, and how they misused memory, is added by the host.
extension ExaminationReport: FieldCodable {
  package static let fields = Fields(
    setting: ExaminationReport.init, \.stages, \.loadingSeconds, \.registrationSeconds,
    \.registrationProblem, \.descriptionProblem, \.problem, \.heapBytes, \.privateBytes,
    \.processorSeconds, \.images, \.answers)

  /// The numbers of bytes by which memory can grow or shrink: differences of them are numbers, too.
  static let bytes = -(1 << 47)..<1 << 47

  /// Reads a report; its numbers can be computed with.
  package static func read(from reader: inout ByteReader) throws(HostError) -> ExaminationReport {
    let report = try fields.decode(&reader)
    for bytes in report.heapBytes + report.privateBytes {
      _ = try Untrusted(bytes).int(in: Self.bytes, "number of bytes")
    }
    guard report.loadingSeconds >= 0, report.registrationSeconds >= 0,
      report.processorSeconds.allSatisfy({ $0 >= 0 })
    else {
      throw ByteReader.broken("took less than no time")
    }
    return report
  }
}
