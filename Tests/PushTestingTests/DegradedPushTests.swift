import PushCore
import SealedPush
import PushKeys
import PushReceiver
import PushSealer
import PushTesting
import Testing

@Suite("A push that does not open fails its test, and says why")
struct DegradedPushTests {
  private let bench = Bench()
  private let clock = ManualClock(Bench.now)

  private func host(_ makeReceiver: @escaping @Sendable () throws -> Receiver) -> ExtensionHost {
    ExtensionHost(clock: clock) { Service(makeReceiver) }
  }

  @Test("with the reason, in words")
  func reason() async throws {
    let payload = try bench.sealed().encoded()
    let host = host { [bench, clock] in bench.receiver(keys: LockedKeyStore(), clock: clock) }
    let error = await #expect(throws: DegradedPush.self) { try await host.deliver(payload) }
    #expect(error?.reason == .keyLocked && error?.cause == nil)
    #expect(
      "\(error!)"
        == "the push was not opened: key-locked: the keys cannot be read before the phone is first unlocked")
  }

  @Test("with the error of the app's own makeReceiver")
  func cause() async throws {
    let payload = try bench.sealed().encoded()
    let host = host { throw KeyFileError(.file(.missing), path: "roots.jwks") }
    let error = await #expect(throws: DegradedPush.self) { try await host.push(payload).shown() }
    #expect(
      "\(error!)" == "the push was not opened, because makeReceiver() threw: there is no roots.jwks")
  }

  @Test("unless the test expects the placeholder, which has the reason too")
  func placeholder() async throws {
    let payload = try bench.sealed().encoded()
    let host = host { [clock] in Bench().receiver(clock: clock) }
    let shown = try await host.deliver(payload, admitsPlaceholder: true)
    #expect(shown.body == "(Encrypted)" && shown.degraded?.reason == .unknownKey)
    let opened = try await self.host { [bench, clock] in bench.receiver(clock: clock) }.deliver(payload)
    #expect(opened.body == "Lunch?" && opened.degraded == nil)
  }

  @Test("at once, each push has its own reason")
  func severalAtOnce() async throws {
    let (good, bad) = (try bench.sealed().encoded(), try Bench().sealed().encoded())
    let host = host { [bench, clock] in bench.receiver(clock: clock) }
    let pushes = try (0..<16).map { try host.push($0.isMultiple(of: 2) ? good : bad) }
    for (index, push) in pushes.enumerated() {
      let shown = try await push.shown(admitsPlaceholder: true)
      #expect(shown.degraded?.reason == (index.isMultiple(of: 2) ? nil : .unknownKey))
    }
  }
}

/// An extension with a receiver of the test's.
private final class Service: SealedNotificationService {
  private let make: @Sendable () throws -> Receiver

  init(_ make: @escaping @Sendable () throws -> Receiver) { self.make = make }

  override func makeReceiver() throws -> Receiver { try make() }
}
