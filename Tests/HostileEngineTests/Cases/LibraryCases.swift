/// Libraries with wrong descriptions, and files that are not engine libraries.
enum LibraryCases {
  static let all: [HostileCase] =
    edits.map { edit, end in
      let hasBase = edit.hasPrefix("base")
      return HostileCase(
        "odd-description", flags: ["-DEDIT=\(edit)"], engine: hasBase ? "odd-description" : nil,
        isOnPath: hasBase, end)
    } + others

  private static let edits: [(String, HostileEnd)] = [
    ("parameter_count = 2, call->engine->parameter_size = 0", .unloadable("parameters of 0 bytes")),
    (
      "parameter_count = 2, call->engine->parameter_size = 0xfffffff8u",
      .unloadable("parameters of 4294967288 bytes")
    ),
    (#"name = "no\xff\xfe" "text""#, .unloadable("name", "UTF-8")),
    (#"id = "org.example.\033[2J\r\n""#, .unloadable("reverse-DNS")),
    ("name = (const char *)0xdeadbeef0000", .dies("SIGSEGV", in: "its registration")),
    ("parameters = NULL, call->engine->kind_count = 7", .unloadable("null")),
    ("prepare = NULL", .unloadable("prepare")),
    ("struct_size = 0xffffffffu", .lays),
    ("struct_size = 8", .unloadable("struct_size is 8")),
    ("base = call->engine->id", .unloadable("cycle")),
    (#"base = "org.example.nobody-has-this""#, .missing("org.example.nobody-has-this")),
  ]

  private static let others: [HostileCase] = [
    HostileCase("many-parameters", .unloadable("2147483648 parameters")),
    HostileCase(
      "many-parameters", flags: ["-DCOUNT=4096"], .dies("SIGSEGV", in: "its registration")),
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
    HostileCase("null-engine", .dies("SIGSEGV", in: "its registration")),
    HostileCase("changing-description", .lays),
    HostileCase(
      "other-description",
      HostileEnd(
        words: "not loaded", status: 76,
        sentence: ["no longer registers org.example.hostile.other-"],
        isAnonymous: true)),
    HostileCase("huge-description", seconds: 20, .unloadable("its texts take")),
    HostileCase("many-engines", .unloadable("more than 256 engines")),
    HostileCase("deep-bases", engine: "deep-0", isOnPath: true, .unloadable("more than 31 bases")),
    HostileCase("future-abi", .unloadable("ABI 99.")),
    HostileCase("unresolved-symbol", .unloadable("nobody_has_this_function")),
  ]
}
