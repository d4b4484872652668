import Foundation
import PushCore
import Testing

struct MessageIDTests {
  private static let lowerCase = "10111213-1415-1617-1819-1a1b1c1d1e1f"

  @Test("the text is a UUID's in lower case")
  func text() throws {
    #expect(Sample.messageID.text == Self.lowerCase)
    #expect(try MessageID(Self.lowerCase) == Sample.messageID)
  }

  @Test(
    "upper and mixed case are read",
    arguments: [lowerCase.uppercased(), "10111213-1415-1617-1819-1A1b1C1d1E1f"])
  func upperCase(text: String) throws {
    #expect(try MessageID(text) == Sample.messageID)
  }

  @Test(
    "any other text is refused",
    arguments: [
      "", "10111213141516171819-1a1b1c1d1e1f", "101112131415161718191a1b1c1d1e1f", lowerCase + "0",
      String(lowerCase.dropLast()),
      "1011121-31415-1617-1819-1a1b1c1d1e1f", "10111213-14151617--1819-1a1b1c1d1e1f",
      "10111213_1415-1617-1819-1a1b1c1d1e1f", "{0111213-1415-1617-1819-1a1b1c1d1e1}",
      "1011121g-1415-1617-1819-1a1b1c1d1e1f", "-0111213-1415-1617-1819-1a1b1c1d1e1f",
      "10111213-1415-1617-1819-1a1b1c1d1e1\0", "1011121é1415-1617-1819-1a1b1c1d1e1f",
      " 0111213-1415-1617-1819-1a1b1c1d1e1f",
    ])
  func otherTexts(text: String) {
    #expect(throws: ValueError.self) { try MessageID(text) }
  }

  @Test("it has 16 bytes", arguments: [0, 15, 17, 36])
  func size(count: Int) {
    #expect(MessageID([UInt8](repeating: 1, count: count)) == nil)
  }

  @Test("any UUID text of Foundation's is read, and written back unchanged")
  func foundation() {
    for _ in 0..<100 {
      let text = UUID().uuidString
      #expect((try? MessageID(text))?.text == text.lowercased())
    }
  }

  @Test("a random one has version 4 and the variant of RFC 9562, and does not repeat")
  func random() {
    let messageIDs = (0..<1000).map { _ in MessageID.random() }
    #expect(Set(messageIDs).count == 1000)
    #expect(messageIDs.allSatisfy { $0.bytes.count == 16 && $0.bytes[6] >> 4 == 4 && $0.bytes[8] >> 6 == 2 })
    let first = messageIDs[0].bytes
    for index in 0..<16 { #expect(messageIDs.contains { $0.bytes[index] != first[index] }, "byte \(index)") }
  }

  /// Numbers are drawn from the system several at a time; a forked process must not use its parent's.
  @Test("a forked process draws other IDs than its parent")
  func fork() throws {
    #if canImport(Glibc)
      typealias Fork = @convention(c) () -> pid_t
      let fork = unsafe unsafeBitCast(dlsym(nil, "fork"), to: Fork.self)
      _ = MessageID.random()  // draws the numbers that both processes would share
      // Several, because other tests may use some of the parent's numbers meanwhile.
      let count = 8
      var ends: [CInt] = [0, 0]
      try #require(unsafe pipe(&ends) == 0)
      let child = fork()
      if child == 0 {
        let bytes = (0..<count).flatMap { _ in MessageID.random().bytes }
        let written = unsafe write(ends[1], bytes, bytes.count)
        _exit(written == bytes.count ? 0 : 1)
      }
      try #require(child > 0)
      close(ends[1])
      var bytes = [UInt8](repeating: 0, count: count * MessageID.size)
      let readCount = unsafe read(ends[0], &bytes, bytes.count)
      close(ends[0])
      var status: CInt = 0
      unsafe waitpid(child, &status, 0)
      try #require(readCount == bytes.count)
      let childs = Set(
        stride(from: 0, to: bytes.count, by: MessageID.size).map { Array(bytes[$0..<$0 + MessageID.size]) })
      #expect(childs.isDisjoint(with: (0..<count).map { _ in MessageID.random().bytes }))
    #endif
  }
}
