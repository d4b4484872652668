import Foundation
import Glibc
import TestSupport
import Testing

@testable import PushCommands

@Suite("The progress of many messages", .serialized, .hangGuard)
struct ProgressTests {
  private static let size: Int64 = 1_000_000

  private func text(
    _ elapsed: Duration = .seconds(10), start: Int64 = 0, position: Int64 = 250_000, size: Int64? = size
  ) -> String {
    ProgressLine(
      elapsed: elapsed, lines: 1000, failures: 2, start: start, position: position, size: size
    ).text
  }

  @Test func theLineOfAFile() {
    #expect(text() == "[######..................] 25 %  1000 lines  100/s  2 failed  30 s left")
  }

  @Test func theLineOfAPipe() {
    #expect(text(size: nil) == "1000 lines  100/s  2 failed")
    #expect(text(position: 0, size: 0) == "1000 lines  100/s  2 failed")
  }

  @Test func theEndsOfTheBar() {
    #expect(text(position: 0) == "[........................] 0 %  1000 lines  100/s  2 failed")
    let full = "[########################] 100 %  1000 lines  100/s  2 failed  0 s left"
    #expect(text(position: Self.size) == full)
    // A file that grows meanwhile.
    #expect(text(position: Self.size + 1) == full)
  }

  @Test func noTimeHasPassed() {
    #expect(text(.zero) == "[######..................] 25 %  1000 lines  0/s  2 failed")
    #expect(text(.zero, size: nil) == "1000 lines  0/s  2 failed")
  }

  @Test func whatWasSkippedTookNoTime() {
    #expect(text(start: 200_000).hasSuffix("25 %  1000 lines  100/s  2 failed  2 min left"))
    #expect(text(start: 250_000).hasSuffix("25 %  1000 lines  100/s  2 failed"))
  }

  @Test func longTimes() {
    let times = [
      (20, "60 s"), (39, "117 s"), (40, "2 min"), (2399, "119 min"), (2400, "2 h"), (360_000, "300 h"),
    ]
    for (seconds, left) in times { #expect(text(.seconds(seconds)).hasSuffix("  \(left) left")) }
  }

  @Test func numbersBeyondAllMeasure() {
    let left = text(.seconds(1 << 60), position: 1, size: .max)
    #expect(left.hasSuffix("0/s  2 failed  \(Int.max) h left"))
    let rate = ProgressLine(
      elapsed: Duration(secondsComponent: 0, attosecondsComponent: 1), lines: .max, failures: 0, start: 0,
      position: .max, size: .max)
    #expect(rate.text.contains("\(Int.max)/s"))
  }
}
