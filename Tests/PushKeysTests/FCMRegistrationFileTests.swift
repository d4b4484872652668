import PushCore
import PushEnrolment
import PushKeys
import TestSupport
import Testing

@Suite("A file of registrations with devices of FCM")
struct FCMRegistrationFileTests {
  private let folder: TemporaryFolder
  private let address: FCMAddress
  private let now = UnixTime(clamping: 1_700_000_000)

  init() throws {
    folder = try TemporaryFolder()
    address = try FCMAddress(topic: Topic("com.example.my_app"), token: FCMToken("fX9:A"))
  }

  private func file(_ services: Set<PushService> = [.apns, .fcm]) -> RegistrationFile {
    RegistrationFile(path: folder.path(of: "registrations"), services: services)
  }

  private func enrolment() throws -> Enrolment {
    var keys = DeviceKeys(of: .x25519ChaChaPoly, at: now)
    return try keys.enrol(address: address, for: Signed.audience, at: now)
  }

  @Test("takes one, and is refused by who does not deliver through FCM") func services() throws {
    _ = try file().accept(enrolment(), as: "ada", mayBeNew: true).get()
    #expect(try file().load().all[0].enrolment.address == .fcm(address))
    #expect(
      throws: RegistrationFileError.line(1, .unsupportedService, path: folder.path(of: "registrations"))
    ) { try file([.apns]).load() }
  }

  @Test("of APNs alone takes none") func apnsAlone() throws {
    let result = try file([.apns]).accept(enrolment(), as: "ada", mayBeNew: true)
    #expect(throws: SignedSetError.unsupportedService) { try result.get() }
    #expect(folder.bytes(of: "registrations") == nil)
  }

  @Test("loses one whose token FCM no longer knows") func unregistered() throws {
    _ = try file().accept(enrolment(), as: "ada", mayBeNew: true).get()
    #expect(try file().remove(FCMToken("other")) == nil)
    #expect(try file().remove(DeviceToken("00ff")) == nil)
    #expect(try file().remove(address.token) == .removed(name: "ada"))
    #expect(try file().load().all.isEmpty)
  }

  @Test("an enrolment is read by who delivers through its service") func reading() throws {
    let json = try enrolment().encoded()
    #expect(throws: SignedSetError.unsupportedService) {
      try Enrolment(parsing: json, audience: Signed.audience)
    }
    let read = try Enrolment(parsing: json, audience: Signed.audience, services: [.fcm])
    #expect(read.address == .fcm(address) && read.address.topic == address.topic)
  }
}
