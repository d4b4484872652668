import Foundation
import PushCore
import Testing

#if canImport(Glibc)
  import Glibc
#endif

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

  @Test(
    "a time-ordered one has version 7, the variant and the clock's milliseconds, and does not repeat"
  )
  func timeOrdered() {
    let clock = SystemClock()
    let before = Int64(clock.sinceEpoch / .milliseconds(1))
    let messageIDs = (0..<1000).map { _ in MessageID.timeOrdered(at: clock) }
    let after = Int64(clock.sinceEpoch / .milliseconds(1))
    #expect(Set(messageIDs).count == 1000)
    #expect(messageIDs.allSatisfy { $0.bytes[6] >> 4 == 7 && $0.bytes[8] >> 6 == 2 })
    let times = messageIDs.map { $0.bytes.prefix(6).reduce(0) { $0 << 8 | Int64($1) } }
    #expect(times.allSatisfy { before <= $0 && $0 <= after })
    let first = messageIDs[0].bytes
    for index in 7..<16 { #expect(messageIDs.contains { $0.bytes[index] != first[index] }, "byte \(index)") }
  }

  #if canImport(Glibc)
    /// Numbers are drawn from the system several at a time; a forked process must not use its parent's.
    @Test("a forked process draws other IDs than its parent")
    func fork() async {
      // In a process of its own, where no other thread has a lock that the forked one would wait for.
      await #expect(processExitsWith: .success) {
        // Swift hides fork(2), because little but system calls is safe after it.
        typealias Fork = @convention(c) () -> pid_t
        let fork = unsafe unsafeBitCast(dlsym(nil, "fork"), to: Fork.self)
        _ = MessageID.random()  // draws the numbers that both processes would share
        var ends: [CInt] = [0, 0]
        try #require(unsafe pipe(&ends) == 0)
        if fork() == 0 {
          alarm(20)
          let bytes = MessageID.random().bytes
          unsafe write(ends[1], bytes, bytes.count)
          _exit(0)
        }
        close(ends[1])
        var bytes = [UInt8](repeating: 0, count: MessageID.size)
        #expect(unsafe read(ends[0], &bytes, bytes.count) == bytes.count)
        #expect(bytes != MessageID.random().bytes)
      }
    }
  #endif
}
