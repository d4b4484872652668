import Foundation
import TestSupport
import Testing

@Suite("Texts by key, as a phone would show them", .serialized)
struct SimulateStringsTests {
  private static let payload =
    #"{"aps":{"alert":{"title-loc-key":"TITLE","loc-key":"NEW","loc-args":["Ada","Grace"]}}}"#
  private static let catalog = #"""
    {"version":"1.0","sourceLanguage":"en","strings":{
    "TITLE":{"localizations":{"en":{"stringUnit":{"value":"Title"}},"de":{"stringUnit":{"value":"Titel"}}}},
    "NEW":{"localizations":{"en":{"stringUnit":{"value":"%2$@, then %1$@"}}}}}}
    """#

  private func shown(_ pair: Pair, _ options: String = "", _ payload: String = payload) async throws
    -> [String]
  {
    let line = "\(pair.simulate) --json --now \(start) \(options)"
    let shown = try await pair.tool.succeed(line, input: .text(payload)).json(Simulated.self).shown
    return [shown.title, shown.body]
  }

  @Test func withoutTextsKeysShow() async throws {
    let pair = try await Pair()
    #expect(try await shown(pair) == ["TITLE", "NEW"])
  }

  @Test(arguments: ["app.strings", "compiled.strings"]) func theAppsTexts(file: String) async throws {
    let pair = try await Pair()
    let texts = ["TITLE": "A title", "NEW": "%@ & %@"]
    let compiled = try PropertyListSerialization.data(fromPropertyList: texts, format: .binary, options: 0)
    try pair.tool.write([UInt8](compiled), to: "compiled.strings")
    try pair.tool.write(#""TITLE" = "A title"; "NEW" = "%@ & %@";"#, to: "app.strings")
    #expect(try await shown(pair, "--strings \(file)") == ["A title", "Ada & Grace"])
  }

  @Test(arguments: [
    ("", ["Title", "Grace, then Ada"]), ("--language de", ["Titel", "Grace, then Ada"]),
    ("--language fr,de-AT", ["Titel", "Grace, then Ada"]), ("--language fr", ["Title", "Grace, then Ada"]),
  ])
  func theLanguageOfACatalog(options: String, texts: [String]) async throws {
    let pair = try await Pair()
    try pair.tool.write(Self.catalog, to: "Localizable.xcstrings")
    #expect(try await shown(pair, "--strings Localizable.xcstrings \(options)") == texts)
  }

  @Test func aKeyWithoutATextShowsItselfWithItsArguments() async throws {
    let pair = try await Pair()
    try pair.tool.write(#""OTHER" = "Other";"#, to: "app.strings")
    let payload = #"{"aps":{"alert":{"title-loc-key":"TITLE","loc-key":"%@ says hi","loc-args":["Ada"]}}}"#
    for options in ["", "--strings app.strings"] {
      #expect(try await shown(pair, options, payload) == ["TITLE", "Ada says hi"])
    }
  }

  @Test func sealedTextsAndThePlaceholdersTitle() async throws {
    let pair = try await Pair()
    try pair.tool.write(#""TITLE" = "A title"; "NEW" = "%@ & %@";"#, to: "app.strings")
    let sealed = try await pair.tool.succeed("\(pair.seal) --now \(start)", input: .text(Self.payload)).text
    #expect(try await shown(pair, "--strings app.strings", sealed) == ["A title", "Ada & Grace"])
    let unsealed = #"{"aps":{"alert":{"title-loc-key":"TITLE"},"mutable-content":1}}"#
    #expect(try await shown(pair, "--strings app.strings", unsealed) == ["A title", "(Encrypted)"])
    #expect(try await shown(pair, "", unsealed) == ["TITLE", "(Encrypted)"])
  }

  /// Files that are wrong, and what the error says after the file's name.
  private static let faults: [(name: String, text: String, message: String)] = [
    ("a.strings", "\"K\" = \"T\"\n", ", line 1: a semicolon is missing"),
    ("a.strings", "\n\"K\" = \"T", ", line 2: what begins here has no end"),
    ("a.strings", catalog, ", line 1: this is not an entry of a .strings file"),
    ("a.strings", #""K" = "\u00e9";"#, ", line 1: the backslash does not begin a valid escape"),
    ("a.strings", "<?xml version=\"1.0\"?><plist/>", ": it is an XML property list"),
    ("a.strings", "bplist00", ": it is not a property list that has only texts"),
    ("a.xcstrings", "{\n\"version\":", ", line 2: not strict JSON: unexpected-end"),
    ("a.xcstrings", "{}", ": it is not a String Catalog of version 1"),
    ("a.xcstrings", #"{"version":"1.0"}"#, ": it is not a String Catalog: 'sourceLanguage' or 'strings'"),
    (
      "a.xcstrings", #"{"version":"1.0","sourceLanguage":"en","strings":{"K":7}}"#,
      ": the entry 'K' is malformed"
    ),
  ]

  @Test func filesThatAreWrong() async throws {
    let pair = try await Pair()
    for fault in Self.faults {
      try pair.tool.write(fault.text, to: fault.name)
      let line = "\(pair.simulate) --strings \(fault.name)"
      let run = try await pair.tool.refuse(line, 65, fault.name + fault.message, input: .text(Self.payload))
      #expect(run.errors.utf8.count < 300)
    }
    try pair.tool.write([0xff, 0x22], to: "a.strings")
    let line = "\(pair.simulate) --strings a.strings"
    try await pair.tool.refuse(line, 65, "neither UTF-8 nor UTF-16", input: .text(Self.payload))
  }

  @Test func aLongKeyIsShortened() async throws {
    let pair = try await Pair()
    let key = String(repeating: "k", count: 100_000)
    let text = #"{"version":"1.0","sourceLanguage":"en","strings":{"\#(key)":7}}"#
    try pair.tool.write(text, to: "a.xcstrings")
    let run = try await pair.tool.refuse("\(pair.simulate) --strings a.xcstrings", 65, "is malformed")
    #expect(run.errors.utf8.count < 300)
  }

  @Test func filesThatAreNotThereOrTooLarge() async throws {
    let pair = try await Pair()
    let line = "\(pair.simulate) --strings"
    try await pair.tool.refuse("\(line) nowhere.strings", 66, "cannot read nowhere.strings")
    try await pair.tool.refuse("\(line) .", 66, "cannot read .")
    try await pair.tool.refuse("\(line) /dev/zero", 65, "more than 4194304 bytes")
    // Longer than a payload may be, and not too long for texts.
    let comment = "/*" + String(repeating: " ", count: 4_194_304 - 30) + "*/"
    try pair.tool.write(comment + #""TITLE"="t";"NEW"="n";"#, to: "long.strings")
    #expect(try await shown(pair, "--strings long.strings") == ["t", "n"])
    try pair.tool.write(comment + #""TITLE"="t";"NEW"="n";"# + "        ", to: "long.strings")
    try await pair.tool.refuse("\(line) long.strings", 65, "more than 4194304 bytes")
  }

  @Test(arguments: ["device.jwks", "keys.xcstrings"]) func aPrivateKeyIsNotShown(file: String) async throws {
    let pair = try await Pair()
    let keys = try pair.tool.contents("device.jwks")
    try pair.tool.write(keys, to: "keys.xcstrings")
    let run = try await pair.tool.refuse("\(pair.simulate) --strings \(file)", 65, file)
    let text = String(decoding: keys, as: UTF8.self)
    let secret = try #require(text.firstMatch(of: /"d":"([^"]+)"/)).1
    #expect(!run.errors.contains(secret))
  }
}
