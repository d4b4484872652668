import Foundation
import Testing
import UserNotifications

@Suite("texts that are looked up when they are shown")
struct LocalizedStringTests {
  private func localized(_ key: String, _ arguments: [Any]? = nil) -> String {
    NSString.localizedUserNotificationString(forKey: key, arguments: arguments)
  }

  private func resolve(_ text: String) -> String {
    LocalizedUserNotificationString.resolve(text) { "<\($0)\($1.map { "|\($0)" }.joined())>" }
  }

  @Test("a text carries its key and its arguments")
  func carrying() {
    #expect(resolve(localized("key")) == "<key>")
    #expect(resolve(localized("key", [])) == "<key>")
    #expect(resolve(localized("%@ of %@", ["a", 2])) == "<%@ of %@|a|2>")
    #expect(resolve(localized("key", [NSNumber(value: 5), NSString(string: "b")])) == "<key|5|b>")
    #expect(resolve(localized("", ["", ""])) == "<||>")
  }

  @Test("nothing is looked up before")
  func lateness() {
    #expect(localized("key") != "key")
    #expect(localized("key") == localized("key"))
    #expect(localized("key", ["a"]) != localized("key", ["b"]))
  }

  @Test("an argument may be such a text")
  func nesting() {
    #expect(resolve(localized("a", [localized("b", ["c", localized("d")]), "e"])) == "<a|<b|c|<d>>|e>")
  }

  @Test("inner texts are looked up first")
  func order() {
    var keys: [String] = []
    _ = LocalizedUserNotificationString.resolve(localized("a", [localized("b"), localized("c")])) { key, _ in
      keys.append(key)
      return key
    }
    #expect(keys == ["b", "c", "a"])
  }

  @Test("what is found is not looked up again")
  func foundText() {
    var count = 0
    let found = localized("again")
    let text = LocalizedUserNotificationString.resolve(localized("key")) { _, _ in
      count += 1
      return found
    }
    #expect(text == found)
    #expect(count == 1)
  }

  @Test("nesting ends at four, beyond which an argument becomes plain")
  func depth() {
    let four = localized("1", [localized("2", [localized("3", [localized("4")])])])
    #expect(resolve(four) == "<1|<2|<3|<4>>>>")
    #expect(resolve(localized("0", [four])) == "<0|1234>")
  }

  @Test("a text built too deep by hand is left as it is")
  func foreignDepth() {
    let nested = String(repeating: "\u{F0001}k\u{F0002}", count: 100_000)
    let text = nested + String(repeating: "\u{F0003}", count: 100_000)
    #expect(resolve(text) == text)
  }

  @Test("the marks are dropped from keys and plain arguments")
  func marks() {
    #expect(resolve(localized("a\u{F0001}b\u{F0002}c\u{F0003}", ["\u{F0003}d\u{F0001}"])) == "<abc|d>")
    #expect(resolve(localized("a", ["x" + localized("b")])) == "<a|xb>")
  }

  @Test(
    "anything else means what it says",
    arguments: [
      "", "plain", "\u{F0001}", "\u{F0002}", "\u{F0003}", "\u{F0001}key", "\u{F0001}key\u{F0002}",
      "key\u{F0003}", "\u{F0001}a\u{F0003}b", "x\u{F0001}a\u{F0003}",
      "\u{F0001}a\u{F0001}b\u{F0003}\u{F0003}",
      "\u{F0001}a\u{F0002}\u{F0001}b\u{F0003}", "\u{F0001}a\u{F0002}\u{F0001}b\u{F0003}c\u{F0003}",
      "\u{F0001}a\u{F0003}\u{F0003}", "\u{F0001}a\u{F0003}\u{F0001}b\u{F0003}",
    ])
  func garbage(text: String) {
    #expect(resolve(text) == text)
  }

  @Test("scalars that combine with a mark stay where they are")
  func combiningCharacters() {
    #expect(resolve(localized("\u{301}e", ["\u{200D}👍"])) == "<\u{301}e|\u{200D}👍>")
  }
}
