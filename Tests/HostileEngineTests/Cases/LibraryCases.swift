/// Libraries that describe themselves wrongly, and files that are no engine libraries.
enum LibraryCases {
  static let all: [HostileCase] = [
    HostileCase("many-parameters", .unloadable("2147483648 parameters")),
    HostileCase(
      "many-parameters", flags: ["-DCOUNT=4096"], .dies("SIGSEGV", in: "its registration")),
    HostileCase("odd-stride", .unloadable("parameters of 0 bytes")),
    HostileCase(
      "odd-stride", flags: ["-DSTRIDE=0xfffffff8u"], .unloadable("parameters of 4294967288 bytes")),
    HostileCase("false-lists", .lays),
    HostileCase("false-lists", flags: ["-DLISTS=0x80000000u"], .unloadable("2147483648 lists")),
    HostileCase(
      "false-lists", flags: ["-DSTRIDE=7"], .unloadable("columns of the list name0 of 7")),
    HostileCase(
      "false-lists", flags: ["-DSHARED", "-DLISTS=4096"],
      .unloadable("its lists have 16777216 columns")),
    HostileCase("false-lists", flags: ["-DTORN"], .dies("SIGSEGV", in: "its registration")),
    HostileCase("changes-lists", .lays),
    HostileCase("endless-string", .dies("SIGSEGV", in: "its registration")),
    HostileCase("long-string", .unloadable("summary", "65536 bytes")),
    HostileCase("binary-string", .unloadable("name", "UTF-8")),
    HostileCase("escaping-string", .unloadable("reverse-DNS")),
    HostileCase("dangling-string", .dies("SIGSEGV", in: "its registration")),
    HostileCase("null-tables", .unloadable("null")),
    HostileCase("null-functions", .unloadable("prepare")),
    HostileCase("null-engine", .dies("SIGSEGV", in: "its registration")),
    HostileCase("struct-size-lie", .lays),
    HostileCase("struct-size-lie", flags: ["-DSIZE=8"], .unloadable("struct_size is 8")),
    HostileCase("changing-description", .lays),
    HostileCase(
      "other-description",
      HostileEnd(
        words: "not loaded", status: 76,
        sentence: ["no longer registers org.example.hostile.other-"],
        isAnonymous: true)),
    HostileCase("huge-description", seconds: 20, .unloadable("its texts take")),
    HostileCase("many-engines", .unloadable("more than 256 engines")),
    HostileCase("one-id-twice", .unloadable("twice")),
    HostileCase("registers-nothing", .unloadable("added no engine")),
    HostileCase("circular-bases", engine: "circular-bases", isOnPath: true, .unloadable("cycle")),
    HostileCase("own-base", engine: "own-base", isOnPath: true, .unloadable("cycle")),
    HostileCase("missing-base", isOnPath: true, .missing("org.example.nobody-has-this")),
    HostileCase("deep-bases", engine: "deep-0", isOnPath: true, .unloadable("more than 31 bases")),
    HostileCase("odd-note", .unloadable("note")),
    HostileCase(
      "odd-note", flags: ["-DWORDS=3", #"-DNOTE=-16u, -16u, 1, "Tessera", {0, 0, 0}"#],
      .unloadable("note")),
    HostileCase(
      "odd-note", flags: ["-DWORDS=1", #"-DNOTE=8, 4, 1, "Tessera", {1}"#], .unloadable("note")),
    HostileCase("no-note", .unloadable("note")),
    HostileCase("future-abi", .unloadable("ABI 99.")),
    HostileCase("no-entry", .unloadable("tessera_register")),
    HostileCase("unresolved-symbol", .unloadable("nobody_has_this_function")),
  ]
}
