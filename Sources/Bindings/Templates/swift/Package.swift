// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "example-layout",
  products: [.library(name: "ExampleLayout", type: .dynamic, targets: ["ExampleLayout"])],
  dependencies: [
    // A link to this machine's Tessera, ignored by git; `tessera link` recreates it.
    .package(name: "Tessera", path: ".tessera/swift")
  ],
  targets: [
    .target(
      name: "ExampleLayout",
      dependencies: [.product(name: "TesseraSDK", package: "Tessera")],
      linkerSettings: [
        // Exports only what a host looks for.
        .unsafeFlags(["-Xlinker", "--version-script=\(Context.packageDirectory)/engine.map"])
      ]),
    .testTarget(name: "ExampleLayoutTests", dependencies: ["ExampleLayout"]),
  ]
)
