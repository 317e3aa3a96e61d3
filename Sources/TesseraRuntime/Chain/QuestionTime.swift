// Engine time for one question of the program. A question can take many engine calls (bands, rounds
// of measuring), which share the time limit.
package final class QuestionTime {
  private var isRunning = false
  package private(set) var ofEngines = 0.0
  /// Seconds in the program's functions that don't count for the engines.
  package private(set) var ofProgram = 0.0
  package private(set) var calls = 0

  package init() {}

  package func begin() { (isRunning, ofEngines, ofProgram, calls) = (true, 0, 0, 0) }

  package func end() { (isRunning, ofEngines, ofProgram, calls) = (false, 0, 0, 0) }

  /// Ignored outside a question.
  package func add(ofEngines seconds: Double, ofProgram granted: Double) {
    guard isRunning else { return }
    ofEngines += seconds
    ofProgram += granted
    calls += 1
  }
}
