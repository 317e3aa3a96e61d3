import Foundation
import TestSupport
import Testing

/// README engines in C, C++ and Rust, built against only an installed prefix.
@Suite struct EngineBuildTests {
  private let prefix: Installation
  private let folder: TemporaryFolder

  init() throws {
    prefix = try Installation.shared()
    folder = try TemporaryFolder()
  }

  private func shell(_ lines: String) throws {
    let environment = [
      "PREFIX": prefix.path, "PKG_CONFIG_PATH": "\(prefix.path)/lib/pkgconfig",
      "CMAKE_PREFIX_PATH": prefix.path,
    ]
    let result = try Program.run(
      "bash", ["-euc", lines], in: folder.path, environment: environment)
    try #require(result.status == 0, "\(result.output)\(result.errors)")
  }

  /// Each item is 30 points right of and below the previous one.
  private func expectSteps(_ library: String, size: (Double, Double), options: [String] = []) throws
  {
    let result = try prefix.tessera(
      arguments: ["layout", library, "--items", "3", "--format", "csv"] + options)
    try #require(result.status == 0, "\(result.errors)")
    let frames = result.output.split(separator: "\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false)[4..<8].compactMap { Double($0) }
    }
    #expect(frames == [0, 30, 60].map { [$0, $0, size.0, size.1] })
    let symbols = try Program.run("nm", ["-D", "--defined-only", "--extern-only", "-j", library])
    #expect(symbols.output == "tessera_register\n")
  }

  private func expectStairs(_ library: String) throws {
    try expectSteps(folder.path(library), size: (50, 40), options: ["--item", "size=50x40"])
  }

  @Test(arguments: ["gcc", "clang"])
  func inCWithPkgConfig(compiler: String) throws {
    try folder.write("diagonal.c", Readme.block("c", of: "README.md"))
    try shell(
      """
      \(compiler) -Wall -Wextra -Werror -shared -fPIC $(pkg-config --cflags --libs tessera) \
        diagonal.c -o libdiagonal.so
      """)
    try expectSteps(folder.path("libdiagonal.so"), size: (50, 50))
  }

  @Test func pkgConfigTellsWhereThingsAre() throws {
    try shell(
      """
      [ "tessera $(pkg-config --modversion tessera)" = "$("$PREFIX/bin/tessera" --version | head -n 1)" ]
      for name in engines engine_map rust_source swift_package; do
        [ -e "$(pkg-config --variable=$name tessera)" ]
      done
      """)
  }

  @Test func inCAndCPlusPlusWithCMake() throws {
    try folder.write("diagonal.c", Readme.block("c", of: "README.md"))
    try folder.write("stairs.cpp", Readme.block("cpp", of: "Sources/Bindings/Cpp/README.md"))
    try folder.write(
      "CMakeLists.txt",
      """
      cmake_minimum_required(VERSION 3.20)
      project(engines C CXX)
      find_package(Tessera 1.0 REQUIRED)
      foreach(source diagonal.c stairs.cpp)
        get_filename_component(name ${source} NAME_WE)
        add_library(${name} MODULE ${source})
        target_link_libraries(${name} PRIVATE Tessera::Engine)
      endforeach()
      foreach(path ${Tessera_RUST_SOURCE} ${Tessera_SWIFT_PACKAGE}/Package.swift)
        if(NOT EXISTS ${path})
          message(FATAL_ERROR "there is no ${path}")
        endif()
      endforeach()
      foreach(version 0.9 1.99 2.0)
        find_package(Tessera ${version} QUIET)
        if(Tessera_FOUND)
          message(FATAL_ERROR "what is installed is not ${version}")
        endif()
      endforeach()

      """)
    try shell(
      "cmake -S . -B build >log 2>&1 && cmake --build build >>log 2>&1 || { cat log; exit 1; }")
    try expectSteps(folder.path("build/libdiagonal.so"), size: (50, 50))
    try expectStairs("build/libstairs.so")
  }
}
