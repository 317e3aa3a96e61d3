import Foundation
import TesseraHost
import TestSupport

/// The libraries of a released version of the contract, in one of two forms.
///
/// `Tests/Fixtures/released/VERSION` has the headers of the version, engines in C written against them,
/// and libraries that were compiled then.
struct ReleasedLibraries: Sendable {
  enum Form: String, CaseIterable, Sendable {
    /// Compiled now, with the headers of that version and no others.
    case compiled
    /// Compiled when the version was current, for x86-64.
    case kept
  }

  /// Tests/Fixtures/released.
  static let fixtures = BuiltProducts.repository.appendingPathComponent("Tests/Fixtures/released")
  /// The versions that have a folder there: "0.5".
  static let versions =
    ((try? FileManager.default.contentsOfDirectory(atPath: fixtures.path)) ?? [])
    .filter { $0.wholeMatch(of: /\d+\.\d+/) != nil }.sorted()

  #if arch(x86_64)
    /// The forms that this machine can run.
    static let forms = Form.allCases
  #else
    /// The forms that this machine can run.
    static let forms = [Form.compiled]
  #endif

  /// A folder to search engines in.
  let folder: String
  /// The paths of the libraries.
  let libraries: [String]

  /// Those of version 0.5, built once for all tests.
  static func version05(_ form: Form) throws -> ReleasedLibraries {
    try (form == .compiled ? compiled05 : kept05).get()
  }

  private static let compiled05 = Result { try ReleasedLibraries("0.5", .compiled) }
  private static let kept05 = Result { try ReleasedLibraries("0.5", .kept) }

  private init(_ version: String, _ form: Form) throws {
    let release = Self.fixtures.appendingPathComponent(version)
    let sources = release.appendingPathComponent(form == .compiled ? "engines" : "x86_64")
    // A folder of the build: only its user can write to it.
    let url = BuiltProducts.folder.appendingPathComponent("released/\(version)-\(form)")
    try? FileManager.default.removeItem(at: url)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    var libraries: [String] = []
    for file in try FileManager.default.contentsOfDirectory(atPath: sources.path).sorted() {
      let source = sources.appendingPathComponent(file)
      let name = source.deletingPathExtension().lastPathComponent
      let library = url.appendingPathComponent(form == .compiled ? "lib\(name).so" : file)
      switch form {
      case .compiled:
        try CompiledFiles.compile(
          source.path, to: library.path, "gcc",
          ["-I", release.appendingPathComponent("include").path]
            + ["-std=c11", "-O2", "-shared", "-fPIC"] + CCompiler.strictness + ["-lm"])
      case .kept:
        try FileManager.default.copyItem(at: source, to: library)
        try FileManager.default.setAttributes(
          [.posixPermissions: 0o755], ofItemAtPath: library.path)
      }
      libraries.append(library.path)
    }
    (folder, self.libraries) = (url.path, libraries)
  }

  /// A host that finds these engines and no others.
  func host(_ isolation: Isolation) -> TesseraHost.Host {
    Host(
      searchPath: SearchPath(folders: [folder]),
      configuration: HostConfiguration(isolation: isolation))
  }
}

/// Engines in one form, with or without a sandbox.
struct ReleasedRun: Sendable, CustomStringConvertible {
  let form: ReleasedLibraries.Form
  let isolation: Isolation

  /// Each form with each isolation.
  static let all = ReleasedLibraries.forms.flatMap { form in
    [Isolation.sandbox, .none].map { ReleasedRun(form: form, isolation: $0) }
  }

  var description: String { "\(form), isolation \(isolation)" }

  /// A session of an engine of version 0.5.
  func session(_ engine: String, _ bounds: Size, _ sections: [Int]) throws -> Session {
    let host = try ReleasedLibraries.version05(form).host(isolation)
    let session = try Session(host.engine(engine))
    session.bounds = bounds
    try session.setSections(sections)
    return session
  }
}

extension Elements {
  /// The frames of the elements of a category, in order.
  func frames(_ category: ElementCategory = .cell) -> [Rect] {
    indices.filter { identity(at: $0).category == category }.map { frame(at: $0) }
  }
}
