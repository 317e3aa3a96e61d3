import CTesseraExamination
import TesseraCatalog
import TesseraRuntime
import TesseraWorker

/// A test inside the engine's process; each runs in a new worker.
public enum Examination: UInt8, Sendable {
  /// Creates, uses and destroys the layouts in turn; reports the process state at each stage.
  case process
  /// Like `process`, but ends with exit and gives no report.
  case ending
  /// Interleaves layouts, each with two inputs: every step for all layouts before the next.
  case turns
  case threads
  case preparedAgain
  /// Creates and destroys layouts without prepare; makes the calls allowed before it.
  case unprepared
  /// Creates the first layouts on four threads at once and compares them.
  case firstUse
  /// Lays out on a stack of this many bytes.
  case stack
  case asked
  case askedAgain
  case bare
  /// Inserts at both ends of a section (-1: of the data) in either order; queries animations.
  case batches
  case failingBase
  case estimates
  /// Prepares one layout repeatedly with each input in turn, even after refusals.
  case changedAgain
  /// The host keeps all, some or no rows; compares with new layouts.
  case changed
  /// Tests whether any change leaves a row as it is.
  case keeping
  case spread
  case recreated
  case reprepared
  case guardedStart
  case guardedEnd
  case readOnlyInput
  /// Cancels calls at several steps and compares the next layouts.
  case cancelled
  /// The same when `add` refuses rows.
  case refusedRows
  case cancelledAgain
  case refusedRowsAgain
  case progress
  /// Calls published functions of each layout alone, then interleaved.
  case publishedFunctions
  case unknownElements
  case updatedAgain
  case kept
  case unknownExtensions
  /// Prepares in memory that detects misuse of malloc blocks and call arguments.
  case memory
  case timedPrepares
  /// Measures the processor time per element of viewport queries in the middle of the content.
  case timedQueries
  /// Uses the layouts with simulated system functions; the number is a `SimulatedMachine`.
  case simulated
}

/// System properties to simulate.
public struct SimulatedMachine: OptionSet, Sendable {
  /// The bits of the set.
  public let rawValue: Int

  /// Makes a set from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Environment variables.
  public static let variables = SimulatedMachine(rawValue: Int(TESSERA_SIMULATED_VARIABLES))
  /// The time of day.
  public static let time = SimulatedMachine(rawValue: Int(TESSERA_SIMULATED_TIME))
  /// The locale's decimal point.
  public static let locale = SimulatedMachine(rawValue: Int(TESSERA_SIMULATED_LOCALE))
  /// The process id, and the number of processors.
  public static let process = SimulatedMachine(rawValue: Int(TESSERA_SIMULATED_PROCESS))
}

/// The result of an examination.
public struct ExaminationReport: Equatable, Sendable {
  package init() {}

  /// A memory error.
  public struct Misuse: Equatable, Sendable {
    /// The rule that was broken.
    public enum Rule: Sendable {
      /// A malloc block used out of bounds, after free, or freed wrongly.
      case heap
      /// A call argument used out of bounds.
      case bounds
      /// Rows used out of bounds.
      case rows
      /// A call argument used after the call.
      case kept
      /// A crash that depends on uninitialized memory.
      case contents
    }

    /// The broken rule.
    public let rule: Rule
    /// Such as "prepare reads past the end of section_starts".
    public let sentence: String
    /// Whether a published function did it, whose arguments the program chooses.
    public let isInFunction: Bool
  }

  /// The process before the libraries were loaded, and after each stage.
  public package(set) var stages: [ProcessFacts] = []
  /// For the slowest library, in seconds.
  public package(set) var loadingSeconds = 0.0
  /// For the slowest library, in seconds.
  public package(set) var registrationSeconds = 0.0
  /// How a second registration differed.
  public package(set) var registrationProblem: String?
  /// How the description had changed by the end.
  public package(set) var descriptionProblem: String?
  /// The problem found by the examination.
  public package(set) var problem: String?
  /// The memory error that ended the process.
  public package(set) var misuse: Misuse?
  /// Growth of malloc after the first tenth of the rounds; for `kept`, bytes per layout.
  public package(set) var heapBytes: [Int] = []
  /// Growth of private memory over the same rounds.
  public package(set) var privateBytes: [Int] = []
  /// Processor time of each layout, in seconds.
  public package(set) var processorSeconds: [Double] = []
  /// The rows of each layout.
  public package(set) var images: [LayoutRows] = []
  /// The answers of each layout.
  public package(set) var answers: [[String]] = []
  /// The number of bytes printed by the engines.
  public package(set) var printedBytes = 0
  /// The last printed text, on one line.
  public package(set) var printed: String?
}

// The host adds printed text and memory errors.
extension ExaminationReport: FieldCodable {
  package static let fields = Fields(
    setting: ExaminationReport.init, \.stages, \.loadingSeconds, \.registrationSeconds,
    \.registrationProblem, \.descriptionProblem, \.problem, \.heapBytes, \.privateBytes,
    \.processorSeconds, \.images, \.answers)

  /// Bounded to make differences representable.
  static let bytes = -(1 << 47)..<1 << 47

  /// Rejects numbers out of range, which could overflow.
  package static func read(from reader: inout ByteReader) throws(HostError) -> ExaminationReport {
    let report = try fields.decode(&reader)
    for bytes in report.heapBytes + report.privateBytes {
      _ = try Untrusted(bytes).int(in: Self.bytes, "number of bytes")
    }
    guard report.loadingSeconds >= 0, report.registrationSeconds >= 0,
      report.processorSeconds.allSatisfy({ $0 >= 0 })
    else { throw ByteReader.broken("took less than no time") }
    return report
  }
}
