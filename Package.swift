// swift-tools-version: 6.3
import Foundation
import PackageDescription

/// The engines that ship, each its own library.
///
/// To take one away, delete its folder, its tests and fixtures, and its line here.
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

/// Tools/rust-engines builds those in Rust, which SwiftPM cannot build.
enum Language {
  case swift, c, cpp, rust

  /// C++ includes the contract's headers without their module, which is for C and Swift.
  var dependencies: [Target.Dependency] {
    switch self {
    case .swift: ["TesseraSDK"]
    case .c: ["CTessera"]
    case .cpp, .rust: []
    }
  }
}

/// What a target needs that uses the host: also the layers that TesseraHost exports, so that a change of
/// one compiles the target again.
let host: [Target.Dependency] = [
  "TesseraHost", "TesseraWorker", "TesseraRuntime", "TesseraCatalog",
]

/// Whether `Tools/test --all` builds, or something else that needs the second ring of tests.
let hasSecondRing = Context.environment["TESSERA_SECOND_RING"] == "1"

/// Options for the linker that must come before the libraries that the compiler names.
let asNeeded: [LinkerSetting] = [
  .unsafeFlags(["-Xclang-linker", "--config=\(Context.packageDirectory)/Plugins/needed.cfg"])
]

/// Sessions and engines are called from one thread at a time, and neither calls itself while it changes
/// a property: to check each access takes longer than what a small layout does with it.
///
/// Debug builds check.
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
    // For programs that are found as `tessera NAME`.
    .library(name: "TesseraCommand", targets: ["TesseraCommand"]),
    .library(name: "TesseraScenario", targets: ["TesseraScenario"]),
    .library(name: "TesseraDrawing", targets: ["TesseraDrawing"]),
    // For programs that give up their rights, with tessera_sandbox.h.
    .library(name: "CTesseraSystem", targets: ["CTesseraSystem"]),
    // For programs in C: Tools/library links libtessera.so out of it.
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
    // Tools/Installing/link.sh compiles it again with the commit.
    .target(name: "CTesseraBuild"),
    .target(name: "TesseraGeometry"),
    .target(name: "TesseraSDK", dependencies: ["CTessera", "CTesseraNote", "TesseraGeometry"]),
    // The host, a layer a target: each knows those above it here, none those below.
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
    // What only the conformance suite asks of a worker.
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
    // What the command and programs beside it share: options, output files, failures.
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

// Engines are tested through their library files, so no test links one.
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
/// The second ring, in Tests/SecondRing: what takes long, or needs programs that few machines have.
let secondRing = ["FuzzTests", "InstallTests", "MachineTests", "PageTests", "TemplateTests"]
// A release build optimizes what is tested, not the tests, which compile faster this way. SwiftPM looks for tests
// in an index, which need not have the system's modules.
let testSettings: [SwiftSetting] = [
  .unsafeFlags(["-Onone", "-index-ignore-system-modules"], .when(configuration: .release))
]
// Tests import the internal declarations of these modules.
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

/// The page of an engine, its pictures, the data that they show, and a program for comparison.
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
          // Other linkers export functions of the C++ library against the version script.
          (engine.language == .cpp ? ["-use-ld=lld"] : []) + [
            "-Xlinker", "--version-script=\(Context.packageDirectory)/Plugins/engine.map",
          ])
      ]))
}
