// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "TesseraPlay",
  dependencies: [
    .package(name: "Tessera", path: "../.."),
    .package(name: "TesseraPages", path: "../Pages"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .executableTarget(
      name: "tessera-play",
      dependencies: [
        .product(name: "TesseraHost", package: "Tessera"),
        .product(name: "TesseraCommand", package: "Tessera"),
        .product(name: "TesseraDrawing", package: "Tessera"),
        .product(name: "TesseraScenario", package: "Tessera"),
        .product(name: "TesseraFigures", package: "TesseraPages"),
        .product(name: "TesseraPictures", package: "TesseraPages"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], resources: [.embedInCode("Page")])
  ]
)
