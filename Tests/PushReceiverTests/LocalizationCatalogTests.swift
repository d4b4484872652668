import PushCore
import PushReceiver
import TestSupport
import Testing

/// A `.xcstrings` catalog.
struct LocalizationCatalogTests {
  private static func catalog(_ entry: String) -> String {
    #"{"sourceLanguage":"en","strings":{"K":\#(entry)},"version":"1.0"}"#
  }

  private static func unit(_ text: String) -> String {
    #"{"stringUnit":{"state":"translated","value":"\#(text)"}}"#
  }

  private static func entry(_ languages: String...) -> String {
    let members = languages.map { #""\#($0)":\#(unit($0))"# }
    return #"{"comment":"c","localizations":{\#(members.joined(separator: ","))}}"#
  }

  private func text(_ entry: String, _ languages: String...) throws -> String? {
    let bytes = Array(Self.catalog(entry).utf8)
    return try StringTable(catalog: bytes.span, languages: languages).format(forKey: "K")
  }

  @Test("both forms give one table")
  func same() throws {
    let catalog = """
      {
        "sourceLanguage" : "en",
        "strings" : {
          "" : {

          },
          "Hello" : { "extractionState" : "manual" },
          "LUNCH" : {
            "localizations" : {
              "de" : { "stringUnit" : { "state" : "translated", "value" : "Mittag um %@ \\"😀\\"" } },
              "en" : { "stringUnit" : { "state" : "new", "value" : "Lunch at %@" } }
            }
          }
        },
        "version" : "1.0"
      }
      """
    #expect(
      try StringTable(catalog: catalog, "de")
        == StringTable(#"LUNCH = "Mittag um %@ \"😀\""; "Hello" = "Hello"; "";"#))
    #expect(
      try StringTable(catalog: catalog, "fr")
        == StringTable(#"LUNCH = "Lunch at %@"; "Hello" = "Hello"; "" = "";"#))
    let german = try StringTable(catalog: catalog, "de")
    #expect(german.text(forKey: "LUNCH", arguments: ["1"]) == "Mittag um 1 \"😀\"")
  }

  @Test(
    "the language",
    arguments: [
      (["de"], "de"), (["de-AT"], "de"), (["de-Latn-AT"], "de"), (["DE_at"], "de"), (["fr", "de"], "fr"),
      (["xx", "de"], "de"), (["pt-BR"], "pt_BR"), (["PT_br"], "pt_BR"), (["pt"], "en"), (["pt-PT"], "en"),
      (["zh-Hant-TW"], "zh-Hant"), (["zh-Hans-CN"], "en"), (["fr-CA"], "fr"), (["fr-CH"], "fr-CH"),
      (["fr-CH-x"], "fr-CH"), (["fr-CA", "fr-CH"], "fr"), ([], "en"), (["xx"], "en"), ([""], "en"),
      (["-"], "en"),
      (["d"], "en"), (["dee"], "en"), (["xx", "en", "de"], "en"), (["en-GB", "de"], "en"),
    ] as [([String], String)])
  func language(preferred: [String], chosen: String) throws {
    let bytes = Array(Self.catalog(Self.entry("de", "fr", "pt_BR", "zh-Hant", "fr-CH", "en")).utf8)
    let table = try StringTable(catalog: bytes.span, languages: preferred)
    #expect(table.format(forKey: "K") == chosen)
  }

  @Test(
    "a key without a text in any of the languages is its own",
    arguments: ["{}", #"{"localizations":{}}"#, entry("de"), #"{"localizations":{"en":{}}}"#])
  func ownText(entry: String) throws {
    #expect(try text(entry, "fr") == "K")
  }

  @Test("such a key takes arguments, for it is a text")
  func ownFormat() throws {
    let table = try StringTable(catalog: #"{"sourceLanguage":"en","strings":{"Hi %@":{}},"version":"1.1"}"#)
    #expect(table.text(forKey: "Hi %@", arguments: ["A"]) == "Hi A")
  }

  @Test("the source language is looked for as the others are")
  func sourceLanguage() throws {
    let file = #"{"sourceLanguage":"en-GB","strings":{"K":\#(Self.entry("fr", "EN"))},"version":"1.0"}"#
    #expect(try StringTable(catalog: file, "xx").format(forKey: "K") == "EN")
  }

  @Test(
    "variations",
    arguments: [
      (#"{"plural":{"one":\#(unit("1")),"other":\#(unit("n"))}}"#, "n"),
      (#"{"device":{"mac":\#(unit("m")),"iphone":\#(unit("i")),"other":\#(unit("o"))}}"#, "i"),
      (#"{"device":{"mac":\#(unit("m")),"other":\#(unit("o"))}}"#, "o"),
      (#"{"device":{"iphone":{"variations":{"plural":{"other":\#(unit("n"))}}}}}"#, "n"),
      (#"{"plural":{"one":\#(unit("1"))}}"#, "en"), (#"{"device":{"mac":\#(unit("m"))}}"#, "en"),
      (#"{"width":{"1":\#(unit("w"))}}"#, "en"), ("{}", "en"),
    ])
  func variations(variations: String, chosen: String) throws {
    let entry = #"{"localizations":{"de":{"variations":\#(variations)},"en":\#(Self.unit("en"))}}"#
    #expect(try text(entry, "de") == chosen)
  }

  @Test("substitutions stay as they stand")
  func substitutions() throws {
    let entry =
      #"{"localizations":{"de":{"stringUnit":{"state":"translated","value":"%@: %#@n@"},"#
      + #""substitutions":{"n":{"argNum":1,"formatSpecifier":"lld","variations":{"plural":{"other":"#
      + #"{"stringUnit":{"state":"translated","value":"%arg x"}}}}}}}}}"#
    let table = try StringTable(catalog: Self.catalog(entry), "de")
    #expect(table.text(forKey: "K", arguments: ["A"]) == "A: %#@n@")
  }

  @Test("a version", arguments: ["1.0", "1.1", "1.23"])
  func version(version: String) throws {
    let file = #"{"sourceLanguage":"en","strings":{},"version":"\#(version)"}"#
    #expect(try StringTable(catalog: file) == StringTable(""))
  }

  @Test("another version", arguments: [#""2.0""#, #""1""#, #""1.""#, #""1.x""#, #""11.0""#, "1.0", "null"])
  func otherVersion(version: String) {
    let file = #"{"sourceLanguage":"en","strings":{},"version":\#(version)}"#
    #expect(throws: StringTableError.unsupportedVersion) { try StringTable(catalog: file) }
  }

  @Test(
    "no catalog",
    arguments: [
      ("{}", .unsupportedVersion), (#"{"version":"1.0","strings":{}}"#, .malformedCatalog),
      (#"{"version":"1.0","sourceLanguage":"en"}"#, .malformedCatalog),
      (#"{"version":"1.0","sourceLanguage":1,"strings":{}}"#, .malformedCatalog),
      (#"{"version":"1.0","sourceLanguage":"en","strings":[]}"#, .malformedCatalog),
      ("", .json(.unexpectedEnd, line: 1)), ("[]", .json(.notAnObject, line: 1)),
      ("{\n\"a\":1,\n\"a\":2}", .json(.duplicateKey, line: 3)), ("{}\n\n,", .json(.trailingBytes, line: 3)),
      (#""a" = "b";"#, .json(.notAnObject, line: 1)),
    ] as [(String, StringTableError)])
  func noCatalog(file: String, error: StringTableError) {
    #expect(throws: error) { try StringTable(catalog: file) }
  }

  @Test(
    "an entry of another type is named by its key",
    arguments: [
      "1", #""t""#, #"{"localizations":[]}"#, #"{"localizations":{"en":"t"}}"#,
      #"{"localizations":{"en":{"stringUnit":"t"}}}"#, #"{"localizations":{"en":{"stringUnit":{}}}}"#,
      #"{"localizations":{"en":{"stringUnit":{"value":1}}}}"#, #"{"localizations":{"en":{"variations":1}}}"#,
      #"{"localizations":{"en":{"variations":{"device":1}}}}"#,
      #"{"localizations":{"en":{"variations":{"plural":[]}}}}"#,
      #"{"localizations":{"en":{"variations":{"plural":{"other":1}}}}}"#,
    ])
  func malformedEntry(entry: String) {
    #expect(throws: StringTableError.malformedEntry(key: "K")) { try text(entry) }
  }

  @Test("a language's name of any length is looked for in no time", .hangGuard)
  func longName() throws {
    let name = String(repeating: "a-", count: 1_000_000)
    let file = #"{"sourceLanguage":"\#(name)","strings":{"K":\#(Self.entry("a"))},"version":"1.0"}"#
    #expect(try StringTable(catalog: file, name).format(forKey: "K") == "K")
  }
}
