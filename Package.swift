// swift-tools-version: 6.3
import Foundation
import PackageDescription

/// To remove an engine, delete its line here, its folder, tests and fixtures.
let engines: [(name: String, language: Language)] = [
  ("Flow", .swift),
  ("Mosaic", .swift),
  ("Stagger", .swift),
  ("Grid", .c),
  ("ColumnFlow", .swift),
  ("EvenFlow", .swift),
  ("AspectFlow", .swift),
  ("CoverFlow", .swift),
  ("Table", .swift),
  ("Waterfall", .cpp),
  ("Treemap", .rust),
  ("Timetable", .swift),
  ("Justified", .swift),
  ("Compositional", .swift),
]

/// SwiftPM can't build Rust; Tools/rust-engines does.
enum Language {
  case swift, c, cpp, rust

  /// C++ includes the headers without their module.
  var dependencies: [Target.Dependency] {
    switch self {
    case .swift: ["TesseraSDK"]
    case .c: ["CTessera"]
    case .cpp, .rust: []
    }
  }
}

/// All layers of the host, since SwiftPM rebuilds a target only if a listed module changes.
let host: [Target.Dependency] = [
  "TesseraHost", "TesseraWorker", "TesseraRuntime", "TesseraCatalog",
]

/// Set by `Tools/fuzz/run`.
let hasFuzzers = Context.environment["TESSERA_FUZZ"] == "1"
/// Set by `Tools/test --all`.
let hasSecondRing = Context.environment["TESSERA_SECOND_RING"] == "1"

/// Must come before the compiler's own libraries.
let asNeeded: [LinkerSetting] = [
  .unsafeFlags(["-Xclang-linker", "--config=\(Context.packageDirectory)/Plugins/needed.cfg"])
]

/// Exclusivity checks cost more than a small layout, so only debug builds have them.
let uncheckedAccess: [SwiftSetting] = [
  .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))
]
let unchecked = [
  "TesseraSDK", "TesseraRuntime", "TesseraWorker", "TesseraHost", "TesseraLibrary",
]

let package = Package(
  name: "Tessera",
  products: [
    .library(name: "TesseraHost", targets: ["TesseraHost"]),
    .library(name: "TesseraSDK", targets: ["TesseraSDK"]),
    .library(name: "TesseraConformance", targets: ["TesseraConformance"]),
    // For `tessera NAME` programs.
    .library(name: "TesseraCommand", targets: ["TesseraCommand"]),
    .library(name: "TesseraScenario", targets: ["TesseraScenario"]),
    .library(name: "TesseraDrawing", targets: ["TesseraDrawing"]),
    // For programs that sandbox themselves.
    .library(name: "CTesseraSystem", targets: ["CTesseraSystem"]),
    // Tools/library links libtessera.so from it.
    .library(name: "TesseraLibrary", type: .static, targets: ["TesseraLibrary"]),
    .executable(name: "tessera", targets: ["tessera"]),
    .executable(name: "tessera-worker", targets: ["tessera-worker"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ],
  targets: [
    .target(name: "CTessera"),
    .target(name: "CTesseraSystem", linkerSettings: [.linkedLibrary("ffi")]),
    .target(name: "CTesseraNumbers"),
    .target(name: "CTesseraExamination", dependencies: ["CTesseraSystem"]),
    .target(name: "CTesseraNote", dependencies: ["CTessera"]),
    // Tools/Installing/link.sh recompiles it with the commit.
    .target(name: "CTesseraBuild"),
    .target(name: "TesseraGeometry"),
    .target(name: "TesseraSDK", dependencies: ["CTessera", "CTesseraNote", "TesseraGeometry"]),
    // Layers of the host, lowest first.
    .target(
      name: "TesseraCatalog",
      dependencies: ["CTessera", "CTesseraSystem", "CTesseraNumbers", "TesseraGeometry"]),
    .target(
      name: "TesseraRuntime",
      dependencies: [
        "CTessera", "CTesseraSystem", "CTesseraNumbers", "TesseraGeometry", "TesseraCatalog",
      ]),
    .target(
      name: "TesseraWorker",
      dependencies: [
        "CTessera", "CTesseraSystem", "TesseraGeometry", "TesseraCatalog", "TesseraRuntime",
      ]),
    .target(
      name: "TesseraHost",
      dependencies: [
        "CTessera", "CTesseraSystem", "TesseraGeometry", "TesseraCatalog", "TesseraRuntime",
        "TesseraWorker",
      ]),
    // Only for the conformance suite.
    .target(
      name: "TesseraExamination",
      dependencies: [
        "CTessera", "CTesseraExamination", "CTesseraSystem", "TesseraGeometry", "TesseraCatalog",
        "TesseraRuntime", "TesseraWorker",
      ]),
    .target(name: "CTesseraHost"),
    .target(
      name: "TesseraLibrary",
      dependencies: host + ["CTesseraHost", "CTesseraSystem", "TesseraGeometry"],
      exclude: ["libtessera.map"]),
    .target(name: "TesseraScenario", dependencies: host),
    .target(
      name: "TesseraDrawing", dependencies: host, resources: [.embedInCode("Page")]),
    // Shared by the command and `tessera-NAME` programs.
    .target(
      name: "TesseraCommand",
      dependencies: host + [
        "CTesseraBuild", "CTesseraSystem", "TesseraScenario", "TesseraDrawing",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(
      name: "tessera-worker",
      dependencies: ["TesseraWorker", "TesseraExamination"], linkerSettings: asNeeded),
    .target(
      name: "TesseraConformance",
      dependencies: host + ["TesseraExamination", "TesseraScenario"]),
    .executableTarget(
      name: "tessera",
      dependencies: host + [
        "TesseraCommand", "TesseraScenario", "TesseraDrawing", "TesseraConformance",
        "CTesseraSystem", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], resources: [.embedInCode("Completion/Scripts")],
      linkerSettings: asNeeded),
  ],
  cxxLanguageStandard: .cxx20
)

// No test links an engine: tests load library files.
let testTargets: [(name: String, dependencies: [Target.Dependency])] = [
  ("TesseraGeometryTests", ["TesseraGeometry"]),
  ("TesseraSDKTests", ["TesseraSDK"]),
  ("TesseraHostTests", host),
  ("TesseraScenarioTests", host + ["TesseraScenario"]),
  ("TesseraDrawingTests", host + ["TesseraDrawing"]),
  ("TesseraConformanceTests", host + ["TesseraConformance", "TesseraExamination"]),
  ("BrokenEngineTests", host + ["TesseraConformance"]),
  ("EngineTests", host + ["TesseraScenario"]),
  ("TesseraCommandTests", []),
  ("HostileEngineTests", host + ["CTesseraSystem"]),
  ("BindingTests", host),
  ("DocumentationTests", []),
  ("LibraryTests", []),
]
/// Slow tests, and tests that need rare programs.
let secondRing = ["InstallTests", "MachineTests", "PageTests", "TemplateTests"]
let fuzzers: [(name: String, dependencies: [Target.Dependency])] = [
  ("ELFFuzz", ["TesseraCatalog"]),
  ("MessageFuzz", host + ["CTessera", "TesseraGeometry", "TesseraExamination"]),
  ("ScenarioFuzz", host + ["TesseraScenario"]),
]
// Unoptimized tests compile faster, and SwiftPM's index of tests needs no system modules.
let testSettings: [SwiftSetting] = [
  .unsafeFlags(["-Onone", "-index-ignore-system-modules"], .when(configuration: .release))
]
// Imported with @testable.
let testable = testTargets.flatMap(\.dependencies).compactMap { dependency in
  if case .byNameItem(let name, _) = dependency, name.hasPrefix("Tessera") { name } else { nil }
}
for target in package.targets where testable.contains(target.name) {
  target.swiftSettings = [
    .unsafeFlags(["-enable-testing"], .when(configuration: .release))
  ]
}
for target in package.targets where unchecked.contains(target.name) {
  target.swiftSettings = (target.swiftSettings ?? []) + uncheckedAccess
}
// Optimizing these takes a quarter of the first build, and they mostly wait for engines or files.
let unoptimized = ["TesseraCommand", "TesseraConformance", "tessera"]
for target in package.targets where unoptimized.contains(target.name) {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [.unsafeFlags(["-Onone"], .when(configuration: .release))]
}
package.targets.append(
  .target(name: "TestSupport", dependencies: ["TesseraGeometry"], path: "Tests/TestSupport"))
for test in testTargets {
  package.targets.append(
    .testTarget(
      name: test.name, dependencies: test.dependencies + ["TestSupport"],
      swiftSettings: testSettings))
}
for test in secondRing where hasSecondRing {
  package.targets.append(
    .testTarget(
      name: test, dependencies: ["TestSupport"], path: "Tests/SecondRing/\(test)",
      swiftSettings: testSettings))
}

for fuzzer in fuzzers where hasFuzzers {
  let file = "\(fuzzer.name).swift"
  package.targets.append(
    .executableTarget(
      name: fuzzer.name, dependencies: fuzzer.dependencies, path: "Tools/fuzz",
      exclude: ["run"] + fuzzers.map { "\($0.name).swift" }.filter { $0 != file },
      sources: [file]))
}

/// Pages, pictures and data.
func unbuilt(in folder: String) -> [String] {
  let files = try? FileManager.default.contentsOfDirectory(
    atPath: "\(Context.packageDirectory)/\(folder)")
  return (files ?? []).filter { file in
    [".md", ".svg", ".csv", ".json"].contains { file.hasSuffix($0) }
  }
}

for engine in engines where engine.language != .rust {
  package.products.append(
    .library(name: "Tessera\(engine.name)", type: .dynamic, targets: ["\(engine.name)Engine"]))
  package.targets.append(
    .target(
      name: "\(engine.name)Engine",
      dependencies: engine.language.dependencies,
      path: "Plugins/\(engine.name)", exclude: unbuilt(in: "Plugins/\(engine.name)"),
      cxxSettings: engine.language == .cpp
        ? [
          .headerSearchPath("../../Sources/Bindings/Cpp"),
          .headerSearchPath("../../Sources/CTessera/include"),
          .define("NDEBUG", .when(configuration: .release)),
        ] : [],
      swiftSettings: engine.language == .swift ? uncheckedAccess : [],
      linkerSettings: asNeeded + [
        .unsafeFlags(
          // Other linkers export libstdc++ functions despite the version script.
          (engine.language == .cpp ? ["-use-ld=lld"] : []) + [
            "-Xlinker", "--version-script=\(Context.packageDirectory)/Plugins/engine.map",
          ])
      ]))
}
