// swift-tools-version: 6.3
import PackageDescription

// Installed for Swift programs: TesseraSDK for engines, TesseraHost for hosts, TesseraConformance
// for tests. Sources, since compiled modules fit one compiler; the host needs libffi's headers.

/// Includes the layers that TesseraHost exports, so that SwiftPM rebuilds their users.
let host: [Target.Dependency] = [
  "TesseraHost", "TesseraWorker", "TesseraRuntime", "TesseraCatalog",
]

/// Dynamic exclusivity checks take longer than a small layout.
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
