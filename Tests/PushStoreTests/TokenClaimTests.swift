import PushCore
import PushEnrolment
import PushKeys
import PushStore
import TestSupport
import Testing

/// One registration that proves a token, and another that moves to it and proves no more than its key.
@Suite("A token that two registrations lease at a time", .hangGuard)
struct TokenClaimTests {
  @Test("is not for who has proven only its key, if the other has proven it between", arguments: Engine.all)
  func provenBetween(engine: Engine) async throws {
    let store = try await engine.start().store
    var mover = try await Self.mover(at: store)
    let (owner, answer) = try await Self.owner(at: store)
    let between = Interruption(store) {
      _ = try await store.accept(answer, as: owner.name, mayBeNew: false).get()
    }
    let result = try await between.accept(
      mover.enrolment(), as: mover.name, mayBeNew: false, proving: .keyAlone)
    #expect(throws: SignedSetError.tokenInUse(registration: owner.name)) { try result.get() }
    #expect(try await Self.names(address: owner.address, in: store) == [owner.name])
  }

  @Test("is taken from who has moved to it between, when the other proves it", arguments: Engine.all)
  func movedBetween(engine: Engine) async throws {
    let store = try await engine.start().store
    var mover = try await Self.mover(at: store)
    let (owner, answer) = try await Self.owner(at: store)
    let move = try mover.enrolment()
    let between = Interruption(store) {
      _ = try await store.accept(move, as: "mover", mayBeNew: false, proving: .keyAlone).get()
    }
    #expect(try await between.accept(answer, as: owner.name, mayBeNew: false).get().change == .registered)
    #expect(try await Self.names(address: owner.address, in: store) == [owner.name])
  }

  @Test("is leased by one transaction after the other")
  func together() async throws {
    let bench = try await PostgresBench()
    let (store, other) = (bench.store, try await bench.another())
    var mover = try await Self.mover(at: store)
    let (owner, answer) = try await Self.owner(at: store)
    let application = try bench.application()
    // Whoever has checked waits before the end of its transaction.
    try application.run(
      """
      CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql
        AS 'BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NULL; END';
      CREATE CONSTRAINT TRIGGER wait AFTER UPDATE ON sealpush.device DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION wait();
      BEGIN;
      SELECT pg_advisory_xact_lock(1)
      """)
    let move = try mover.enrolment()
    async let moved = store.accept(move, as: "mover", mayBeNew: false, proving: .keyAlone)
    try await bench.waitingBackends(1)
    async let proven = other.accept(answer, as: owner.name, mayBeNew: false)
    try await bench.waitingBackends(2)
    try application.run("COMMIT; DROP FUNCTION wait CASCADE")
    #expect(try await moved.get().change == .updated)
    #expect(try await proven.get().change == .registered)
    #expect(try await Self.names(address: owner.address, in: store) == [owner.name])
  }

  /// A registration that has proven its key elsewhere, and then gets the token of the other.
  private static func mover(at store: any Store) async throws -> Phone {
    var mover = Phone("mover", token: 1)
    let asked = try await store.accept(
      mover.enrolment(), as: mover.name, mayBeNew: true, proving: .keyAlone
    ).get()
    _ = try await store.accept(
      mover.answer(#require(asked.pending)), as: mover.name, mayBeNew: false, proving: .keyAlone
    ).get()
    mover.address = Phone.address(2)
    return mover
  }

  /// A registration that is about to prove the token, by this answer.
  private static func owner(at store: any Store) async throws -> (Phone, answer: Enrolment) {
    var owner = Phone("owner", token: 2)
    let asked = try await store.accept(owner.enrolment(), as: owner.name, mayBeNew: true).get()
    let answer = try owner.answer(#require(asked.pending))
    return (owner, answer)
  }

  /// Who gets messages at an address.
  private static func names(address: DeviceAddress, in store: any Store) async throws -> [String] {
    try await store.registrations(address: address, after: nil, atMost: 9).map(\.registration.name)
  }
}
