import ArgumentParser

/// The formats of a single answer.
enum AnswerFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json
}
