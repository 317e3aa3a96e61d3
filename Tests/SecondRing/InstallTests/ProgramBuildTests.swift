import Foundation
import TestSupport
import Testing

/// Programs that run engines, built against an installed prefix and nothing else.
@Suite struct ProgramBuildTests {
  private let prefix: Installation
  private let folder: TemporaryFolder

  init() throws {
    prefix = try Installation.shared()
    folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      atPath: BuiltProducts.repository.path + "/Documentation/Examples/scroll.c",
      toPath: folder.path("scroll.c"))
  }

  /// Builds by lines of shell, and runs what they make over the prefix's engines.
  private func expectScrolling(_ lines: String, program: String) throws {
    let environment = [
      "PREFIX": prefix.path, "PKG_CONFIG_PATH": "\(prefix.path)/lib/pkgconfig",
      "CMAKE_PREFIX_PATH": prefix.path,
    ]
    let built = try Program.run(
      "bash", ["-euc", lines], in: folder.path, environment: environment)
    try #require(built.status == 0, "\(built.output)\(built.errors)")
    let result = try Program.run(folder.path(program), ["\(prefix.path)/lib/tessera"])
    #expect(result.status == 0, "\(result.errors)")
    // Ten rows of 50 points under two headers of 28, 200 points of them in sight.
    #expect(result.output.contains(" x 556\n"), "\(result.output)")
    #expect(result.output.contains("offset 356\n"))
  }

  @Test func inCWithPkgConfig() throws {
    try expectScrolling(
      """
      gcc -Wall -Wextra -Werror scroll.c $(pkg-config --cflags --libs tessera-host) \
        -Wl,-rpath,"$PREFIX/lib" -o scroll
      """, program: "scroll")
  }

  @Test func inCWithCMake() throws {
    try folder.write(
      "CMakeLists.txt",
      """
      cmake_minimum_required(VERSION 3.20)
      project(scroll C)
      find_package(Tessera REQUIRED)
      add_executable(scroll scroll.c)
      target_link_libraries(scroll PRIVATE Tessera::Host)

      """)
    try expectScrolling(
      "cmake -S . -B build >log 2>&1 && cmake --build build >>log 2>&1 || { cat log; exit 1; }",
      program: "build/scroll")
  }
}
