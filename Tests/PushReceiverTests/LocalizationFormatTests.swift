import PushCore
import PushReceiver
import Testing

/// A key becomes a text with its arguments, as on iOS.
struct LocalizationFormatTests {
  private struct OneText: LocalizedStrings {
    let text: String
    func format(forKey key: String) -> String? { key == "K" ? text : nil }
  }

  private func fill(_ format: String, _ arguments: [String]) -> String {
    OneText(text: format).text(forKey: "K", arguments: arguments)
  }

  @Test("Apple's example")
  func apple() {
    #expect(
      fill("%2$@ and %1$@ have invited you", ["Jenna", "Frank"]) == "Frank and Jenna have invited you")
  }

  @Test(
    "specifiers",
    arguments: [
      ("", ""), ("plain", "plain"), ("%@", "A"), ("%@%@", "AB"), ("%@ %@ é", "A B é"), ("%1$@%1$@", "AA"),
      ("%2$@ %@ %1$@ %@", "B A A B"), ("100%%", "100%"), ("%%@", "%@"), ("%%%@%%", "%A%"), ("%%%%", "%%"),
      ("%01$@", "A"), ("%1$@1", "A1"),
    ])
  func specifiers(format: String, text: String) {
    #expect(fill(format, ["A", "B"]) == text)
  }

  @Test(
    "what the arguments cannot fill stays",
    arguments: [
      "%", "a%", "%d", "%ld", "%lld", "%s", "%1$d", "%1$", "%1", "%$@", "%0$@", "%3$@", "%-1$@", "%+1$@",
      "% @", "%#@var@",
      "%arg", "%#", "%1$1$d", "%9223372036854775807$@", "%9223372036854775808$@",
      "%99999999999999999999999999999999999999$@",
    ])
  func left(format: String) {
    #expect(fill(format, ["A", "B"]) == format)
  }

  @Test("such a one takes no argument, and hides none")
  func leftAmongOthers() {
    #expect(fill("%d %@ %ld%@", ["A", "B"]) == "%d A %ldB")
    #expect(fill("%5%@", ["A"]) == "%5A")
    #expect(fill("%1$%1$@", ["A"]) == "%1$A")
    #expect(fill("%@ %@ %@", ["A", "B"]) == "A B %@")
    #expect(fill("%@", []) == "%@")
  }

  @Test("an argument is not read for specifiers, and one too many is not shown")
  func arguments() {
    #expect(fill("%@ %@", ["%@ %2$@ %%", "B"]) == "%@ %2$@ %% B")
    #expect(fill("%@", ["A", "B"]) == "A")
    #expect(fill("%@|%@", ["", "B"]) == "|B")
  }

  @Test("arguments add 64 KiB at most")
  func bound() {
    let half = String(repeating: "x", count: 32_768)
    #expect(fill("%1$@%1$@%1$@%2$@", [half, "y"]) == half + half + "%1$@%2$@")
    #expect(fill("%1$@%1$@", [half + "x"]) == half + "x%1$@")
  }

  @Test(
    "a key without a text is its own text",
    arguments: [
      ("X", "X"), ("", ""), ("%@ says hi", "A says hi"), ("%2$@ and %1$@", "B and A"), ("100%%", "100%"),
    ])
  func missing(key: String, text: String) {
    #expect(OneText(text: "t").text(forKey: key, arguments: ["A", "B"]) == text)
    #expect(NoStrings().text(forKey: key, arguments: ["A", "B"]) == text)
    #expect(NoStrings().format(forKey: key) == nil)
  }

  @Test("an empty text is a text")
  func empty() {
    #expect(fill("", ["A"]) == "")
  }

  @Test(
    "a line of an alert",
    arguments: [
      ("t", "K", ["A"], "t"), ("", "K", ["A", "B"], "A B"), (nil, "K", ["A", "B"], "A B"),
      (nil, "X", ["A"], "X"), (nil, "", [], ""), (nil, 1, [], ""), (nil, nil, ["A"], ""), ("", nil, nil, ""),
      ("t", nil, nil, "t"), (nil, "K", nil, "%@ %@"), (nil, "K", "A", "%@ %@"),
      (nil, "K", [1, -2.50], "1 -2.5"),
      (nil, "K", [true, "B"], " B"), (nil, "K", [.null, ["A"]], " "), ("", nil, ["A"], ""),
    ] as [(String?, JSONValue?, JSONValue?, String)])
  func line(literal: String?, key: JSONValue?, arguments: JSONValue?, text: String) {
    #expect(OneText(text: "%@ %@").text(literal: literal, key: key, arguments: arguments) == text)
  }

  @Test("a number is its digits, unchanged")
  func number() throws {
    let json = Array("[12345678901234567890,1.10]".utf8)
    let arguments = try JSONValue(parsing: json.span)
    #expect(
      OneText(text: "%@ %@").text(literal: nil, key: "K", arguments: arguments) == "12345678901234567890 1.10"
    )
  }
}
