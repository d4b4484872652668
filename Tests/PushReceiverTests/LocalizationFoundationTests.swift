import Foundation
import PushReceiver
import PushTesting
import Testing

/// Foundation's own parser reads what is accepted here to the same texts.
struct LocalizationFoundationTests {
  static let files = [
    "/* Title */\n\"TITLE\" = \"%2$@ and %1$@\";\n\n// Body\n"
      + "\"BODY\" = \"Line\\nTwo \\\"q\\\" \\U00e9 \\Ud83d\\Ude00\";\n",
    "a.b_c-d/e:$f = v.al-ue_1/2:3$; 'q' = 'x\"y'; \"k\"; u;\r\n",
    "{ \"a\" = \"1\"; \"a\" = \"\\101\\0\\U41g\\%\\'\"; /* ** */ \"\" = \"\"; } // end",
    "\u{FEFF}\"é😀\" = \"Grüße\tx\ny\";",
  ]

  private func foundation(_ bytes: [UInt8]) throws -> StringTable {
    let list = try unsafe PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
    return try StringTable(StringTable.file(try #require(list as? [String: String])))
  }

  @Test("files", arguments: files)
  func good(file: String) throws {
    let bytes = Array(file.utf8)
    #expect(try StringTable(bytes: bytes) == foundation(bytes))
    for isBigEndian in [true, false] {
      let marked = "\u{FEFF}" + file.drop { $0 == "\u{FEFF}" }
      let bytes = marked.utf16Bytes(isBigEndian: isBigEndian)
      #expect(try StringTable(bytes: bytes) == foundation(bytes))
    }
  }

  @Test("compiled files", arguments: [3, 14, 15, 300, 20_000])
  func compiled(count: Int) throws {
    var texts = ["": "", "é😀": "Grüße", "same": "same", "long": String(repeating: "ü", count: 300)]
    for index in 0..<count { texts["k\(index)"] = "text \(index)" }
    let data = try PropertyListSerialization.data(fromPropertyList: texts, format: .binary, options: 0)
    #expect(try StringTable(bytes: Array(data)) == StringTable(StringTable.file(texts)))
  }

  @Test("mutations that are accepted", arguments: 0..<4 as Range<UInt64>)
  func mutations(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var accepted = 0
    for _ in 0..<1000 {
      var units = Array(Self.files[Int(seed)].unicodeScalars)
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let index = Int.random(in: units.indices, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: units.remove(at: index)
        case 1: units.swapAt(index, Int.random(in: units.indices, using: &generator))
        default:
          let characters = "\"\\;=*/U0a{} \n'".unicodeScalars
          units.insert(characters.randomElement(using: &generator) ?? " ", at: index)
        }
      }
      let bytes = units.flatMap { Array(String($0).utf8) }
      guard let table = try? StringTable(bytes: bytes) else { continue }
      accepted += 1
      #expect(try table == foundation(bytes), "\(String(decoding: bytes, as: UTF8.self))")
    }
    #expect(accepted > 100)
  }
}
