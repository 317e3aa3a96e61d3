import Foundation
import Synchronization
import Testing

/// Code execution in `tessera-pictures`: Tests/Fixtures/loader.c replaces the decoder, and attacks
/// when loaded and at the first picture.
@Suite struct PictureSandboxTests {
  @Test(arguments: ["nobody else", "an ordinary user"])
  func aPictureCanDoNothingButDecode(user: String) throws {
    guard let outcomes = try Self.outcomes(as: user, "$(cat names)") else { return }
    #expect(outcomes.count == 2 * 45)
    // Libraries are loaded in the sandbox, nothing afterwards.
    let works = outcomes.filter { $0.value == "works" }.map(\.key)
    #expect(works == ["load load code"])
    #expect(outcomes["decode load code"] == "EACCES")
    for (action, outcome) in outcomes where action != "load load code" {
      #expect(Self.refusals.contains(outcome), "\(action): \(outcome)")
    }
    #expect(outcomes["decode map much memory"] == "ENOMEM")
    #expect(outcomes["decode ask a device"] == "ENOTTY")
  }

  #if arch(x86_64)
    /// For decoding, threads, time and signals, with rt_sigreturn and exit.
    ///
    /// The kernel doesn't filter 335 and 336, its own probes.
    private static let allowed: Set = [
      0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
      34, 35, 39, 60, 63, 78, 79, 95, 96, 97, 98, 99, 100, 102, 104, 107, 108, 110, 111, 115, 118,
      120, 127, 128, 130, 131, 146, 147, 158, 186, 187, 201, 202, 213, 217, 218, 219, 221, 228, 229,
      230, 231, 232, 233, 262, 269, 270, 271, 273, 281, 282, 283,
      284, 286, 287, 289, 290, 291, 293, 309, 318, 324, 332, 334, 335, 336, 439, 441,
    ]

    @Test(arguments: ["nobody else", "an ordinary user"])
    func everyOtherCallIsRefused(user: String) throws {
      guard let outcomes = try Self.outcomes(as: user, "$(seq 0 500)", stages: ["decode"]) else {
        return
      }
      #expect(outcomes.count == 501)
      for number in 0...500 where !Self.allowed.contains(number) {
        let outcome = outcomes["decode \(number)"] ?? "missing"
        #expect(Self.refusals.contains(outcome), "call \(number): \(outcome)")
      }
    }
  #endif

  private static let refusals: Set = [
    "EPERM", "EACCES", "EAGAIN", "ENOSYS", "ENOTTY", "ENOMEM", "killed SIGSYS",
  ]

  /// Outcomes by action and stage; nil if the test can't change the user.
  private static func outcomes(
    as user: String, _ names: String, stages: [String] = ["load", "decode"]
  ) throws -> [String: String]? {
    guard user == "nobody else" || geteuid() == 0 else { return nil }
    let folder = try TemporaryFolder()
    for name in ["lib", "target"] { try folder.makeFolder(name) }
    let compiled = try Program.run(
      "gcc",
      [
        "-std=c11", "-O1", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror",
        Built.fixtures.appendingPathComponent("loader.c").path, "-o",
        folder.path("lib/libgdk_pixbuf-2.0.so.0"),
      ])
    try #require(compiled.status == 0, "\(compiled.errors)")
    let become = user == "nobody else" ? "" : "setpriv --reuid 1000 --regid 1000 --clear-groups"
    let result = try Program.shell(
      """
      cp '\(Built.folder.path)/tessera-pictures' program
      cp '\(Built.fixtures.path)/pictures/plain.png' picture
      echo secret >target/secret; touch target/spare; printf 'picture\\0' >one
      chmod 777 . target; chmod 666 target/*
      export LD_LIBRARY_PATH=$PWD/lib TARGET=$PWD/target
      STAGE=load ATTACK=list ./program sizes <one >names
      IFS=$'\\n'
      for name in \(names); do for STAGE in \(stages.joined(separator: " ")); do
        out=$(unset IFS; export STAGE ATTACK="$name"; timeout -s KILL 1 \(become) ./program sizes <one 2>/dev/null)
        status=$?
        [ $status != 159 ] || out='killed SIGSYS'
        printf '%s %s\\t%s\\n' $STAGE "$name" "${out:-ended with $status}"
      done; done
      ls target >&2
      """, in: folder)
    #expect(result.errors.split(separator: "\n") == ["secret", "spare"], "\(result.errors)")
    let lines = result.output.split(separator: "\n").map { $0.split(separator: "\t") }
    return Dictionary(uniqueKeysWithValues: lines.map { (String($0[0]), String($0[1])) })
  }
}

/// The command against a picture program that lies, waits or floods, played by a script.
@Suite struct PictureAnswerTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let picture = Built.fixtures.appendingPathComponent(
      "pictures/plain.png")
    for name in ["p/a.png", "p/b.png"] {
      try folder.write(name, Array(Data(contentsOf: picture)))
    }
  }

  private func layout(_ script: String, _ more: String...) throws -> ProgramResult {
    try folder.write("bin/tessera-pictures", "#!/bin/sh\n\(script)\n")
    let built = Built.folder.path
    return try Program.shell(
      """
      cp '\(built)/tessera-figure' '\(built)/tessera-worker' bin; chmod 755 bin/*
      timeout 100 bin/tessera-figure flow --engines '\(built)' --images p \(more.joined(separator: " "))
      """, in: folder)
  }

  @Test(arguments: [
    ("echo -1 -1; echo -1 -1", "expected the width and height of a picture"),
    ("echo 0 5", "expected the width and height of a picture"),
    ("echo 1e3 5", "expected the width and height of a picture"),
    ("echo 99999999999999999999 1", "expected the width and height of a picture"),
    ("echo 1000000 1000000", "expected the width and height of a picture"),
    ("echo 1 2 3", "expected the width and height of a picture"),
    ("echo", "expected the width and height of a picture"),
    ("cat /dev/zero", "a line of more than 1000 bytes"),
    ("yes", "expected the width and height of a picture"),
    ("exit 0", "too few answers"),
  ])
  func aWrongAnswerIsAnError(script: String, sentence: String) throws {
    let result = try layout(script, "--format", "csv")
    #expect(result.status == 66, "\(result.errors)")
    #expect(result.errors.contains("p/a.png is left out: tessera-pictures"), "\(result.errors)")
    #expect(result.errors.contains(sentence), "\(result.errors)")
    #expect(result.output.isEmpty)
  }

  @Test(arguments: ["jpeg -1", "jpeg 0", "png 9223372036854775807", "gif 3", "jpeg 3x", "jpeg"])
  func aWrongThumbnailIsReported(answer: String) throws {
    let result = try layout(
      "[ $1 = sizes ] && printf '10 20\\n30 40\\n' || echo '\(answer)'", "--embed", "--format",
      "svg")
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.errors.contains("p/a.png is not embedded: tessera-pictures answered \"\(answer)\""),
      "\(result.errors)")
    #expect(!result.output.contains("data:image"))
  }

  /// Concurrent, since each waits for 20 s.
  @Test func aProgramThatWaitsIsEnded() throws {
    let scripts = ["exec sleep 1000", "yes | head -c 100M >&2; exec sleep 1000"]
    let results = Mutex([String: ProgramResult]())
    let start = Date()
    DispatchQueue.concurrentPerform(iterations: scripts.count) { index in
      guard let tests = try? PictureAnswerTests() else { return }
      try? FileManager.default.removeItem(atPath: tests.folder.path("p/b.png"))
      let script = "case $1 in sizes) \(scripts[index]);; esac"
      let result = try? tests.layout(script, "--format", "csv")
      results.withLock { $0[scripts[index]] = result }
    }
    for script in scripts {
      let result = try #require(results.withLock { $0[script] })
      #expect(result.errors.contains("p/a.png is left out: it was not read within 20 s"))
      #expect(result.status == 66)
    }
    // Serial on one processor.
    #expect(Date().timeIntervalSince(start) < 120)
  }

  @Test func wholeAnswersStandWhateverTheProgramDoesThen() throws {
    for rest in ["exec 1>&-; exec sleep 1000", "exit 3", "kill -SEGV $$", "yes"] {
      let result = try layout(
        "printf 'sandbox full\\n10 20\\n30 40\\n'; \(rest)", "--format", "csv")
      #expect(result.status == 0, "\(rest): \(result.errors)")
      #expect(result.output.contains("10,20"))
      #expect(result.output.contains("30,40"))
      #expect(result.errors.isEmpty, "\(rest): \(result.errors)")
    }
  }

  @Test func aSandboxThatIsNotFullIsReported() throws {
    for (said, grade) in [("sandbox reduced files root", "reduced: files, root"), ("", "none")] {
      let result = try layout("printf '\(said)\\n10 20\\n30 40\\n' | grep .", "--format", "csv")
      #expect(result.status == 0)
      #expect(
        result.errors == "tessera: warning: the sandbox of tessera-pictures is \(grade)\n",
        "\(result.errors)")
    }
  }

  @Test func doctorShowsTheSandbox() throws {
    let result = try Program.tessera(["doctor", "--json"], in: folder)
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    let pictures = try #require(report["pictures"] as? [String: Any])
    // The same sandbox as a worker's.
    #expect(pictures["sandbox"] as? String == report["sandbox"] as? String)
    #expect(pictures["error"] is NSNull)
  }

  @Test func aNameWithNULIsRefused() throws {
    try folder.write("t.csv", "image\np/a.png\np/b.png\u{0}p/a.png\np/a.png\n")
    let result = try Program.figure("flow", "--items-from", "t.csv", in: folder)
    #expect(result.status == 65)
    #expect(
      result.errors.contains("column image has a text with a NUL character, in row 1"),
      "\(result.errors)")
    #expect(result.output.isEmpty)
  }

  /// No result can contain such a name; an earlier version repaired it and didn't find the file.
  @Test(arguments: ["p", "'p/*.png'"]) func aNameThatIsNotUTF8IsLeftOut(images: String) throws {
    let result = try Program.shell(
      """
      cp p/a.png $'p/caf\\xe9.png'
      '\(Built.command.path)' flow --engines '\(Built.folder.path)' \
        --images \(images) --format csv
      """, in: folder)
    #expect(result.status == 0)
    #expect(
      result.errors
        == "tessera: p/caf\u{FFFD}.png is left out: its name is not UTF-8; rename the file\n")
    #expect(result.output.split(separator: "\n").count == 3)
  }

  @Test func aLowLimitGetsOneSentence() throws {
    let result = try Program.shell(
      "ulimit -n 8; '\(Built.command.path)' flow --images p/a.png", in: folder)
    #expect(result.status != 0)
    #expect(result.errors.contains("Too many open files"), "\(result.errors)")
    #expect(!result.errors.contains("Error("), "\(result.errors)")
  }

  /// libjpeg walks the list of segments for each: 1,000,000 took two minutes.
  @Test func aPictureOfSegmentsIsRefusedAtOnce() throws {
    let whole = try Array(
      Data(
        contentsOf: Built.fixtures.appendingPathComponent(
          "pictures/orientation-6.jpg")))
    let segments = (0..<1_000_000).flatMap { _ in [0xFF, 0xE1, 0x00, 0x02] as [UInt8] }
    try folder.write("many.jpg", whole.prefix(2) + segments + whole.dropFirst(2))
    let few = (0..<3000).flatMap { _ in [0xFF, 0xE1, 0x00, 0x02] as [UInt8] }
    try folder.write("few.jpg", whole.prefix(2) + few + whole.dropFirst(2))
    let start = Date()
    let result = try Program.figure(
      "flow", "--images", "*.jpg", "--format", "csv", in: folder)
    #expect(result.errors == "tessera: many.jpg is left out: it has more than 4096 segments\n")
    #expect(result.output.split(separator: "\n").count == 2)
    #expect(Date().timeIntervalSince(start) < 15)
  }

  /// The file is opened once and must be regular, so a pipe can't replace it.
  @Test func aPipeIsNoPicture() throws {
    let result = try Program.shell(
      """
      mkfifo p/c.png
      timeout 60 '\(Built.command.path)' flow --engines '\(Built.folder.path)' \
        --images p --format csv
      """, in: folder)
    #expect(result.status == 0)
    #expect(result.errors.contains("p/c.png is left out: it is no file"), "\(result.errors)")
    let trace = try Program.shell(
      """
      rm p/c.png; strace -f -qq -e trace=open,openat -o trace '\(Built.command.path)' flow \
        --engines '\(Built.folder.path)' --images p --format csv && grep -c 'p/a.png' trace
      """, in: folder)
    if trace.status == 127 { return }
    #expect(trace.output.hasSuffix("\n1\n"), "\(trace.output)")
  }
}
