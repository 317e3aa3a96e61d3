import Foundation
import TestSupport
import Testing

@Suite struct OddMachineTests {
  private func limited(
    _ limit: String, _ arguments: [String], as machine: LackingMachine? = nil
  ) throws -> ProgramResult {
    let words = ["-c", "ulimit \(limit); exec \"$@\"", "limited"]
    if let machine {
      // The process limit applies per user.
      return try machine.run("bash", words + [Program.tessera] + arguments)
    }
    return try Program.run("bash", words + [Program.tessera] + arguments)
  }

  private static let layout = ["layout", "flow", "--items", "30", "--format", "json"]

  /// Still works: fewer mappings, a smaller stack, few descriptors.
  @Test(
    arguments: [
      "-f 60000", "-n 32", "-s 64", "-s 1024", "-s unlimited", "-v 600000", "-v 1000000",
      "-v 4000000",
      "-v 8000000", "-v 20000000", "-l 0", "-q 0", "-c 0", "-c unlimited", "-t 20",
    ])
  func layoutWorksUnderTheLimit(limit: String) throws {
    let usual = try Program.tessera(Self.layout)
    for isolation in ["sandbox", "none"] {
      let result = try limited(limit, Self.layout + ["--isolation", isolation])
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.errors.isEmpty)
      #expect(result.output == usual.output)
    }
    let doctor = try limited(limit, ["doctor"])
    let isFull = try Program.tessera("doctor").status == 0
    #expect(doctor.status == (isFull ? 0 : 1), "\(doctor.output)")
  }

  @Test(
    arguments: [
      ("-f 1", 76, "ulimit -f"), ("-f 1000", 69, "ulimit -f"), ("-n 10", 69, "ulimit -n"),
      ("-n 14", 69, "ulimit -n"), ("-n 7", 69, "ulimit -n"),
    ] as [(String, Int32, String)])
  func tooLowALimitIsNamed(limit: String, status: Int32, remedy: String) throws {
    let result = try limited(limit, Self.layout)
    #expect(result.status == status, "\(result.errors)")
    #expect(!result.wasKilled)
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("tessera: "))
    #expect(result.errors.count { $0 == "\n" } == 1)
    #expect(result.errors.contains("raise the limit"))
    #expect(result.errors.contains(remedy), "\(result.errors)")
    // The report is a file here, larger than the smallest limit.
    if limit != "-f 1" { #expect(try limited(limit, ["doctor"]).status == 1) }
  }

  @Test(arguments: ["--items-from -", "--scenario -"]) func endlessInputIsRefused(option: String)
    throws
  {
    let result = try Program.shell(
      "timeout 200 '\(Program.tessera)' layout flow \(option) </dev/zero", in: try TemporaryFolder()
    )
    #expect(result.status == 65)
    #expect(
      result.errors == "tessera: standard input has more than 2 GiB; divide it\n",
      "\(result.errors)")
  }

  /// Missing resources don't fail the engine: the check ends without a verdict.
  @Test(arguments: [("-n 16", "ulimit -n"), ("-v 500000", "ulimit -v"), ("-d 8000", "-d")])
  func checkBlamesNoEngineForTheLimit(limit: String, remedy: String) throws {
    let result = try limited(limit, ["check", "grid", "--level", "quick", "--jobs", "1"])
    #expect(result.status == 69, "\(result.errors)")
    #expect(!result.output.contains("FAILED") && !result.output.contains("CRASHED"))
    #expect(result.errors.hasPrefix("tessera: "))
    #expect(result.errors.contains("raise the limit"))
    #expect(result.errors.contains(remedy), "\(result.errors)")
  }

  @Test(.enabled(if: geteuid() == 0, "only root can become a user without processes"))
  func limitOnProcessesIsNamed() throws {
    let result = try limited("-u 1", Self.layout, as: LackingMachine().forOrdinaryUser)
    #expect(result.status == 69)
    #expect(result.errors.contains("raise the limits on processes"), "\(result.errors)")
    #expect(try limited("-u 1", ["doctor"], as: LackingMachine().forOrdinaryUser).status == 1)
  }

  @Test(arguments: ["INT", "TERM", "HUP", "QUIT"], ["sandbox", "none"])
  func signalEndsACall(signal: String, isolation: String) throws {
    let folder = try TemporaryFolder()
    try CEngine(body: "for (volatile uint64_t i = 0; n; i++) {}").build(in: folder)
    // Without job control, shells ignore two of the signals in jobs.
    let result = try Program.shell(
      """
      set -m
      mkdir work; cd work
      # Tests that were started in the background ignore signals.
      env --default-signal '\(Program.tessera)' layout ../libcolumn.so --timeout 60 --isolation \(isolation) -o out.svg &
      command=$!
      sleep 1
      worker=$(pgrep -P $command)
      kill -\(signal) $command
      SECONDS=0
      wait $command
      echo "status $?"
      [ $SECONDS -lt 5 ] && echo prompt
      # One that has ended may wait for its parent to collect it.
      runs() { grep -qs '^State:.[^Z]' /proc/$1/status; }
      for process in $worker; do
        for moment in 1 2 3 4 5 6 7 8 9 10; do runs $process && sleep 0.2; done
        runs $process && echo "left $process"
      done
      ls
      """, in: folder)
    let number = ["HUP": 1, "INT": 2, "QUIT": 3, "TERM": 15][signal]!
    #expect(result.output == "status \(128 + number)\nprompt\n", "\(result.errors)")
  }

  @Test(arguments: ["-o", "--output", "--set", "--items-from"])
  func textThatIsNotUTF8IsRefused(option: String) throws {
    let folder = try TemporaryFolder()
    let result = try Program.shell(
      "exec '\(Program.tessera)' layout flow --items 2 \(option) $'a\\xff.svg'", in: folder)
    #expect(result.status == 64)
    #expect(result.errors.contains("is not UTF-8"), "\(result.errors)")
    #expect(try folder.names == [])
  }

  private static let readers = [
    ["check"], ["info"], ["layout"], ["trust", "add"], ["install"], ["replay"],
    ["layout", "flow", "--scenario"], ["layout", "flow", "--items-from"],
    ["update", "flow", "--script"],
  ]

  @Test(arguments: readers) func oddFileIsRefused(reader: [String]) throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("folder.so")
    #expect(mkfifo(folder.path("pipe.so"), 0o600) == 0)
    try folder.link("zero.so", to: "/dev/zero")
    let socket = try Program.run(
      "python3", ["-c", "import socket; socket.socket(socket.AF_UNIX).bind('socket.so')"],
      in: folder.path)
    try #require(socket.status == 0, "\(socket.errors)")
    for file in ["pipe.so", "folder.so", "zero.so", "socket.so", "none.so"] {
      let result = try Program.run(
        "timeout", ["-s", "KILL", "20", Program.tessera] + reader + ["./\(file)"], in: folder.path)
      #expect([66, 76].contains(result.status), "\(file): \(result.status), \(result.errors)")
      #expect(result.output.isEmpty)
      #expect(result.errors.hasPrefix("tessera: "))
      #expect(result.errors.count { $0 == "\n" } == 1, "\(result.errors)")
      #expect(result.errors.contains("./\(file)"), "\(result.errors)")
      if ["pipe.so", "zero.so"].contains(file) {
        #expect(result.errors.contains("a pipe, a socket or a device"), "\(result.errors)")
      }
    }
  }
}
