import CTesseraSystem
import Glibc

/// What a kernel offers to keep an engine's process in.
public struct KernelOffer: Sendable, Equatable {
  /// Something that Landlock protects, each since a version of its own.
  public enum Protection: String, CaseIterable, Sendable {
    /// Files and folders are closed unless they are listed.
    case files
    /// No file is cut short.
    case truncation
    /// No TCP.
    case network
    /// Devices take no commands.
    case devices
    /// Signals and abstract sockets reach no other process.
    case scopes

    /// The first version of Landlock that has it.
    public var version: Int {
      switch self {
      case .files: 1
      case .truncation: 3
      case .network: 4
      case .devices: 5
      case .scopes: 6
      }
    }
  }

  /// The kernel's release, "6.1.0-13-amd64".
  public let release: String
  /// The machine, "x86_64".
  public let machine: String
  /// Whether a process can give up the right to gain rights.
  public let dropsPrivileges: Bool
  /// Whether system calls can be filtered.
  public let filtersCalls: Bool
  /// The version of Landlock; 0: none.
  public let landlock: Int

  /// Whether Landlock protects something.
  public func protects(_ protection: Protection) -> Bool { landlock >= protection.version }

  /// What the kernel of this machine offers; starts nothing and changes nothing.
  static func ofThisMachine() -> KernelOffer {
    let offer = tessera_sandbox_offer_of_kernel()
    var names = utsname()
    uname(&names)
    return KernelOffer(
      release: text(names.release), machine: text(names.machine),
      dropsPrivileges: offer.no_new_privileges != 0, filtersCalls: offer.seccomp != 0,
      landlock: Int(offer.landlock))
  }

  private static func text<Field>(_ field: Field) -> String {
    withUnsafeBytes(of: field) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
