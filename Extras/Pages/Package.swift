// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Pages",
  products: [
    .library(name: "TesseraFigures", targets: ["TesseraFigures"])
  ],
  dependencies: [
    .package(name: "Tessera", path: "../..")
  ],
  targets: [
    .target(
      name: "TesseraFigures",
      dependencies: [
        .product(name: "TesseraHost", package: "Tessera"),
        .product(name: "TesseraDrawing", package: "Tessera"),
      ], resources: [.embedInCode("Page")]),
    .testTarget(name: "TesseraFiguresTests", dependencies: ["TesseraFigures"]),
  ]
)
