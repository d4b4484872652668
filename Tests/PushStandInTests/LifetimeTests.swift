import PushStandIn
import PushTesting
import TestSupport
import Testing

/// How long a stand-in is in memory.
@Suite(.hangGuard) struct LifetimeTests {
  @Test("a stand-in that nobody holds is gone, with its phones and all that they got")
  func gone() async throws {
    weak var apns: APNsModel?
    weak var phone: StandInPhone?
    do {
      let stand = try Stand()
      let made = try stand.phone()
      (apns, phone) = (stand.apns, made)
      try await stand.send(stand.request("Lunch at noon?", to: made))
      #expect(try await made.shown.body == "Lunch at noon?")
    }
    try await HangGuard.wait(for: "the memory") { apns == nil && phone == nil }
  }

  @Test("a phone that nobody else holds stays as long as its stand-in")
  func stays() throws {
    let stand = try Stand()
    let token = try stand.phone().token
    #expect(stand.apns.phones.map(\.token) == [token])
  }

  @Test("a phone whose stand-in is gone can change its token, and lose its app")
  func outlives() throws {
    let phone = try Stand().phone()
    let old = phone.token
    #expect(phone.rotateToken() != old && phone.token != old)
    phone.deleteApp()
  }
}
