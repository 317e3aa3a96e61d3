// swift-tools-version: 6.3
import PackageDescription

let tessera = "Tessera"
let host: [Target.Dependency] = [
  .product(name: "TesseraHost", package: tessera),
  .product(name: "TesseraDrawing", package: tessera),
]
let command: [Target.Dependency] =
  host + [
    .product(name: "TesseraCommand", package: tessera),
    .product(name: "TesseraScenario", package: tessera),
    .product(name: "ArgumentParser", package: "swift-argument-parser"),
  ]

// Before the libraries that the compiler adds.
let asNeeded: [LinkerSetting] = [
  .unsafeFlags(["-Xclang-linker", "--config=\(Context.packageDirectory)/Sources/needed.cfg"])
]

let package = Package(
  name: "TesseraPages",
  products: [
    .library(name: "TesseraFigures", targets: ["TesseraFigures"]),
    .library(name: "TesseraPictures", targets: ["TesseraPictures"]),
  ],
  dependencies: [
    .package(name: tessera, path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    // Figures, pages of paper and pages of images.
    .target(name: "TesseraFigures", dependencies: host, resources: [.embedInCode("Page")]),
    // Picture files as items.
    .target(name: "TesseraPictures", dependencies: command),
    // All commands; the program's name selects one.
    .executableTarget(
      name: "tessera-figure", dependencies: command + ["TesseraFigures", "TesseraPictures"],
      linkerSettings: asNeeded),
    // Loads picture libraries at run time, so building needs none.
    .executableTarget(
      name: "tessera-pictures",
      dependencies: [.product(name: "CTesseraSystem", package: tessera)],
      linkerSettings: asNeeded + [.linkedLibrary("m")]),
    .testTarget(name: "TesseraFiguresTests", dependencies: ["TesseraFigures"] + host),
    // Tests of the built programs.
    .testTarget(name: "PagesTests"),
  ]
)
