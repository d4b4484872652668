import PushCore
import Testing

/// What FCM carries, and the devices that get it.
@Suite struct FCMVectorTests {
  private let folder = VectorFolder()

  @Test func messages() async throws {
    try await VectorTests().expectOpened("fcm.json", "opened")
    try await VectorTests().expectDegraded(try folder.read("fcm.json", "degraded"), of: "fcm.json")
    let data = try folder.read("fcm.json", "data")
    #expect(data.count >= 8)
    try DataVectorTests().expectOutcomes(data)
  }

  @Test func devices() throws {
    let tests = SignedVectorTests()
    let (senders, enrolments) = (
      try folder.read("fcm.json", "senders"), try folder.read("fcm.json", "enrolments")
    )
    let registrations = try folder.read("fcm.json", "registrations")
    #expect(senders.count >= 3 && enrolments.count >= 60 && registrations.count >= 25)
    try tests.expectSenders(senders)
    try tests.expectEnrolments(enrolments)
    try tests.expectRegistrations(registrations)
  }

  /// A reader from before there was a `service` takes the members that an enrolment had then, and no others.
  @Test func olderReadersRefuseTheEnrolments() throws {
    let known: Set = ["v", "topic", "environment", "token", "keys"]
    for vector in try folder.read("fcm.json", "enrolments") where vector["expect"] == "accepted" {
      let enrolment = try folder.object(vector["enrolment"])
      let claims = try folder.object(vector["payload"])
      let isOfAPNs = enrolment["service"] == nil
      #expect((Set(enrolment.keys) == known) == isOfAPNs, "\(vector["id"] ?? "")")
      #expect((claims["environment"] != nil) == isOfAPNs, "\(vector["id"] ?? "")")
    }
  }
}
