import Foundation
import TesseraGeometry
import TesseraHost
import TestSupport
import Testing

@testable import TesseraDrawing

private let isNodePresent = (try? Program.run("node", ["--version"]).status) == 0

@Suite(.enabled(if: isNodePresent, "node is not installed"))
struct PageScriptTests {
  private static var still: Picture<[Element]> {
    var cell = Sample.cell(0, 10, 20, 80, 60, zIndex: 3)
    cell.attributes = [.number(0.25), .rect(Rect(x: 5, y: 6, width: 30, height: 40))]
    let far = Sample.cell(1, section: 1, 0, 5000, 40, 40)
    let header = Sample.extra(
      .supplementary, "header", section: 2, Rect(x: 0, y: 100, width: 375, height: 44))
    var picture = Sample.picture(
      [cell, far, header], content: Size(width: 375, height: 6000),
      viewport: Rect(x: 0, y: 0, width: 375, height: 667))
    picture.attributeNames = ["maskingValue", "contentRect"]
    picture.label = { _, _ in "a & b" }
    return picture
  }

  private static var animated: AnimatedPicture {
    let moving = [Sample.cell(0, 0, 0, 40, 40), Sample.cell(0, 100, 20, 60, 40)]
    let leaving = Sample.cell(7, 5, 5, 30, 30)
    return AnimatedPicture(
      engineName: "One", engineID: "org.example.one",
      animation: LayoutAnimation(
        from: LayoutMoment(
          elements: [moving[0], leaving], contentSize: Size(width: 300, height: 300)),
        to: LayoutMoment(
          elements: [moving[1]], contentSize: Size(width: 300, height: 500),
          offset: Point(x: 0, y: 80))),
      bounds: Size(width: 300, height: 200))
  }

  private func values(in page: String, _ expressions: String...) throws -> [String] {
    let folder = try TemporaryFolder()
    let path = folder.path("page.html")
    try Data(page.utf8).write(to: URL(fileURLWithPath: path))
    let browser = BuiltProducts.repository.appendingPathComponent("Tests/Fixtures/pages/browser.js")
    let result = try Program.run("node", [browser.path, path] + expressions)
    try #require(result.status == 0, "\(result.errors)")
    return result.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      .dropLast()
  }

  @Test func pageHasNodesForTheElementsNearTheViewport() throws {
    let found = try values(
      in: Self.still.html(), "[...nodes.keys()]", "nodes.get(0).title",
      "[...nodes.get(0).classList]", "nodes.get(0).textContent",
      "nodes.get(0).children.map((n) => [[...n.classList], n.style.opacity ?? n.style.width])",
      "nodes.get(0).style.top", "[nodes.get(0).style.zIndex, nodes.get(2).style.zIndex]",
      "nodes.get(2).textContent")
    #expect(
      found == [
        "[0,2]", #""cell 0 of section 0\n10, 20 · 80 × 60\na & b""#,
        #"["e","cell","h0","s0","framed"]"#, #""0a & b""#,
        #"[[["picture"],"30px"],[["mask"],0.25],[[],null],[[],null]]"#, "\"20px\"", "[3,2]",
        "\"header 0 of section 2\"",
      ])
  }

  @Test func coloursAndOrderAreThoseOfTheSVG() throws {
    var elements = (0..<30).map { Sample.cell($0, section: $0 / 3, 0, 0, 50, 50, zIndex: $0 % 4) }
    elements[7].transform.m43 = 40
    elements[8].transform.m31 = 0.5
    elements[9].transform.m13 = 0.5
    elements += Sample.sections
    let picture = Sample.picture(elements)
    let titles = try MarkupReader(picture.svg()).all("title").dropFirst()
    let names = titles.map { $0.text.components(separatedBy: " · ")[0] }
    let found = try values(
      in: picture.html(),
      "all.map((e, i) => [ranks[i], nameOf(e)]).sort((a, b) => a[0] - b[0]).map((r) => r[1])",
      "all.slice(0, 30).map((e, i) => [...nodes.get(i).classList].slice(2).join())")
    #expect(try JSONDecoder().decode([String].self, from: Data(found[0].utf8)) == names)
    let classes = elements.prefix(30).map(\.identity).map {
      "h\(Palette.hue(section: $0.section)),s\(Palette.shade(item: $0.item))"
    }
    #expect(try JSONDecoder().decode([String].self, from: Data(found[1].utf8)) == classes)
  }

  @Test func arrowKeysWalkTheElements() throws {
    let found = try values(
      in: Self.still.html(), #"nodes.get(0).dispatch("pointerover"), byId("name").textContent"#,
      #"stage.dispatch("keydown", { key: "ArrowRight" }), byId("name").textContent"#,
      "[current, scroller.scrollTop, document.activeElement.tabIndex]",
      #"stage.dispatch("keydown", { key: "End" }), byId("name").textContent"#,
      #"byId("facts").children.map((n) => n.textContent).join("|")"#)
    #expect(
      found == [
        "\"cell 0 of section 0\"", "\"cell 1 of section 1\"", "[1,4948,0]",
        "\"header 0 of section 2\"", "\"section|2|item|0|x, y|0, 100|size|375 × 44\"",
      ])
  }

  @Test func progressPlacesTheElements() throws {
    let found = try values(
      in: Self.animated.html(),
      "goTo(0.5), tracks.map((t) => [t.node.style.transform, t.node.style.width])",
      "[scroller.scrollTop, paper.style.height, byId(\"progress\").textContent]",
      "tracks.map((t) => [t.node.style.opacity ?? 1, t.node.style.visibility])",
      "goTo(1), tracks.map((t) => [t.node.style.transform, t.node.style.visibility])",
      "tracks.map((t) => t.node.title)")
    #expect(
      found == [
        #"[["translate(50.000px, 10.000px)","50px"],["translate(0.000px, 0.000px)","30px"]]"#,
        #"[40,"400px","0.500"]"#, #"[[1,null],[0.5,""]]"#,
        #"[["translate(100.000px, 20.000px)",null],["translate(0.000px, 0.000px)","hidden"]]"#,
        #"["cell 0 of section 0\n0, 0, 40, 40 → 100, 20, 60, 40","#
          + #""cell 7 of section 0\n5, 5, 30, 30 → 5, 5, 30, 30"]"#,
      ])
  }

  @Test func playingRestsMovesAndStartsAgain() throws {
    // 0.5 s, after 0.6 s and before 1 s of rest.
    let found = try values(
      in: Self.animated.html(), "setPlaying(true), play.textContent",
      "runFrame(600), runFrame(250), progress", "runFrame(300), progress",
      "runFrame(999), progress", "runFrame(2), progress",
      #"play.dispatch("click"), [play.textContent, isPlaying]"#,
      ##"location.hash = "#t=0.4", showRequested() && progress"##,
      #"location.hash = "", showRequested()"#)
    #expect(
      found == [
        "\"Pause\"", "0.5", "1", "1", "0", "[\"Play\",false]", "0.4", "false",
      ])
  }
}
