import CTesseraExamination
import TesseraCatalog
import TesseraRuntime
import TesseraWorker

/// A test inside the engine's process; each runs in a new worker.
package enum Examination: UInt8, Sendable {
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
  /// Measures the bytes that each layout keeps.
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
package struct SimulatedMachine: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let variables = SimulatedMachine(rawValue: Int(TESSERA_SIMULATED_VARIABLES))
  /// The time of day.
  package static let time = SimulatedMachine(rawValue: Int(TESSERA_SIMULATED_TIME))
  /// The locale's decimal point.
  package static let locale = SimulatedMachine(rawValue: Int(TESSERA_SIMULATED_LOCALE))
  /// The process id, and the number of processors.
  package static let process = SimulatedMachine(rawValue: Int(TESSERA_SIMULATED_PROCESS))
}

/// The result of an examination.
package struct ExaminationReport: Sendable {
  package struct Misuse: Sendable {
    package enum Rule: Sendable {
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

    package let rule: Rule
    /// Such as "prepare reads past the end of section_starts".
    package let sentence: String
    /// Whether a published function did it, whose arguments the program chooses.
    package let isInFunction: Bool
  }

  /// The process before the libraries were loaded, and after each stage.
  package var stages: [ProcessFacts] = []
  /// For the slowest library, in seconds.
  package var loadingSeconds = 0.0
  /// For the slowest library, in seconds.
  package var registrationSeconds = 0.0
  /// How a second registration differed.
  package var registrationProblem: String?
  /// How the description had changed by the end.
  package var descriptionProblem: String?
  /// The problem found by the examination.
  package var problem: String?
  /// The memory error that ended the process.
  package var misuse: Misuse?
  /// Growth of malloc after the first tenth of the rounds; for `kept`, bytes per layout.
  package var heapBytes: [Int] = []
  /// Growth of private memory over the same rounds.
  package var privateBytes: [Int] = []
  /// Processor time of each layout, in seconds.
  package var processorSeconds: [Double] = []
  package var images: [LayoutRows] = []
  /// The number of bytes printed by the engines.
  package var printedBytes = 0
  /// The last printed text, on one line.
  package var printed: String?

  package init() {}
}

// The host adds printed text and memory errors.
extension ExaminationReport: FieldCodable {
  package static let fields = Fields(
    setting: ExaminationReport.init, \.stages, \.loadingSeconds, \.registrationSeconds,
    \.registrationProblem, \.descriptionProblem, \.problem, \.heapBytes, \.privateBytes,
    \.processorSeconds, \.images)

  /// Rejects numbers out of range, which could overflow.
  package static func read(from reader: inout ByteReader) throws(HostError) -> ExaminationReport {
    let report = try fields.decode(&reader)
    for bytes in report.heapBytes + report.privateBytes {
      _ = try Untrusted(bytes).int(in: -(1 << 47)..<1 << 47, "number of bytes")
    }
    guard report.loadingSeconds >= 0, report.registrationSeconds >= 0,
      report.processorSeconds.allSatisfy({ $0 >= 0 })
    else { throw ByteReader.broken("took less than no time") }
    return report
  }
}
