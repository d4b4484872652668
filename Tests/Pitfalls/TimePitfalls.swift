import PushCore
import SealedPush
import PushKeys
import PushReceiver
import PushTesting
import TestSupport
import Testing
import UserNotifications

/// Half a minute, one handler, and several pushes at once.
@Suite(.hangGuard)
struct TimePitfalls {
  private let stage = Stage()

  @Test("an avatar that never comes costs the avatar and not the text, which is shown within 25 seconds")
  func timeRunsOut() async throws {
    let avatar = Endlessness()
    let host = stage.host(stage.receiver(steps: [avatar.step]))
    let push = try host.push(stage.sealed())
    await avatar.wait()
    host.advance(by: Receiver.softDeadline)
    let shown = try await push.shown()
    #expect(shown.title == Stage.title)
    #expect(shown.body == Stage.secret)
    #expect(shown.source == .serviceExtension)
    #expect(push.faults.isEmpty)
  }

  @Test("if the extension's own clock stands still, the text is shown when iOS says that time is up")
  func timeWillExpire() async throws {
    let avatar = Endlessness()
    let (receiver, clock) = (stage.receiver(steps: [avatar.step]), ManualClock(Stage.start))
    let host = ExtensionHost(clock: clock) { StagedService { receiver } }
    let push = try host.push(stage.sealed())
    await avatar.wait()
    host.advance(by: ExtensionHost.timeLimit)
    let shown = try await push.shown()
    #expect(shown.body == Stage.secret)
    #expect(shown.source == .serviceExtension)
    #expect(push.faults.isEmpty)
  }

  @Test("an app's last word that never comes is not waited for longer than that")
  func finishNeverEnds() async throws {
    let last = Endlessness()
    let host = ExtensionHost(clock: stage.clock) { [stage] in LastWordService(stage.receiver(), last) }
    let push = try host.push(stage.sealed())
    await last.wait()
    host.advance(by: Receiver.softDeadline)
    #expect(try await push.shown().body == Stage.secret)
    #expect(push.faults.isEmpty)
  }

  /// What can become of a push.
  enum Ending: CaseIterable {
    case opened, locked, noReceiver, stepHangs, keysHang
  }

  @Test(
    "whatever happens, the handler is called once and not never, even if nobody holds the service",
    arguments: Ending.allCases, [false, true])
  func handlerOnce(ending: Ending, isLetGo: Bool) async throws {
    let (stalled, step, asked, done) = (
      StalledKeyStore(stage.device), Endlessness(), Signal(), Signal()
    )
    let host = ExtensionHost(clock: stage.clock) { [stage] in
      let service = StagedService {
        let store: any DeviceKeyStore =
          switch ending {
          case .opened, .noReceiver, .stepHangs: stage.device
          case .locked: LockedKeyStore()
          case .keysHang: stalled
          }
        let keys = WatchedKeys(store, asked: asked, released: done)
        guard ending != .noReceiver else { throw ServiceError.noReceiver }
        return stage.receiver(keys: keys, steps: ending == .stepHangs ? [step.step] : [])
      }
      return isLetGo ? LettingGo(service) : service
    }
    let push = try host.push(stage.sealed())
    switch ending {
    case .opened, .locked, .noReceiver: break
    case .stepHangs: await step.wait()
    case .keysHang:
      await asked.wait()
      await stage.clock.waitForSleepers()
    }
    if [.stepHangs, .keysHang].contains(ending) { host.advance(by: Receiver.softDeadline) }
    let shown = try await push.shown(admitsPlaceholder: true)
    // All that could still call it has its chance.
    host.advance(by: ExtensionHost.timeLimit)
    stalled.release()
    await done.wait()
    #expect(push.faults.isEmpty)
    #expect(shown.source == .serviceExtension)
    #expect(shown.isVisible)
  }

  private func phone(reusingInstance: Bool) -> Phone {
    var phone = Phone()
    phone.reusesInstance = reusingInstance
    return phone
  }

  @Test("of pushes that come at once each shows its own text", arguments: [false, true])
  func severalAtOnce(onOneInstance: Bool) async throws {
    let stalled = StalledKeyStore(stage.device)
    let host = stage.host(stage.receiver(keys: stalled), phone: phone(reusingInstance: onOneInstance))
    let pushes = try (0..<8).map { try host.push(stage.sealed("text \($0)")) }
    for _ in pushes { stalled.release() }
    for (index, push) in pushes.enumerated() {
      #expect(try await push.shown().body == "text \(index)")
      #expect(push.faults.isEmpty)
    }
  }

  @Test("when their time is up each hands over its own, however many there are", arguments: [false, true])
  func severalRunOut(onOneInstance: Bool) async throws {
    let (stalled, clock) = (StalledKeyStore(stage.device), ManualClock(Stage.start))
    let receiver = stage.receiver(keys: stalled)
    let host = ExtensionHost(clock: clock, phone: phone(reusingInstance: onOneInstance)) {
      StagedService { receiver }
    }
    let payloads = try (0..<8).map { try stage.sealed("text \($0)") }
    let pushes = try payloads.map { try host.push($0) }
    host.advance(by: ExtensionHost.timeLimit)
    for (payload, push) in zip(payloads, pushes) {
      let shown = try await push.shown(admitsPlaceholder: true)
      #expect(shown.source == .serviceExtension)
      #expect(shown.content.userInfo["ENCRYPTED_DATA"] as? String == (try envelope(in: payload)))
      #expect(push.faults.isEmpty)
    }
    for _ in pushes { stalled.release() }
  }
}

/// An extension whose last word never comes.
private final class LastWordService: SealedNotificationService {
  private let receiver: Receiver
  private let word: Endlessness

  init(_ receiver: Receiver, _ word: Endlessness) {
    self.receiver = receiver
    self.word = word
  }

  override func makeReceiver() throws -> Receiver { receiver }

  override func finish(
    _ content: UNMutableNotificationContent, opened: Opened
  ) async -> UNNotificationContent {
    await word.begin()
    return content
  }
}

/// An extension that lets its service go as soon as that has the request.
private final class LettingGo: UNNotificationServiceExtension {
  private var service: SealedNotificationService?

  init(_ service: SealedNotificationService) { self.service = service }

  override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    service?.didReceive(request, withContentHandler: contentHandler)
    service = nil
  }
}
