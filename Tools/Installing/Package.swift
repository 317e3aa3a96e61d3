// swift-tools-version: 6.3
import PackageDescription

// What is installed with Tessera for programs in Swift: TesseraSDK for engines, TesseraHost for
// programs that run engines, TesseraConformance to prove engines. These are sources, since compiled
// modules fit one compiler only; the host needs the headers of libffi.

/// What a target needs that uses the host: also the layers that TesseraHost exports, so that a change of
/// one compiles the target again.
let host: [Target.Dependency] = [
  "TesseraHost", "TesseraWorker", "TesseraRuntime", "TesseraCatalog",
]

/// To check each access to a property takes longer than what a small layout does with it.
let uncheckedAccess: [SwiftSetting] = [
  .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))
]

let package = Package(
  name: "Tessera",
  products: [
    .library(name: "TesseraSDK", targets: ["TesseraSDK"]),
    .library(name: "TesseraHost", targets: ["TesseraHost"]),
    .library(name: "TesseraConformance", targets: ["TesseraConformance"]),
  ],
  targets: [
    .target(name: "CTessera"),
    .target(name: "CTesseraNote", dependencies: ["CTessera"]),
    .target(name: "CTesseraSystem", linkerSettings: [.linkedLibrary("ffi")]),
    .target(name: "CTesseraNumbers"),
    .target(name: "CTesseraExamination", dependencies: ["CTesseraSystem"]),
    .target(name: "TesseraGeometry"),
    .target(name: "TesseraSDK", dependencies: ["CTessera", "CTesseraNote", "TesseraGeometry"]),
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
    .target(
      name: "TesseraExamination",
      dependencies: [
        "CTessera", "CTesseraExamination", "CTesseraSystem", "TesseraGeometry", "TesseraCatalog",
        "TesseraRuntime", "TesseraWorker",
      ]),
    .target(name: "TesseraScenario", dependencies: host),
    .target(
      name: "TesseraConformance",
      dependencies: host + ["TesseraExamination", "TesseraScenario"]),
  ]
)

for target in package.targets
where ["TesseraSDK", "TesseraRuntime", "TesseraWorker", "TesseraHost"].contains(target.name) {
  target.swiftSettings = uncheckedAccess
}
