import TestSupport
import Testing

@Suite struct ShelfTests {
  private func shelf(_ compiler: WrapperCompiler, _ arguments: String...) throws -> Table {
    try Table(compiler.tessera("layout", "shelf", ["--format", "csv"] + arguments))
  }

  /// 40×10 and 60×20 fit a shelf of 192 points, 80×30 does not; then a header and margins.
  @Test(arguments: WrapperCompiler.tested)
  func itemsStandOnShelves(_ compiler: WrapperCompiler) throws {
    let table = try shelf(
      compiler, "--sections", "3,0", "--item", "size=40+item*20,10+item*10", "--set", "gap=10",
      "--bounds", "200x400")
    #expect(
      table.frames == [
        [4, 38, 40, 10], [54, 28, 60, 20], [4, 58, 80, 30], [0, 0, 100, 24], [0, 92, 100, 24],
      ])
    #expect(table["shelf"].prefix(3) == ["0", "0", "1"])
    #expect(table["kind"] == ["", "", "", "header", "header"])
  }

  @Test(arguments: WrapperCompiler.tested)
  func parametersOfEveryTypeArrive(_ compiler: WrapperCompiler) throws {
    let table = try shelf(
      compiler, "--items", "2", "--bounds", "200x400", "--set", "gap=6", "--set", "perShelf=1",
      "--set", "origin=5,7", "--set", "itemSize=30x20", "--set", "headerFrame=10,3,50,20",
      "--set", "margin=1,2,3,4")
    #expect(table.frames == [[7, 31, 30, 20], [7, 57, 30, 20], [15, 10, 50, 20]])
  }

  @Test(
    arguments: WrapperCompiler.tested,
    [("bottom", 24.0), ("middle", 14), ("top", 4)])
  func choicesArriveByName(_ compiler: WrapperCompiler, _ choice: (String, Double)) throws {
    let table = try shelf(
      compiler, "--items", "2", "--set", "headers=false", "--item", "size=50,10+item*20", "--set",
      "align=\(choice.0)")
    #expect(table.frames[0] == [4, choice.1, 50, 10])
  }

  @Test(arguments: WrapperCompiler.tested)
  func valuesOfSectionsAndDelegateFunctionsArrive(_ compiler: WrapperCompiler) throws {
    let gaps = try shelf(compiler, "--sections", "2,2", "--section", "gap=20*(section+1)")
    let cells = zip(gaps.frames, gaps["category"]).filter { $1 == "cell" }.map { $0.0 }
    #expect(cells.map { $0[0] } == [4, 84, 4, 104])
    let broken = try shelf(compiler, "--items", "3", "--delegate", "breaksBefore=item == 2")
    #expect(
      broken.frames.prefix(3) == [[4, 28, 60, 40], [72, 28, 60, 40], [4, 76, 60, 40]])
    #expect(broken["shelf"].prefix(3) == ["0", "0", "1"])
  }

  @Test(arguments: WrapperCompiler.tested)
  func publishedFunctionsAnswer(_ compiler: WrapperCompiler) throws {
    let shelves = try compiler.tessera("call", "shelf", "shelfCount", "--items", "12")
    #expect(shelves.output == "3\n", "\(shelves.errors)")
    let elements = try compiler.tessera(
      "call", "shelf", "elementsIn", "0,0,100,100", "--items", "12")
    #expect(elements.output == "5\n", "\(elements.errors)")
  }

  @Test(arguments: WrapperCompiler.tested)
  func invalidValuesAreRejectedWithASentence(_ compiler: WrapperCompiler) throws {
    let size = try compiler.tessera("layout", "shelf", "--item", "size=-5,3.5")
    #expect(size.status == 69)
    #expect(
      size.errors.contains(
        "size of item 0 in section 0 is -5×3.5; width and height must not be negative"))
    let gap = try compiler.tessera("layout", "shelf", "--items", "4000", "--set", "gap=1e308")
    #expect(gap.status == 69)
    #expect(gap.errors.contains("it must be finite and not negative, so give smaller lengths"))
  }
}
