import Foundation
import PushKeys
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("A passphrase", .hangGuard)
struct PassphraseTests {
  /// Reads from a pipe with this text, and returns what is left in it.
  private func read(_ text: String) throws -> (passphrase: Passphrase, rest: String) {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try pipe.fileHandleForWriting.close()
    let passphrase = try Passphrase(readingLineFrom: pipe.fileHandleForReading.fileDescriptor)
    let rest = try pipe.fileHandleForReading.readToEnd() ?? Data()
    return (passphrase, String(decoding: rest, as: UTF8.self))
  }

  @Test(arguments: [
    ("correct horse", ""), ("correct horse\n", ""), ("correct horse\r\n", ""),
    ("correct horse\nthe next\n", "the next\n"), ("correct horse\n\n", "\n"),
  ])
  func isALineWithoutItsEnd(text: String, rest: String) throws {
    let read = try read(text)
    #expect(read.passphrase.isSame(as: passphrase("correct horse")))
    #expect(read.rest == rest)
  }

  @Test(arguments: [" correct horse", "correct horse ", "correct\rhorse", "correct horse\r\r"])
  func isTheWholeLine(text: String) throws {
    let expected = text.hasSuffix("\r") ? String(text.dropLast()) : text
    #expect(try read(text + "\nrest").passphrase.isSame(as: passphrase(text)) == !text.hasSuffix("\r"))
    #expect(try read(text + "\nrest").passphrase.isSame(as: passphrase(expected)))
  }

  @Test(arguments: ["", "\n", "\r\n", "\ncorrect horse\n"]) func isNotEmpty(text: String) {
    #expect(throws: PassphraseError.empty) { try read(text) }
  }

  @Test(arguments: ["", "\n", "\r\n"]) func hasAtMost1024Bytes(end: String) throws {
    let longest = String(repeating: "x", count: 1024)
    #expect(try read(longest + end).passphrase.isSame(as: passphrase(longest)))
    #expect(throws: PassphraseError.tooLong) { try read(longest + "x" + end) }
    #expect(throws: PassphraseError.tooLong) { try read(longest + longest + end) }
  }

  @Test func isReadFromSomethingOpen() {
    #expect(throws: PassphraseError.system(errno: EBADF)) { try Passphrase(readingLineFrom: -1) }
  }

  @Test func isMadeOf1To1024Bytes() {
    #expect(Passphrase(copying: Span()) == nil)
    #expect(Passphrase(copying: [UInt8](repeating: 1, count: 1).span) != nil)
    #expect(Passphrase(copying: [UInt8](repeating: 1, count: 1024).span) != nil)
    #expect(Passphrase(copying: [UInt8](repeating: 1, count: 1025).span) == nil)
  }
}
