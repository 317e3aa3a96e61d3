// swift-tools-version: 6.3
import PackageDescription

let tessera = "Tessera"
let host: [Target.Dependency] = [.product(name: "TesseraHost", package: tessera)]

let package = Package(
  name: "TesseraBench",
  dependencies: [
    .package(name: tessera, path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .target(name: "CTesseraBench"),
    .executableTarget(
      name: "tessera-bench",
      dependencies: host + [
        "CTesseraBench", .product(name: "TesseraCommand", package: tessera),
        .product(name: "TesseraScenario", package: tessera),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    // Host measurements without an engine.
    .executableTarget(name: "bench-rows", dependencies: host + ["CTesseraBench"]),
  ]
)
