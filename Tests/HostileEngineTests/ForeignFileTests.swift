import Foundation
import TestSupport
import Testing

/// Files that no compiler made so: nothing of them is run, and the sentence says what they are.
extension HostileEngineTests {
  @Suite struct ForeignFileTests {
    private let honest: [UInt8]

    init() throws {
      let library = try HostileLibrary(HostileCase("honest", .lays))
      honest = [UInt8](try Data(contentsOf: URL(fileURLWithPath: library.path)))
    }

    private func expectRefusal(
      _ bytes: [UInt8], _ parts: String..., at location: SourceLocation = #_sourceLocation
    ) throws {
      let folder = try TemporaryFolder()
      let path = try folder.write("libforeign.so", bytes)
      let result = try Program.run(
        BuiltProducts.command.path, ["layout", path, "--timeout", "1"],
        environment: ["TESSERA_PATH": ""])
      #expect(result.status == 76, "\(result.errors)", sourceLocation: location)
      #expect(result.output.isEmpty, sourceLocation: location)
      #expect(result.errors.hasPrefix("tessera: "), sourceLocation: location)
      #expect(result.errors.count(where: { $0 == "\n" }) == 1, sourceLocation: location)
      for part in ["libforeign.so"] + parts {
        #expect(result.errors.contains(part), "\(result.errors)", sourceLocation: location)
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["libforeign.so"])
    }

    @Test(arguments: [0, 1, 16, 63, 64, 100, 1000, 4096])
    func truncatedFileIsRejected(count: Int) throws {
      try expectRefusal(Array(honest.prefix(count)))
    }

    @Test func textFileIsRejected() throws {
      try expectRefusal(Array("This is no library.\n".utf8), "text file")
    }

    /// e_machine lies at byte 18 of an ELF file; 183 is AArch64, 243 RISC-V.
    @Test(arguments: [(183, "AArch64"), (243, "RISC-V")] as [(UInt8, String)])
    func libraryForAnotherMachineIsRejected(machine: UInt8, name: String) throws {
      var bytes = honest
      bytes[18] = machine
      bytes[19] = 0
      try expectRefusal(bytes, name)
    }

    /// EI_DATA lies at byte 5, EI_CLASS at byte 4.
    @Test func libraryOfAnotherByteOrderOrWidthIsRejected() throws {
      var bytes = honest
      bytes[5] = 2
      try expectRefusal(bytes)
      bytes = honest
      bytes[4] = 1
      try expectRefusal(bytes)
    }

    /// The offsets of the program headers, which the loader reads first.
    @Test func invalidHeaderOffsetsAreRejected() throws {
      var bytes = honest
      bytes.replaceSubrange(32..<40, with: repeatElement(0xff, count: 8))
      try expectRefusal(bytes)
    }

    @Test func fileOfZerosIsRejected() throws {
      try expectRefusal(Array(repeating: 0, count: 100_000))
    }
  }
}
