import ArgumentParser
import TesseraHost

/// `tessera doctor`: what this machine offers, and what was refused.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Shows whether engines can be run in the sandbox here, and what was refused.",
    discussion: """
      It asks the kernel what it offers, starts a worker in the sandbox with nothing in it, then one \
      with the first engine library of the search path, and looks at limits, folders, the cache, the \
      allowlist and the environment. What is wrong comes first, then what is weaker than it could be.

      The status is 0 where engines run in the sandbox: the worker starts in it, system calls are \
      filtered and files are closed. Else it is 1. What is only weaker changes nothing.

      EXAMPLES
        tessera doctor
        tessera doctor --engines ~/engines --format json
      """)

  @OptionGroup var engineOptions: EngineOptions
  @Option(name: .long, parsing: .unconditional, help: "How to print.")
  var format = AnswerFormat.text

  func run() throws {
    let host = try engineOptions.host()
    let diagnosis = engineOptions.watchdog.guarding(
      engineOptions.hanging("a library on the search path")
    ) {
      host.diagnosis()
    }
    let allowlist = AllowlistFinding(
      named: engineOptions.allowlist,
      isInForce: engineOptions.requireHash || engineOptions.allowlist != nil)
    let report = DoctorReport(diagnosis, allowlist)
    try OutputFile.write(to: nil) { output in
      switch format {
      case .text: try report.write(to: output)
      case .json: try output.write(report.json.text + "\n")
      }
    }
    guard diagnosis.runsSandboxed else { throw ExitCode(1) }
  }
}
