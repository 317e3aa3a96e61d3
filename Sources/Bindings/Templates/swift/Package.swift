// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "example-layout",
  products: [.library(name: "ExampleLayout", type: .dynamic, targets: ["ExampleLayout"])],
  dependencies: [
    // A link to the Tessera of this machine, made by `tessera new` and passed over by git. Where it
    // is missing, or leads nowhere, `tessera link` makes it.
    .package(name: "Tessera", path: ".tessera/swift")
  ],
  targets: [
    .target(
      name: "ExampleLayout",
      dependencies: [.product(name: "TesseraSDK", package: "Tessera")],
      linkerSettings: [
        // The library exports what a host looks for and nothing else.
        .unsafeFlags(["-Xlinker", "--version-script=\(Context.packageDirectory)/engine.map"])
      ]),
    .testTarget(name: "ExampleLayoutTests", dependencies: ["ExampleLayout"]),
  ]
)
