import Foundation
import TestSupport
import Testing

/// The view for GTK, built with `Tools/gtk`, in windows of an X server of their own.
@Suite(
  .serialized,
  .enabled(
    if: GtkProgram.isRequested && GtkProgram.isPossible,
    "Tools/gtk --test runs it, on a machine that does nothing else: pointers and clocks are real there"
  )
) struct ViewTests {
  /// Each compares what the view shows with a session made new, or with positions worked out by hand.
  @Test(arguments: [
    "shows", "scrolls", "changes", "switches", "selection", "values", "many-values", "measures",
    "builds",
    "attributes", "reorders", "edges", "swipes", "rests", "finds", "mirrors", "refuses", "closes",
    "answers-late",
  ]) func passes(_ test: String) throws {
    let result = try GtkProgram.shared.get().run(["view-tests", test])
    #expect(result.status == 0, "\(result.errors)")
  }

  /// Changes of the model, switches, drags, sizes and steps of scrolling, in any order.
  ///
  /// The view shows what a session made new shows, with fewer widgets than three screens have.
  /// Tools/soak makes more changes.
  @Test func changesAtRandomAreThoseOfNewSessions() throws {
    let soak = ProcessInfo.processInfo.environment.filter { $0.key.hasPrefix("TESSERA_SOAK_") }
    let result = try GtkProgram.shared.get().run(
      ["view-tests", "changes-at-random"],
      environment: [
        "TESSERA_GTK_CHANGES": soak["TESSERA_SOAK_VIEW"] ?? "1000",
        "TESSERA_GTK_SEED": soak["TESSERA_SOAK_SEED"] ?? "1",
      ].merging(soak) { $1 })
    #expect(result.status == 0, "\(result.errors)")
  }

  /// Windows are opened, changed, dragged in and closed under valgrind: nothing of the view is lost.
  @Test(.enabled(if: Tool.isPresent("valgrind"), "valgrind is not installed"))
  func losesNoMemory() throws {
    let sources = try FileManager.default.contentsOfDirectory(
      atPath: BuiltProducts.repository.appendingPathComponent("Sources/TesseraGtk").path
    ).filter { $0.hasSuffix(".c") }
    let suppressions = ["gtk-4.0/valgrind/gtk.supp", "glib-2.0/valgrind/glib.supp"]
      .map { "/usr/share/\($0)" }.filter { FileManager.default.fileExists(atPath: $0) }
      .map { "--suppressions=\($0)" }
    let result = try GtkProgram.shared.get().run(
      ["view-tests", "closes"],
      under: [
        "timeout", "-k", "10", "300", "valgrind", "--leak-check=full", "--show-leak-kinds=definite",
      ]
        + suppressions,
      environment: [
        "TESSERA_GTK_WINDOWS": "3", "TESSERA_GTK_MEMORY": "128", "G_SLICE": "always-malloc",
      ])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("definitely lost: "))
    // What fontconfig and the Swift runtime lose is not the view's, though it is in the stack.
    for loss in result.errors.components(separatedBy: " are definitely lost in ").dropFirst() {
      let stack = loss.components(separatedBy: "== \n")[0]
      let isOther = stack.contains("libfontconfig") || stack.contains("libtessera.so")
      #expect(isOther || !sources.contains { stack.contains("(\($0):") }, "\(stack)")
    }
  }

  /// The examples in C and Swift; those in Python have no compiler.
  @Test(arguments: ["gtk-survey.c", "gtk-contacts.c", "gtk-mosaic.swift"])
  func compilesTheExample(_ name: String) throws {
    let program = try GtkProgram.shared.get()
    let source = BuiltProducts.repository.appendingPathComponent("Documentation/Examples/\(name)")
      .path
    let header = "\(program.prefix)/include/tesseragtk/tesseragtk.h"
    let compiler =
      name.hasSuffix(".c")
      ? "cc -fsyntax-only -Werror -Wno-deprecated-declarations"
      : "swiftc -typecheck -import-objc-header '\(header)'"
    let flags = "-I'\(program.prefix)/include' $(pkg-config --cflags-only-I gtk4)"
    let result = try Program.run("bash", ["-c", "\(compiler) '\(source)' \(flags)"])
    #expect(result.status == 0, "\(result.errors)")
  }

  /// `tessera-view` says what it cannot show, and warns about nothing while it shows the rest.
  @Test func theProgramShowsTables() throws {
    let (folder, program) = (try TemporaryFolder(), try GtkProgram.shared.get())
    let engines = ["--engines", "\(program.prefix)/lib/tessera"]
    try Data("name,size\ncaf\u{e9},3\n".unicodeScalars.map { UInt8($0.value) })
      .write(to: URL(fileURLWithPath: folder.path("latin.csv")))
    try folder.write("quoted.csv", "\u{feff}name,aspectRatio\n\"a, b\",2\n\"\"\"c\"\"\",\"0.5\"\n")
    for table in ["latin.csv", "quoted.csv"] {
      let arguments = ["tessera-view", "--layout", "justified", folder.path(table)] + engines
      let result = try program.run(
        arguments, under: ["timeout", "4"], environment: ["G_DEBUG": "fatal-warnings"])
      #expect(result.status == 124 && result.errors.isEmpty, "\(table): \(result.errors)")
    }
    for (wrong, status, text) in [
      (["--rows", "9", "--layout", "no-such-engine"], 66, "there is no engine \"no-such-engine\""),
      ([folder.path("latin.csv"), folder.path("quoted.csv")], 64, "give a folder of pictures"),
    ] {
      let result = try program.run(["tessera-view"] + wrong + engines)
      #expect(result.status == status && result.errors.contains(text), "\(result.errors)")
    }
  }

  /// The other tests draw with cairo, which has no perspective.
  @Test(arguments: ["shows", "attributes", "reorders"])
  func drawsWithOpenGL(_ test: String) throws {
    let result = try GtkProgram.shared.get().run(
      ["view-tests", test], environment: ["GSK_RENDERER": "gl"])
    #expect(result.status == 0, "\(result.errors)")
  }

  /// What a screen reader finds, through AT-SPI on a bus of its own.
  @Test(.enabled(if: GtkProgram.canReadScreens, "it needs D-Bus, AT-SPI and PyGObject"))
  func isReadByScreenReaders() throws {
    let reader = BuiltProducts.repository.appendingPathComponent("Tests/Fixtures/gtk/reads.py")
    let result = try GtkProgram.shared.get().run(
      ["view-tests", "reads"], under: ["dbus-run-session"],
      environment: ["GTK_A11Y": "atspi", "TESSERA_GTK_READER": reader.path])
    #expect(result.status == 0, "\(result.errors)")
  }

  /// Every engine that attacks its host: the window answers throughout, and shows another layout after it.
  @Test func hostileEnginesDoNotStopTheWindow() throws {
    let folder = try TemporaryFolder()
    let sources = BuiltProducts.repository.appendingPathComponent("Tests/HostileEngines")
    let names = try FileManager.default.contentsOfDirectory(atPath: sources.path)
    for name in names.sorted() where name.hasSuffix(".c") {
      try CCompiler("gcc").compile(
        sources.appendingPathComponent(name).path, to: folder.path("\(name.dropLast(2)).so"),
        flags: ["-std=gnu11", "-O0", "-shared", "-fPIC"])
    }
    let result = try GtkProgram.shared.get().run(
      ["view-tests", "hostile"], environment: ["TESSERA_GTK_HOSTILE": folder.path])
    #expect(result.status == 0, "\(result.errors)")
  }

  /// An engine dies, or its file is replaced: the view goes on, and an idle window takes no time.
  @Test(arguments: ["recovers", "idles"])
  func goesOnWhenAnEngineIsReplaced(_ test: String) throws {
    let folder = try TemporaryFolder()
    let sources = BuiltProducts.repository.appendingPathComponent("Tests/HostileEngines")
    let flags = ["-std=gnu11", "-O0", "-shared", "-fPIC", "-I", sources.path]
    try CCompiler("gcc").compile(
      sources.appendingPathComponent("honest.c").path, to: folder.path("good.so"), flags: flags)
    // The same engine, but that it aborts.
    let text = try String(contentsOf: sources.appendingPathComponent("abort.c"), encoding: .utf8)
    try folder.write("bad.c", text.replacing("HOSTILE(\"abort\"", with: "HOSTILE(\"honest\""))
    try CCompiler("gcc").compile(folder.path("bad.c"), to: folder.path("bad.so"), flags: flags)
    let result = try GtkProgram.shared.get().run(
      ["view-tests", test],
      environment: [
        "TESSERA_GTK_GOOD": folder.path("good.so"), "TESSERA_GTK_BAD": folder.path("bad.so"),
      ])
    #expect(result.status == 0, "\(result.errors)")
  }
}

/// The programs in C that test the view, compiled once for all tests.
struct GtkProgram: Sendable {
  static let isRequested = ProcessInfo.processInfo.environment["TESSERA_GTK_TESTS"] == "1"
  /// Whether this machine has what building and running them needs.
  static let isPossible =
    ["xvfb-run", "xdotool", "pkg-config"].allSatisfy(Tool.isPresent)
    && (try? Program.run("pkg-config", ["--atleast-version=4.8", "gtk4"]).status) == 0
  /// Whether programs can ask AT-SPI.
  static let canReadScreens =
    Tool.isPresent("dbus-run-session")
    && (try? Program.run(
      "/usr/bin/python3", ["-c", "import gi; gi.require_version('Atspi', '2.0')"]
    ).status) == 0
  /// What came of building them.
  static let shared = Result { try GtkProgram() }

  /// Something was not built.
  struct Failure: Error, CustomStringConvertible {
    /// What the compiler said.
    let description: String
  }

  /// What `Tools/gtk` installs.
  let prefix: String

  private init() throws {
    prefix = BuiltProducts.folder.appendingPathComponent("gtk").path
    let root = BuiltProducts.repository.path
    let build = """
      set -e
      '\(root)/Tools/gtk' --built '\(BuiltProducts.folder.path)' '\(prefix)'
      cc -std=gnu11 -g -O1 -I'\(prefix)/include' '\(root)'/Tests/Fixtures/gtk/*.c \
        '\(root)'/Sources/TesseraGtk/*.c -o '\(prefix)/bin/view-tests' -L'\(prefix)/lib' -ltessera \
        -Wl,-rpath,'\(prefix)/lib' $(pkg-config --cflags --libs gtk4 x11) -lm
      """
    let result = try Program.run("bash", ["-c", build])
    guard result.status == 0 else { throw Failure(description: result.errors) }
  }

  /// Runs a program of the prefix in an X server of its own, which draws without a graphics card.
  func run(
    _ arguments: [String], under launcher: [String] = [], environment: [String: String] = [:]
  ) throws -> ProgramResult {
    let variables = [
      "GSK_RENDERER": "cairo", "GDK_BACKEND": "x11", "GTK_A11Y": "none", "LANG": "C.UTF-8",
      "TESSERA_GTK_ENGINES": "\(prefix)/lib/tessera",
      "TESSERA_WORKER": "\(prefix)/libexec/tessera/tessera-worker",
    ]
    return try Program.run(
      "xvfb-run",
      ["-a", "-s", "-screen 0 1000x700x24"] + launcher + ["\(prefix)/bin/\(arguments[0])"]
        + arguments.dropFirst(),
      environment: variables.merging(environment) { $1 })
  }
}
