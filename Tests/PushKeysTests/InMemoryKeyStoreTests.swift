import PushEnvelope
import PushKeys
import Testing

@Suite("An app's keys in memory")
struct InMemoryKeyStoreTests {
  private let store = InMemoryKeyStore()

  @Test func areMadeAtTheFirstEnrolment() throws {
    let (first, second) = (
      try store.enrol(at: Signed.address, now: start), try store.enrol(at: Signed.address, now: start)
    )
    #expect(first.identity == second.identity && first.keys == second.keys)
    #expect(second.serial == first.serial + 1)
    let recipient = try first.keys.recipient(at: start)
    #expect(try #require(store.deviceKey(for: recipient.thumbprint.keyID, at: start)).opens(to: recipient))
  }

  @Test func areThoseThatWereGiven() throws {
    let keys = DeviceKeys(generating: .p256AESGCM, at: start)
    let enrolment = try InMemoryKeyStore(keys).enrol(at: Signed.address, now: start)
    #expect(try enrolment.keys == keys.device.publicKeys)
    #expect(enrolment.identity == keys.identity.records[0].publicKey)
  }

  @Test func areAsTheyWereAfterAChangeThatThrows() throws {
    let first = try store.enrol(at: Signed.address, now: start)
    #expect(throws: KeySetError.graceTooShort) {
      try store.update(orMake: .x25519ChaChaPoly, at: start) { (keys) throws(KeySetError) in
        _ = try keys.enrol(at: Signed.address, now: start)
        throw .graceTooShort
      }
    }
    #expect(try store.enrol(at: Signed.address, now: start).serial == first.serial + 1)
  }

  @Test func rotateAndWaitForTheBackend() throws {
    let old = try store.enrol(at: Signed.address, now: start).keys.records[0].id.keyID
    let late = start.advanced(by: 400 * 86_400)
    #expect(try store.rotate(ifOlderThan: .zero, now: start))
    #expect(store.deviceKey(for: old, at: late) != nil)
    try store.confirm(now: start)
    #expect(store.deviceKey(for: old, at: late) == nil)
  }
}
