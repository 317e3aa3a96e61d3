/// The time that the calls into the engines have taken which answer one question of the program.
///
/// The program asks once, and the engines decide how many calls that takes: a lazy engine is asked band by band,
/// and one that measures is prepared until nothing in sight is left to measure. So all calls share the time limit.
/// Outside a question, each call has the limit for itself.
package final class QuestionTime {
  private var isRunning = false
  package private(set) var ofEngines = 0.0
  /// The seconds of the program's own functions in these calls, as far as they did not count as the engines'.
  package private(set) var ofProgram = 0.0
  package private(set) var calls = 0

  package init() {}

  /// Begins a question, or a part of one that has the whole limit again.
  package func begin() { (isRunning, ofEngines, ofProgram, calls) = (true, 0, 0, 0) }

  package func end() { (isRunning, ofEngines, ofProgram, calls) = (false, 0, 0, 0) }

  /// Adds a call, unless no question is asked.
  package func add(ofEngines seconds: Double, ofProgram granted: Double) {
    guard isRunning else { return }
    ofEngines += seconds
    ofProgram += granted
    calls += 1
  }
}
