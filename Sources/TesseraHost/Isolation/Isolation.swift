/// How engines are kept apart from the program that uses them.
public enum Isolation: String, CaseIterable, Sendable {
  /// In a process of their own, without the rights to do harm.
  case sandbox
  /// In a process of their own, with the rights of the program: a crash is theirs alone.
  case process
  /// In the program's own process: for engines that one trusts.
  case none
}
