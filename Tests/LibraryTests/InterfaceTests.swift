import Foundation
import TestSupport
import Testing

@Suite struct InterfaceTests {
  @Test func exportsAreTheDeclaredFunctions() throws {
    let functions = try HostHeader.functions().map(\.name).sorted()
    #expect(functions.count > 40)
    #expect(Set(functions).count == functions.count)
    let symbols = try Program.run(
      "nm", ["-D", "--defined-only", try Prefix.shared.get().library])
    try #require(symbols.status == 0, "\(symbols.errors)")
    let exported = symbols.output.split(separator: "\n").map { $0.split(separator: " ").last ?? "" }
    #expect(exported.map(String.init).sorted() == functions)
  }

  @Test func libraryNeedsNoSwiftLibraries() throws {
    let result = try Program.run("readelf", ["-d", try Prefix.shared.get().library])
    try #require(result.status == 0, "\(result.errors)")
    let needed = Set(
      result.output.matches(of: /NEEDED.*\[(.*)\]/).map { String($0.output.1) })
    let system: Set = [
      "libm.so.6", "libstdc++.so.6", "libffi.so.8", "libgcc_s.so.1", "libc.so.6", "libdl.so.2",
      "libpthread.so.0", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1",
    ]
    #expect(!needed.isEmpty && needed.subtracting(system).isEmpty, "\(needed)")
    #expect(result.output.contains("soname: [libtessera.so.1]"))
    #expect(!result.output.contains("RUNPATH") && !result.output.contains("RPATH"))
  }
}
