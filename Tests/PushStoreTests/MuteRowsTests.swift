import PushCore
import PushEnrolment
import PushStore
import StoreSupport
import TestSupport
import Testing

@Suite("What a store gives shows neither a text nor a person", .hangGuard)
struct MuteRowsTests {
  private static let person = "ada-lovelace"

  private func expectMute(_ values: [Any], about secrets: [String]) {
    for value in values {
      for shown in logged(value) {
        #expect(!secrets.contains(where: shown.contains), "\(type(of: value)): \(shown)")
      }
    }
  }

  @Test func jobs() async throws {
    let store = MemoryStore()
    let job = try Job(.lunch, to: Self.person)
    let ids = await store.enqueue([job])
    let leased = await store.lease(atMost: 1, for: .seconds(60), senders: [])
    await store.discard([JobDiscard(leased[0].lease, reason: "expired")])
    let letter = try #require(await store.deadLetters(after: nil, atMost: 1).first)
    expectMute([job, leased[0], letter], about: ["Lunch", Self.person])
    #expect("\(job)" == "job \(job.messageID.text), \(job.payload.encoded().count) bytes")
    #expect("\(letter)" == "dead letter \(ids[0]): expired")
  }

  @Test func devices() async throws {
    let store = MemoryStore()
    let name = "\(Self.person)'s phone"
    var phone = Phone(name, token: 1)
    let enrolment = try phone.enrolment()
    let asked = try await store.accept(enrolment, as: name, person: Self.person, mayBeNew: true).get()
    _ = try await store.accept(phone.answer(#require(asked.pending)), as: name, mayBeNew: false).get()
    let device = try #require(await store.devices(of: [Self.person])[0].first)
    let registration = try #require(await store.registration(named: name))
    let row = EnrolmentRow(columns: [
      .registration: Array(name.utf8), .person: Array(Self.person.utf8), .body: enrolment.encoded(),
    ])
    let values: [Any] = [
      device, device.device, registration, registration.registration, try row.request(), enrolment,
    ]
    expectMute(values, about: [Self.person, enrolment.signedKeys])
    #expect("\(device)" == "device \(device.identity.text)")
    #expect("\(enrolment)" == "enrolment of identity \(device.identity.text), serial \(enrolment.serial)")
  }
}
