import Foundation
import PushCore
import Testing

struct ClaimsTests {
  private static let issuedAt: Int64 = 1_700_000_000
  private static let last: Int64 = 1 << 53 - 1

  private func time(_ seconds: Int64) -> UnixTime { UnixTime(seconds: seconds)! }

  @Test("a message expires 300 seconds after its lifetime", arguments: [0, 1, 3600, 2_592_000] as [Int64])
  func expiry(lifetime: Int64) {
    let claims = Sample.claims(issuedAt: Self.issuedAt, lifetime: lifetime)
    let end = Self.issuedAt + lifetime + 300
    #expect(claims.expiresAt.seconds == Self.issuedAt + lifetime)
    #expect(!claims.isExpired(at: time(end - 1)))
    #expect(!claims.isExpired(at: time(end)))
    #expect(claims.isExpired(at: time(end + 1)))
    #expect(claims.isExpired(at: time(Self.last)))
    #expect(!claims.isExpired(at: time(0)))
  }

  @Test("a message is valid from 300 seconds before it was issued")
  func notYetValid() {
    let claims = Sample.claims(issuedAt: Self.issuedAt, lifetime: 0)
    let start = Self.issuedAt - 300
    #expect(claims.isNotYetValid(at: time(start - 1)))
    #expect(!claims.isNotYetValid(at: time(start)))
    #expect(!claims.isNotYetValid(at: time(start + 1)))
    #expect(claims.isNotYetValid(at: time(0)))
    #expect(!claims.isNotYetValid(at: time(Self.last)))
  }

  @Test("times near the end of the range do not overflow", arguments: [0, 2_592_000] as [Int64])
  func lastMoments(lifetime: Int64) {
    let claims = Sample.claims(issuedAt: Self.last, lifetime: lifetime)
    #expect(claims.expiresAt.seconds == Self.last)
    #expect(!claims.isExpired(at: time(Self.last)))
    #expect(!claims.isNotYetValid(at: time(Self.last)))
    #expect(!claims.isNotYetValid(at: time(Self.last - 300)))
    #expect(claims.isNotYetValid(at: time(Self.last - 301)))
    let early = Sample.claims(issuedAt: Self.last - 301 - lifetime, lifetime: lifetime)
    #expect(!early.isExpired(at: time(Self.last - 1)))
    #expect(early.isExpired(at: time(Self.last)))
  }

  @Test("a lifetime is from 0 to 30 days")
  func lifetimes() {
    #expect(Lifetime(seconds: 0) == .zero)
    #expect(Lifetime(seconds: 2_592_000) == .maximum)
    #expect(Lifetime(seconds: 1)?.seconds == 1)
    for seconds in [-1, 2_592_001, 1 << 32, .min, .max] as [Int64] {
      #expect(Lifetime(seconds: seconds) == nil)
    }
  }

  @Test("a time is from 0 to 2^53 - 1")
  func times() {
    #expect(UnixTime(seconds: 0)?.seconds == 0)
    #expect(UnixTime(seconds: Self.last)?.seconds == Self.last)
    for seconds in [-1, Self.last + 1, .min, .max] { #expect(UnixTime(seconds: seconds) == nil) }
  }

  @Test(
    "a clock's time is clamped to the range",
    arguments: [
      (.min, 0), (-1, 0), (0, 0), (1, 1), (last, last), (last + 1, last), (.max, last),
    ] as [(Int64, Int64)])
  func clamping(seconds: Int64, clamped: Int64) {
    #expect(UnixTime(clamping: seconds).seconds == clamped)
  }

  @Test(
    "adding seconds stays in range",
    arguments: [
      (0, -1, 0), (5, -5, 0), (5, .min, 0), (5, 7, 12), (last, 1, last), (last, .max, last), (1, .max, last),
      (last, -1, last - 1),
    ] as [(Int64, Int64, Int64)])
  func advancing(start: Int64, seconds: Int64, end: Int64) {
    #expect(time(start).advanced(by: .seconds(seconds)).seconds == end)
  }

  @Test("times are ordered")
  func order() {
    #expect(time(1) < time(2))
    #expect(!(time(2) < time(2)))
    #expect(!(time(2) < time(1)))
  }

  @Test("the system's clock is Foundation's")
  func now() {
    let before = Int64(Date().timeIntervalSince1970)
    let now = UnixTime.now.seconds
    let after = Int64(Date().timeIntervalSince1970.rounded(.up))
    #expect((before...after).contains(now))
  }
}
