import CTesseraExamination
import TesseraCatalog
import TesseraRuntime
import TesseraWorker

/// A test of an engine from inside its process, most of them with a number.
///
/// Each examination runs in a worker of its own, which ends afterwards.
public enum Examination: UInt8, Sendable {
  /// Creates, uses and destroys the layouts one after the other, and reports the state of the
  /// process at each stage.
  case process
  /// The same, and then ends the process as exit does; it gives no report.
  case ending
  /// Creates and uses the layouts, each of which has two inputs in sequence: first the inputs of all
  /// layouts, then, in the same order, their second ones; each step for all layouts before the next.
  case turns
  /// Creates layouts on four threads at once, a number of times on each.
  case threads
  /// Prepares each layout three times, and compares the results.
  case preparedAgain
  /// Creates and destroys each layout without preparing it, and asks it what may be asked before that.
  case unprepared
  /// Creates layouts on four threads at once, before anything else, and compares them.
  case firstUse
  /// Lays out on a thread with a stack of a number of bytes.
  case stack
  /// Makes every call of each layout again, in another order, and in another layout.
  case asked
  /// Makes every call of one layout a number of times.
  case askedAgain
  /// Compares each layout with one whose host has no extensions.
  case bare
  /// Changes a layout from the first to the second input, which has a new item at each end of the
  /// section of the number, or a new section at each end if it is -1: in batches with the two
  /// insertions in either order, and beside a batch of another layout. Asks in several ways how
  /// elements appear and disappear.
  case batches
  /// Lets the calls of the base fail that a derived engine makes.
  case failingBase
  /// Compares the estimates and the proposals of layouts whose items have other sizes.
  case estimates
  /// Prepares one layout with each of the other inputs and with the first again, a number of times,
  /// whatever it refuses.
  case changedAgain
  /// Changes two layouts by turns from one input to the next, while the host keeps all, some or none of
  /// the rows that it could keep, and compares them with new layouts.
  case changed
  /// Changes a layout from one input to the next, for each pair of them, and finds out whether any row
  /// is left as it is.
  case keeping
  /// Compares the layouts with layouts of the same values, farther apart in memory.
  case spread
  /// Creates, prepares and destroys layouts a number of times.
  case recreated
  /// Prepares and queries one layout a number of times.
  case reprepared
  /// Places rows next to an inaccessible page, so that a write before their start crashes.
  case guardedStart
  /// The same with a page after their end.
  case guardedEnd
  /// Compares the engines' input before and after each call.
  case readOnlyInput
  /// Stops calls at several places, as `progress` returns 0, and compares the layouts that follow.
  case cancelled
  /// The same with calls for which `add` refuses rows.
  case refusedRows
  /// Cancels calls of the first layout that can be stopped, a number of times.
  case cancelledAgain
  /// Refuses rows to calls of the first layout that adds any, a number of times.
  case refusedRowsAgain
  /// Observes the progress of each layout's calls.
  case progress
  /// Calls the published functions of each layout alone, then of all of them in turn.
  case publishedFunctions
  /// Asks the engine for elements that do not exist.
  case unknownElements
  /// Begins and ends batch updates of one layout, which reload items, a number of times.
  case updatedAgain
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
  /// elsewhere: the number has the bits of a `SimulatedMachine`.
  case simulated
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
    else { throw ByteReader.broken("took less than no time") }
    return report
  }
}
