import Foundation
import PushReceiver
import PushTesting
import TestSupport
import Testing

/// No file traps or hangs, whatever its bytes are.
@Suite(.hangGuard)
struct LocalizationMutationTests {
  private static let strings = Array(LocalizationFoundationTests.files.prefix(2).joined().utf8)
  private static let catalog = Array(
    (#"{"sourceLanguage":"en","strings":{"K":{"comment":"c","localizations":{"de":{"stringUnit":"#
      + #"{"state":"translated","value":"%@ é\n"}},"en-GB":{"variations":{"device":{"iphone":{"variations":"#
      + #"{"plural":{"other":{"stringUnit":{"value":"x"}}}}}}}}}},"L":{}},"version":"1.0"}"#).utf8)
  private static let compiled: [UInt8] = {
    let texts = ["a": "b", "é": "😀", "long": String(repeating: "x", count: 20), "": ""]
    let data = try? PropertyListSerialization.data(fromPropertyList: texts, format: .binary, options: 0)
    return Array(data ?? Data())
  }()
  private static let wide = String(decoding: strings, as: UTF8.self).utf16Bytes(isBigEndian: false)

  private func read(_ bytes: [UInt8]) -> Bool {
    let strings = try? StringTable(bytes: bytes)
    let catalog = try? StringTable(catalog: bytes.span, languages: ["de-AT", "en_GB"])
    for key in ["a", "K", "TITLE"] {
      _ = strings?.text(forKey: key, arguments: ["x"])
      _ = catalog?.text(forKey: key, arguments: ["x"])
    }
    return strings != nil || catalog != nil
  }

  @Test("every prefix")
  func prefixes() {
    for file in [Self.strings, Self.catalog, Self.compiled, Self.wide] {
      for count in 0...file.count { _ = read(Array(file.prefix(count))) }
    }
    #expect((1..<Self.catalog.count).allSatisfy { !read(Array(Self.catalog.prefix($0))) })
    #expect((8..<Self.compiled.count).allSatisfy { !read(Array(Self.compiled.prefix($0))) })
  }

  @Test("every flipped bit")
  func bits() {
    for file in [Self.strings, Self.catalog, Self.compiled] {
      var bytes = file
      for index in bytes.indices {
        for bit in 0..<8 {
          bytes[index] ^= 1 << bit
          _ = read(bytes)
          bytes[index] ^= 1 << bit
        }
      }
      #expect(bytes == file)
    }
  }

  @Test("10,000 mutations", arguments: 0..<4 as Range<UInt64>)
  func mutations(seed: UInt64) {
    let good = [Self.strings, Self.catalog, Self.compiled, Self.wide][Int(seed)]
    var generator = SeededGenerator(seed: seed)
    var accepted = 0
    for _ in 0..<2500 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let index = Int.random(in: bytes.indices, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(bytes.randomElement(using: &generator) ?? 0, at: index)
        default:
          let end = min(bytes.count, index + Int.random(in: 1...20, using: &generator))
          bytes.insert(contentsOf: bytes[index..<end], at: Int.random(in: bytes.indices, using: &generator))
        }
      }
      if read(bytes) { accepted += 1 }
    }
    #expect((1..<2500).contains(accepted))
  }
}
