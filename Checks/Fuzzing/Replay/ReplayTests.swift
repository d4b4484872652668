import Foundation
import Testing

/// Replays every input of the corpus on its harness.
struct ReplayTests {
  private static let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Corpus")

  @Test("the kept inputs break no property", arguments: Harness.all.map(\.name))
  func replay(name: String) throws {
    let harness = try #require(Harness.all.first { $0.name == name })
    let folder = Self.corpus.appendingPathComponent(name)
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    #expect(files.count > 3)
    for file in files {
      let input = [UInt8](try Data(contentsOf: file))
      #expect(throws: Never.self, "\(name)/\(file.lastPathComponent)") { try harness.run(input) }
    }
    #expect(throws: Never.self) { try harness.run([]) }
  }

  @Test("a planted fault breaks its property")
  func planted() {
    let inputs = ["planted-property": "push", "planted-overflow": "o"]
    for harness in Harness.planted {
      let input = inputs[harness.name].map { Array($0.utf8) } ?? []
      if harness.name == "planted-property" {
        #expect(throws: BrokenProperty.self) { try harness.run(input) }
      } else {
        #expect(throws: Never.self) { try harness.run(input) }
      }
    }
  }
}
