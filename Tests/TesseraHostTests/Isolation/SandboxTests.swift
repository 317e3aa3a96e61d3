import Testing

/// What a process can and cannot do in the sandbox.
///
/// The outcomes are those that the manual pages of Linux give for what the sandbox promises: EACCES
/// for files, EPERM for rights, EBADF for descriptors, ENOMEM for memory, and SIGSYS for an attack,
/// with the name of the call where the process does not block the signal.
@Suite struct SandboxTests {
  @Test(arguments: SandboxedAction.all, User.all)
  func endsAsItShould(_ action: SandboxedAction, as user: User) throws {
    #expect(try Prisoner.outcomes(as: user)[action.name] == action.outcome)
  }

  @Test(arguments: User.all)
  func everyActionHasItsOutcome(_ user: User) throws {
    let expected = Set(SandboxedAction.all.map(\.name))
    #expect(Set(try Prisoner.outcomes(as: user).keys) == expected)
  }
}
