import Testing

@testable import TesseraScenario

/// By the guide's rules for expressions.
@Suite struct ExpressionTests {
  static let viewport: ExpressionEnvironment = {
    var environment = ExpressionEnvironment()
    (environment.width, environment.height, environment.scale) = (375, 667, 2)
    (environment.sections, environment.section, environment.items) = (3, 1, 10)
    (environment.item, environment.index) = (4, 24)
    return environment
  }()

  func value(_ text: String) throws -> Double {
    try Expression(text, scope: .item).value(in: Self.viewport)
  }

  @Test(
    "numbers, operators and precedence",
    arguments: [
      ("1", 1), ("1.5", 1.5), (".5", 0.5), ("5.", 5), ("1e3", 1000), ("2.5E-1", 0.25),
      ("1e+2", 100),
      ("1+2*3", 7), ("(1+2)*3", 9), ("10-4-3", 3), ("100/10/5", 2), ("2*3%4", 2), ("7-6/2", 4),
      ("-2", -2), ("--2", 2), ("3--2", 5), ("-2*-3", 6), ("-(1+2)", -3), (" 1 +\t2 ", 3),
      ("0.1+0.2", 0.1 + 0.2), ("9007199254740993", 9_007_199_254_740_992),
    ] as [(String, Double)])
  func arithmetic(text: String, expected: Double) throws {
    #expect(try value(text) == expected)
  }

  @Test(
    "% is floored: it has the divisor's sign",
    arguments: [
      ("7%3", 1), ("-7%3", 2), ("7%-3", -2), ("-7%-3", -1), ("6%3", 0), ("-6%3", 0), ("5.5%2", 1.5),
      ("-0.5%2", 1.5), ("(width-2)%3", 1),
    ] as [(String, Double)])
  func modulo(text: String, expected: Double) throws {
    let found = try value(text)
    #expect(found == expected)
    #expect(found != 0 || found.sign == .plus)
  }

  @Test(
    "comparisons give 1 or 0 and bind looser than sums",
    arguments: [
      ("1<2", 1), ("2<1", 0), ("2<=2", 1), ("3<=2", 0), ("2>1", 1), ("1>=2", 0), ("1==1", 1),
      ("1!=1", 0), ("1+1==2", 1), ("(1<2)+(2<3)", 2), ("1<2?10:20", 10), ("1>2?10:20", 20),
      ("0?1:0?2:3", 3), ("1?0?1:2:3", 2), ("item%2==0?width:height", 375), ("1/0>1?5:6", 5),
      ("item==4?1:1/0", 1), ("0/0==0/0", 0), ("0/0!=0/0", 1),
    ] as [(String, Double)])
  func comparisons(text: String, expected: Double) throws {
    #expect(try value(text) == expected)
  }

  @Test(
    "functions",
    arguments: [
      ("floor(-1.5)", -2), ("ceil(-1.5)", -1), ("round(2.5)", 3), ("round(-2.5)", -2),
      ("round(-0.5)", 0), ("abs(-3)", 3), ("min(3,1,2)", 1), ("max(3, 1, 4, 2)", 4),
      ("sqrt(9)", 3), ("sin(0)", 0), ("cos(0)", 1), ("min(max(1,2),3)", 2),
      ("floor((width-2)/3)", 124), ("max(1,2)+max(3,4)", 6),
    ] as [(String, Double)])
  func functions(text: String, expected: Double) throws {
    #expect(try value(text) == expected)
  }

  @Test("noise has its published values and stays in [0, 1)")
  func noise() throws {
    #expect(try value("noise(0)") == 0.8833108082136426)
    #expect(try value("noise(-0)") == 0.8833108082136426)
    #expect(try value("noise(1)") == 0.5345422839126993)
    #expect(try value("noise(2)") == 0.002598817123781516)
    var evaluator = ExpressionEvaluator(try Expression("noise(item)", scope: .item))
    var sum = 0.0
    for block in 0..<100 {
      var environment = ExpressionEnvironment()
      environment.item = Double(block * 256)
      #expect(evaluator.evaluate(environment, count: 256) == nil)
      for row in 0..<256 {
        #expect(evaluator[row] >= 0 && evaluator[row] < 1)
        sum += evaluator[row]
      }
    }
    #expect(abs(sum / 25_600 - 0.5) < 0.01)
  }

  @Test("a block has the values that its items have one by one")
  func blocks() throws {
    let texts = [
      "80 + noise(item) * 120", "item % 3 == 0 ? index : -item", "max(item, 100) / (section + 1)",
      "min(index, width, item * 7 % 13)", "item", "41",
    ]
    for text in texts {
      let expression = try Expression(text, scope: .item)
      var evaluator = ExpressionEvaluator(expression)
      #expect(evaluator.evaluate(Self.viewport, count: 256) == nil)
      for row in 0..<256 {
        var environment = Self.viewport
        environment.item += Double(row)
        environment.index += Double(row)
        #expect(try evaluator[row] == expression.value(in: environment), "\(text), row \(row)")
      }
    }
  }

  @Test(
    "a result that is not finite is told with its item",
    arguments: [
      ("1/item", "infinity", "for item 0 of section 2"),
      ("-1/item", "minus infinity", "for item 0 of section 2"),
      ("sqrt(item-1)", "no number", "for item 0 of section 2"),
      ("min(1, 0/0)", "no number", "finite"), ("max(0/0, 1)", "no number", "finite"),
      ("1/(section-2)", "infinity", "for section 2"), ("1%0", "no number", "finite"),
    ])
  func notFinite(text: String, found: String, place: String) throws {
    var environment = ExpressionEnvironment()
    environment.section = 2
    let expression = try Expression(text, scope: .item)
    let error = #expect(throws: HostError.self) { try expression.value(in: environment) }
    #expect(error?.kind == .invalidInput)
    #expect(error?.message.contains("\"\(text)\" gives \(found)") == true)
    #expect(error?.message.contains(place) == true)
  }
}
