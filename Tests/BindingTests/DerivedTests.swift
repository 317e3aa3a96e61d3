import TestSupport
import Testing

@Suite struct DerivedTests {
  /// Three of 100 points in 375 leave 37.5 between them; the first is 20 points taller.
  @Test(arguments: WrapperCompiler.tested)
  func aBaseIsConfiguredCalledAndEdited(_ compiler: WrapperCompiler) throws {
    let table = try Table(
      compiler.tessera("layout", "lifted", "--items", "4", "--format", "csv"))
    #expect(
      table.frames == [
        [0, 0, 100, 80], [137.5, 10, 100, 60], [275, 10, 100, 60], [0, 92, 100, 80],
      ])
    #expect(table["alpha"] == ["1", "0.5", "1", "0.5"])
  }

  @Test(arguments: WrapperCompiler.tested)
  func rowsAreMirroredAsShown(_ compiler: WrapperCompiler) throws {
    let table = try Table(
      compiler.tessera(
        "layout", "lifted", "--items", "1", "--set", "tilt=0.5", "--visible", "--format", "csv"))
    let numbers = ["m11", "m12", "m21", "m22", "m33", "m44"].flatMap {
      table["transform3D.\($0)"].compactMap(Double.init)
    }
    // The cosine and sine of half a radian.
    let (cosine, sine) = (0.8775825618903728, 0.479425538604203)
    #expect(numbers == [cosine, sine, -sine, cosine, 1, 1])
  }

  @Test(arguments: WrapperCompiler.tested)
  func adjustIsCalledOnlyWhereItDoesSomething(_ compiler: WrapperCompiler) throws {
    func isAdjusted(_ setting: String) throws -> Bool {
      let result = try compiler.tessera(
        "layout", "lifted", "--items", "4", "--visible", "--trace", "--format", "csv", "--set",
        setting)
      #expect(result.status == 0 && result.errors.contains("prepare("))
      return result.errors.contains("adjust(")
    }
    #expect(try !isAdjusted("tilt=0"))
    #expect(try isAdjusted("tilt=0.5"))
    #expect(try isAdjusted("sectionFootersPinToVisibleBounds=true"))
  }

  /// Lines begin every 60 + 20 + 12 points.
  @Test(arguments: WrapperCompiler.tested)
  func scrollingStopsAtALine(_ compiler: WrapperCompiler) throws {
    let rest = try compiler.tessera("snap", "lifted", "--items", "40", "--offset", "0,200")
    #expect(rest.output == "0,184\n", "\(rest.errors)")
  }

  @Test(arguments: WrapperCompiler.tested)
  func baseCallsTheFunctionPassedToIt(_ compiler: WrapperCompiler) throws {
    let table = try Table(
      compiler.tessera(
        "layout", "alternating", "--items", "4", "--set", "every=3", "--format", "csv"))
    #expect(table["layoutMode"] == ["aspectFill", "aspectFit", "aspectFit", "aspectFill"])
  }
}
