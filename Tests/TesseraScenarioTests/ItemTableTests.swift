import Foundation
import TestSupport
import Testing

@testable import TesseraScenario

@Suite struct ItemTableTests {
  func table(_ text: String, _ name: String = "t.csv") throws -> ItemTable {
    try ItemTable(parsing: Array(text.utf8), name: name)
  }

  func columns(_ text: String, _ name: String = "t.csv") throws -> [String: ValueColumn] {
    try table(text, name).bound(to: Fixture.base.itemValues).columns
  }

  func sizes(_ numbers: (Double, Double)...) -> ValueColumn {
    .sizes(numbers.map { Size(width: $0.0, height: $0.1) })
  }

  @Test(
    "quotes, line ends, a byte order mark and blank lines are as in RFC 4180",
    arguments: [
      "label,width,height\na,1,2\n\"b, \"\"c\"\"\",3,4\n",
      "label,width,height\r\na,1,2\r\n\"b, \"\"c\"\"\",3,4\r\n",
      "label,width,height\ra,1,2\r\"b, \"\"c\"\"\",3,4",
      "\u{FEFF}label, width ,height\na,1,2\n\n\"b, \"\"c\"\"\",\"3\",4\n\n",
    ])
  func dialects(text: String) throws {
    let table = try table(text)
    #expect(table.itemCounts == [2])
    #expect(table.labels == ["a", "b, \"c\""])
    #expect(try columns(text) == ["size": sizes((1, 2), (3, 4))])
  }

  /// Here a comma separates vector components.
  @Test func semicolonsAllowDecimalCommas() throws {
    #expect(
      try columns("weight;size;label\n1,5;100,90;1,5\n-,25;1x5;\n\"2,0\";3,4;x\n") == [
        "weight": .numbers([1.5, -0.25, 2]), "size": sizes((100, 90), (1, 5), (3, 4)),
      ])
    #expect(try columns("width;height\n1,5;2\n") == ["size": sizes((1.5, 2))])
    let table = try table("weight;label\n1,5;1,5\n2.5;a,b\n")
    #expect(table.labels == ["1,5", "a,b"] && table.texts(of: "weight") == ["1,5", "2.5"])
    #expect(table.numerals(of: "weight") == ["1.5", "2.5"])
    #expect(table.numerals(of: "label") == ["1.5", "a,b"])
    for text in ["weight;label\n1.234,5;x\n", "weight;label\n1,2,3;x\n", "weight\tlabel\n1,5\tx\n"]
    {
      #expect(throws: HostError.self) { try columns(text) }
    }
  }

  @Test("width and height stand for an aspect ratio where nothing else is named so")
  func aspectRatios() throws {
    let ratio = Fixture.value("aspectRatio", .number, .item)
    let height = Fixture.value("height", .number, .item)
    func columns(_ text: String, _ values: [ValueDescription]) throws -> [String: ValueColumn] {
      try table(text).bound(to: values).columns
    }
    let text = "section,width,height\n0,6000,4000\n0,3024,4032\n"
    #expect(try columns(text, [ratio]) == ["aspectRatio": .numbers([1.5, 0.75])])
    #expect(try columns(text, [ratio, height]) == ["aspectRatio": .numbers([1.5, 0.75])])
    #expect(try columns("height\n4\n", [ratio, height]) == ["height": .numbers([4])])
    #expect(
      try columns("width,height,aspectRatio\n3,4,2\n", [ratio, height])
        == ["aspectRatio": .numbers([2]), "height": .numbers([4])])
    let size = Fixture.value("size", .size, .item)
    #expect(try columns("width,height\n3,4\n", [ratio, size]) == ["size": sizes((3, 4))])
    #expect(
      message { _ = try columns("width,height\n3,4\n3,0\n", [ratio]) }
        == "t.csv line 3: height is \"0\"; expected a number above 0")
  }

  @Test("columns fill item values by name, by component, and by bare component where it is clear")
  func names() throws {
    #expect(try columns("size\n100x90\n\"1.5,2\"\n") == ["size": sizes((100, 90), (1.5, 2))])
    #expect(try columns("size.width,size.height\n1,2\n") == ["size": sizes((1, 2))])
    #expect(try columns("y,x\n1,2\n") == ["anchor": .points([Point(x: 2, y: 1)])])
    #expect(
      try columns("weight,span,isBig,mode\n1e2,3,true,fit\n-.5,4,false,fill\n") == [
        "weight": .numbers([100, -0.5]), "span": .integers([3, 4]), "isBig": .bools([true, false]),
        "mode": .choices(["fit", "fill"]),
      ])
    // Two candidates for width: neither is used.
    let two = [
      Fixture.value("size", .size, .item), Fixture.value("area", .rect, .item),
      Fixture.value("height", .number, .item),
    ]
    let bound = try table("width,height\n1,2\n").bound(to: two)
    #expect(bound.columns == ["height": .numbers([2])])
    #expect(
      bound.notes == [
        "t.csv: column width left out, since the engine has no such item value; it takes size, area and height"
      ])
  }

  @Test("columns that no item value knows are left out with a note")
  func notes() throws {
    let bound = try table("author,width,height,date\nx,1,2,y\n").bound(to: Fixture.base.itemValues)
    #expect(bound.columns.keys.sorted() == ["size"])
    #expect(
      bound.notes == [
        "t.csv: columns author and date left out, since the engine has no such item value; it takes "
          + "size, weight, span, isBig, mode and anchor"
      ])
    let named = try table("name,width,height\nx,1,2\n").bound(to: Fixture.base.itemValues)
    #expect(named.notes[0].hasSuffix("; call column name label to show it"))
    let labels = try table("label,,section\nx,1,0\n").bound(to: [])
    #expect(labels.columns.isEmpty && labels.notes.isEmpty)
  }

  @Test("a column section groups the rows, in any order and stably")
  func sections() throws {
    let text = "section,label,weight\n2,a,1\n0,b,2\n2,c,3\n0,d,4\n"
    let table = try table(text)
    #expect(table.itemCounts == [2, 0, 2])
    #expect(table.labels == ["b", "d", "a", "c"])
    #expect(try columns(text) == ["weight": .numbers([2, 4, 1, 3])])
    let wrong = "section,weight\n1,1\n0,2\n0,x\n"
    #expect(
      message { _ = try columns(wrong) } == "t.csv line 4: weight is \"x\"; expected a number")
    #expect(try self.table("section,weight\n").itemCounts == [])
    #expect(try self.table("weight\n").itemCounts == [0])
  }

  @Test("ndjson has one object a line")
  func objects() throws {
    let text =
      "{\"width\":1,\"height\":2,\"label\":\"a\"}\r\n\n{\"height\":4,\"label\":7,\"width\":\"3\"}\n"
    for name in ["t.ndjson", "standard input"] {
      #expect(try table(text, name).labels == ["a", "7"])
      #expect(try columns(text, name) == ["size": sizes((1, 2), (3, 4))])
    }
    #expect(
      try columns("{\"size\":[5,6],\"isBig\":true}", "t.jsonl") == [
        "size": sizes((5, 6)), "isBig": .bools([true]),
      ])
    #expect(try table("", "t.ndjson").itemCounts == [0])
  }

  @Test("a text that is not UTF-8 is refused with its line, and not repaired")
  func encodings() throws {
    for (bytes, line) in [
      ("label\nb\ncaf".utf8 + [0xE9, 0x0A], 3), (Array("caf".utf8) + [0xE9, 0x0A, 0x31], 1),
    ] as [([UInt8], Int)] {
      let error = #expect(throws: HostError.self) {
        try ItemTable(parsing: bytes, name: "t.csv")
      }
      #expect(
        error?.message
          == "t.csv line \(line): the text is not UTF-8; convert it, for example with iconv -t utf-8"
      )
    }
  }

  @Test(
    "a wrong row is told by its line",
    arguments: [
      ("width,height\n1,2\nabc,3\n", "t.csv line 3: width is \"abc\"; expected a number"),
      ("width,height\n1,\n", "t.csv line 2: height is empty; expected a number"),
      (
        "label,weight\n\"a\nb\",1\n\"c\n\nd\",x\n",
        "t.csv line 4: weight is \"x\"; expected a number"
      ),
      ("weight\n1\n\n2\n\n\n3\nx\n\n4\n", #"t.csv line 8: weight is "x"; expected a number"#),
      ("span\n1.5\n", "t.csv line 2: span is \"1.5\"; expected a whole number"),
      ("mode\nfull\n", "t.csv line 2: mode is \"full\"; expected fit or fill"),
      ("size\n100\n", "t.csv line 2: size is \"100\"; expected a size such as 100x90"),
      (
        "a,b\n1,2\n1\n",
        "t.csv line 3: the row has 1 field but the header has 2; give each row as many"
      ),
      ("a,b\n\"1,2\n3,4\n", "t.csv line 2: a quoted field never ends; close it with a quote"),
      ("a,b,a\n", "t.csv has two columns \"a\"; rename or remove one"),
      (
        "section\n-1\n",
        "t.csv line 2: section is \"-1\"; expected a name, or a whole number from 0 to 999999"
      ),
      ("section,a\nx,1\n,2\n", "t.csv line 3: section is empty; expected a name"),
      (
        "width\n1\n",
        "t.csv has a column width but none for height; size needs all of width and height"
      ),
    ])
  func refusals(text: String, expected: String) {
    let found = message { _ = try columns(text) }
    #expect(found.hasPrefix(expected), "\(found)")
  }

  @Test(
    "a wrong line of ndjson is told",
    arguments: [
      ("{\"weight\":1}\n{\"weight\":}\n", "t.ndjson line 2 is not JSON: "),
      (
        "{\"weight\":1}\n{}\n", "t.ndjson line 2 has no \"weight\"; give it, as the first line does"
      ),
      (
        "{\"weight\":1}\n{\"weight\":2,\"span\":3}",
        "t.ndjson line 2 has \"span\", which the first line does not have"
      ),
      (
        "{\"size\":[1,2]}\n{\"size\":[1]}\n",
        "t.ndjson line 2: size is a list of 1; expected a size"
      ),
    ])
  func refusedObjects(text: String, expected: String) {
    let found = message { _ = try columns(text, "t.ndjson") }
    #expect(found.hasPrefix(expected), "\(found)")
  }

  @Test("a table goes through a scenario, under values for all items")
  func scenario() throws {
    var scenario = Scenario()
    scenario.content = .table(try table("section,width,height,label\n1,5,6,a\n0,7,8,b\n"))
    scenario.itemValues["weight"] = JSONNode(text: "index", source: "--item weight")
    let found = try scenario.resolved(for: [Fixture.base]).input
    #expect(scenario.labels == ["b", "a"])
    #expect(found.counts == [1, 1])
    #expect(found.itemValues == ["size": sizes((7, 8), (5, 6)), "weight": .numbers([0, 1])])
    scenario.itemValues["size"] = JSONNode(text: "1x1", source: "--item size")
    let over = try scenario.resolved(for: [Fixture.base]).input
    #expect(over.itemValues["size"] == .constant(.size(Size(width: 1, height: 1))))
  }

  @Test("expressions of items use the columns of their rows")
  func expressions() throws {
    let text = "section,width,height,rating,id,a.b\n1,400,200,1,x,9\n0,300,300,2,y,8\n"
    func found(_ name: String, _ value: String) throws -> (value: ValueColumn?, notes: [String]) {
      var scenario = Scenario()
      scenario.content = .table(try table(text))
      scenario.itemValues[name] = JSONNode(text: value, source: "--item \(name)")
      let (setup, notes) = try scenario.resolved(for: [Fixture.base])
      return (setup.itemValues[name], notes)
    }
    for (value, numbers) in [
      ("row.width*2+rating", [602.0, 801]), ("row.a.b", [8, 9]), ("layout.width", [375, 375]),
      ("layout.item + index", [0, 1]), ("rating > 1 ? row.height : scale", [300, 2]),
    ] {
      let column = try #require(try found("weight", value).value)
      #expect((0..<2).map { column[$0] } == numbers.map { .number($0) }, "\(value)")
    }
    #expect(try found("isBig", "rating > 1").value == .bools([true, false]))
    let scaled = try found("size", "row.width*100/row.height,100")
    #expect(scaled.value == sizes((100, 100), (200, 100)))
    #expect(
      scaled.notes.count == 1 && scaled.notes[0].hasPrefix("t.csv: columns rating and a.b left"))
    #expect(
      try found("size", "5x5").notes.first
        == "--item size replaces the columns width and height of t.csv")
    for (value, part) in [
      (
        "height",
        "the height of the bounds and a column of t.csv; write layout.height or row.height"
      ),
      ("row.with", "t.csv has no column \"with\"; did you mean width?"),
      ("row.id", "t.csv line 3: id is \"y\"; expected a number"),
      ("row.", "ends too early; expected a name"), ("layout.rating", "\"rating\" is unknown"),
    ] {
      let error = message { _ = try found("weight", value) }
      #expect(error.contains(part), "\(error)")
    }
    var plain = Scenario()
    plain.itemValues["weight"] = JSONNode(text: "row.width", source: "--item weight")
    #expect(message { _ = try plain.resolved(for: [Fixture.base]) }.contains("are from none"))
    plain.itemValues = [:]
    plain.parameters["spacing"] = JSONNode(text: "row.width", source: "--set spacing")
    let layout = message { _ = try Expression("row.width", scope: .layout) }
    #expect(layout.contains("row has no meaning for the whole layout"))
  }

  @Test("a table of paths is a tree of its folders, each with what its items leave of it")
  func trees() throws {
    // As from du: src has 10, including 3 and 5; doc has no row.
    let disk = try table(
      "path,bytes,age\n./p,14,1\n./p/src,10,2\n./p/src/a.c,3,3\n./p/src/b.c,5,4\n./p/doc/x.md,4,5\n"
    )
    let tree = try #require(try disk.tree())
    #expect(tree.itemCounts == [5])
    #expect(tree.labels == ["src", "doc", "b.c", "a.c", "x.md"])
    #expect(tree.texts(of: "parent") == ["-1", "-1", "0", "0", "1"])
    #expect(tree.texts(of: "weight") == ["2", "0", "5", "3", "4"])
    #expect(tree.texts(of: "bytes") == ["10", "4", "5", "3", "4"])
    #expect(tree.texts(of: "age") == ["2", "", "4", "3", "5"])
    let weight = Fixture.value("weight", .number, .item)
    let bound = try tree.bound(to: [weight, Fixture.value("parent", .number, .item)])
    #expect(bound.columns["weight"] == .numbers([2, 0, 5, 3, 4]))
    #expect(bound.notes(using: ["age"]).isEmpty)
    // As from find: a folder's size excludes its contents.
    let found = try #require(try table("path,size\nsrc,4\nsrc/a,9\nsrc/a,1\nb,2\n").tree())
    #expect(found.labels == ["src", "b", "a"])
    #expect(found.texts(of: "weight") == ["4", "2", "10"])
    #expect(try table("path\na/b\na/c\n").tree()?.texts(of: "weight") == ["1", "1"])
    for text in ["label\na\n", "path,parent\na,-1\n", "path,section\na,0\nb,1\n"] {
      #expect(try table(text).tree() == nil)
    }
    #expect(throws: HostError.self) { try self.table("path,bytes\na,many\n").tree() }
  }

  @Test(
    "tabs, semicolons and bars separate where a header has no comma, and tabs in a .tsv file",
    arguments: [
      ("label\twidth\theight\na, b\t1\t2\n", "t.csv"), ("label;width;height\r\na, b;1;2", "t.csv"),
      ("\"label\";\"width\";\"height\"\n\"a, b\";\"1\";\"2\"\n", "t.csv"),
      ("\u{FEFF}\"label\"|width|height\n\"a, b\"|1|2\n", "t"),
      ("label|width|height\n\"a, b\"|1|2\n", "t"), ("label\twidth\theight\na, b\t1\t2\n", "T.TSV"),
    ])
  func separators(text: String, name: String) throws {
    #expect(try columns(text, name) == ["size": sizes((1, 2))])
    #expect(try table(text, name).labels == ["a, b"])
    let comma = message { _ = try columns("weight\tspan\n1,5\t2\n") }
    #expect(comma == "t.csv line 2: weight is \"1,5\"; expected a number, with a point as in 1.5")
    #expect(try table("\"label\"\n\"a;b\"\n\"c|d\"\n").labels == ["a;b", "c|d"])
    #expect(try table("a,b\tc\nx\ty\n", "t.tsv").columns.map(\.name) == ["a,b", "c"])
  }

  @Test("short decimals are the nearest doubles")
  func decimals() throws {
    var generator = SeededGenerator(seed: 23)
    for round in 0..<200_000 {
      let digits = Int.random(in: 1...18, using: &generator)
      var text = (0..<digits).map { _ in "\(Int.random(in: 0...9, using: &generator))" }.joined()
      if round % 3 > 0 {
        let place = Int.random(in: 0...digits, using: &generator)
        text.insert(".", at: text.index(text.startIndex, offsetBy: place))
      }
      if round % 5 == 0 { text = "-" + text }
      let bytes = Array(text.utf8)
      let found = bytes.withUnsafeBufferPointer { bytes -> Double? in
        var position = 0
        let number = bytes.shortDecimal(at: &position)
        return position == bytes.count ? number : nil
      }
      guard let found else { continue }
      #expect(found.bitPattern == Double(text)?.bitPattern, "\(text)")
    }
  }
}
