import SealedPush
import PushKeys
import PushCore
import PushReceiver
import PushSealer
import PushTesting
import TestSupport
import Testing
import UserNotifications

/// The handler is called exactly once and in time, whoever comes first.
@Suite(.hangGuard)
struct ExpiryTests {
  private let phone = Phone()
  private let screen = Screen()

  private func expectExpired(_ content: UNNotificationContent?) {
    #expect(content?.title == "New notification")
    #expect(content?.subtitle == "(Encrypted)")
    #expect(content?.body == "")
  }

  @Test("time that runs out before opening gives the placeholder at once, and the late result is ignored")
  func expiry() async throws {
    let stalled = StalledKeyStore(phone.device)
    let finished = Signal()
    let service = TestService { [phone] _ in
      phone.receiver(keys: Canary(stalled, released: finished))
    }
    service.didReceive(try phone.request(), withContentHandler: screen.show)
    #expect(screen.contents.isEmpty)
    service.serviceExtensionTimeWillExpire()
    #expect(screen.contents.count == 1)
    expectExpired(screen.contents.first)
    service.serviceExtensionTimeWillExpire()
    stalled.release()
    await finished.wait()
    phone.clock.advance(by: .seconds(100))
    #expect(screen.contents.count == 1)
  }

  @Test("after 25 seconds the placeholder is handed over without the system's word")
  func softDeadline() async throws {
    let stalled = StalledKeyStore(phone.device)
    let finished = Signal()
    let service = TestService { [phone] _ in
      phone.receiver(keys: Canary(stalled, released: finished))
    }
    service.didReceive(try phone.request(), withContentHandler: screen.show)
    await phone.clock.waitForSleepers()
    phone.clock.advance(by: .seconds(25))
    expectExpired(await screen.next())
    stalled.release()
    await finished.wait()
    service.serviceExtensionTimeWillExpire()
    #expect(screen.contents.count == 1)
  }

  @Test("time that runs out after opening changes nothing")
  func openedBefore() async throws {
    let service = TestService { [phone] _ in phone.receiver() }
    _ = await screen.wait(for: service, try phone.request())
    service.serviceExtensionTimeWillExpire()
    #expect(screen.contents.map(\.body) == ["Lunch?"])
  }

  @Test("time that runs out while the receiver is made gives the placeholder, and the late result is ignored")
  func expiryInMakeReceiver() async throws {
    let finished = Signal()
    let service = TestService { [phone, screen] service in
      service.serviceExtensionTimeWillExpire()
      #expect(screen.contents.count == 1)
      return phone.receiver(keys: Canary(phone.device, released: finished))
    }
    var notification = RemoteNotification(body: "Lunch?")
    notification.sound = .default
    let request = try phone.request(notification)
    service.didReceive(request, withContentHandler: screen.show)
    await finished.wait()
    #expect(screen.contents.count == 1)
    expectExpired(screen.contents.first)
    // Nobody saw it, so it is new the next time.
    let again = await Screen().wait(for: TestService { [phone] _ in phone.receiver() }, request)
    #expect(again.sound != nil)
  }

  @Test("time that runs out without a request means nothing")
  func nothingToExpire() { SealedNotificationService().serviceExtensionTimeWillExpire() }

  @Test("a service that is let go still hands over")
  func released() async throws {
    let stalled = StalledKeyStore(phone.device)
    var service: TestService? = TestService { [phone] _ in phone.receiver(keys: stalled) }
    weak let observer = service
    service?.didReceive(try phone.request(), withContentHandler: screen.show)
    service = nil
    #expect(observer == nil)
    stalled.release()
    #expect(await screen.next().body == "Lunch?")
  }

  @Test("two requests on two instances at once do not mix")
  func twoInstances() async throws {
    let stalled = StalledKeyStore(phone.device)
    let screens = (Screen(), Screen())
    let services = (
      TestService { [phone] _ in phone.receiver(keys: stalled) },
      TestService { [phone] _ in phone.receiver(keys: stalled) }
    )
    services.0.didReceive(
      try phone.request(RemoteNotification(title: "left", body: "1")), withContentHandler: screens.0.show)
    services.1.didReceive(
      try phone.request(RemoteNotification(title: "right", body: "2")), withContentHandler: screens.1.show)
    stalled.release()
    stalled.release()
    let contents = [await screens.0.next(), await screens.1.next()]
    #expect(contents.map(\.title) == ["left", "right"])
    #expect(contents.map(\.body) == ["1", "2"])
  }

  @Test("expiry of one instance leaves the other alone")
  func expiryOfOne() async throws {
    let stalled = StalledKeyStore(phone.device)
    let screens = (Screen(), Screen())
    let services = (
      TestService { [phone] _ in phone.receiver(keys: stalled) },
      TestService { [phone] _ in phone.receiver(keys: stalled) }
    )
    services.0.didReceive(try phone.request(), withContentHandler: screens.0.show)
    services.1.didReceive(try phone.request(), withContentHandler: screens.1.show)
    services.0.serviceExtensionTimeWillExpire()
    expectExpired(screens.0.contents.first)
    #expect(screens.1.contents.isEmpty)
    stalled.release()
    stalled.release()
    #expect(await screens.1.next().body == "Lunch?")
  }

  @Test("expiry ends every request of one instance, even of one identifier")
  func twoRequests() async throws {
    let stalled = StalledKeyStore(phone.device)
    let screens = (Screen(), Screen())
    let service = TestService { [phone] _ in phone.receiver(keys: stalled) }
    service.didReceive(try phone.request(), withContentHandler: screens.0.show)
    service.didReceive(try phone.request(), withContentHandler: screens.1.show)
    service.serviceExtensionTimeWillExpire()
    expectExpired(screens.0.contents.first)
    expectExpired(screens.1.contents.first)
    stalled.release()
    stalled.release()
  }

  @Test("work against expiry: one delivery each")
  func race() async throws {
    let request = try phone.request()
    for run in 0..<200 {
      let screen = Screen()
      let finished = Signal()
      let service = TestService { [phone] _ in
        phone.receiver(keys: Canary(phone.device, released: finished))
      }
      service.didReceive(request, withContentHandler: screen.show)
      for _ in 0..<run { await Task.yield() }
      service.serviceExtensionTimeWillExpire()
      await finished.wait()
      #expect(screen.contents.count == 1)
    }
  }
}
