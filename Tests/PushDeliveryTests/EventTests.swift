import PushCore
import PushDelivery
import PushNetwork
import Synchronization
import TestSupport
import Testing

@Suite("What a client reports", .hangGuard)
struct EventTests {
  private final class Events: Sendable {
    let all = Mutex<[DeliveryEvent]>([])

    func note(_ event: DeliveryEvent) { all.withLock { $0.append(event) } }

    /// The events in words, without the times, and without the connections that a busy machine does not make in time.
    var words: [String] {
      all.withLock(\.self).map { event in
        switch event {
        case .answered(let answer, let id, let route, _): "\(answer.status) to \(id) on \(route.topic)"
        case .unanswered(let reason, let mayBeDelivered, let id, _): "\(reason), \(mayBeDelivered), \(id)"
        case .connected: "connected"
        case .connectionFailed(let reason, _): reason
        case .goodbye(let reason, _): "goodbye: \(reason)"
        case .routeStopped(_, let reason): "stopped: \(reason?.rawValue ?? "-")"
        }
      }.filter { $0 != "no connection in time" }
    }
  }

  private func send(_ push: SealedNotification, in scene: Scene) async {
    _ = await scene.client.send([AddressedPush(push, to: Scene.address())])
  }

  @Test("an answer, with its message, its route and its time")
  func answered() async throws {
    let events = Events()
    let scene = try await Scene(report: events.note) { _, request, record in record.accept(request) }
    let push = try Scene.pushes(1)[0]
    await send(push, in: scene)
    #expect(events.words == ["connected", "200 to \(push.headers.messageID) on com.example.app"])
    guard case .answered(_, _, _, let time)? = events.all.withLock(\.last) else { return }
    #expect(time > .zero)
  }

  @Test("an attempt without an answer, and the one that has one")
  func unanswered() async throws {
    let events = Events()
    let scene = try await Scene(report: events.note) { number, request, record in
      number == 1 ? .reset(code: 2) : record.accept(request)
    }
    let push = try Scene.pushes(1)[0]
    await send(push, in: scene)
    let id = push.headers.messageID
    #expect(
      events.words == [
        "connected", "APNs reset the stream (code 2), true, \(id)", "200 to \(id) on com.example.app",
      ])
  }

  @Test("a connection that cannot be made")
  func notConnected() async throws {
    let events = Events()
    let scene = try await Scene(
      configuration: { configuration in
        configuration.servers[.sandbox] = .init(host: "localhost", port: 1, address: "127.0.0.1")
      }, report: events.note
    ) { _, _, _ in .silence }
    let push = try Scene.pushes(1)[0]
    let sending = Task { await send(push, in: scene) }
    try await HangGuard.wait(while: events.words.isEmpty)
    sending.cancel()
    await sending.value
    #expect(events.words.first == "connect: Connection refused")
  }

  @Test("a route that APNs stops, once")
  func stopped() async throws {
    let events = Events()
    let scene = try await Scene(report: events.note) { _, _, _ in
      .response(HTTP2Response(status: 403, body: Array(#"{"reason":"InvalidProviderToken"}"#.utf8)))
    }
    let pushes = try Scene.pushes(5).map { AddressedPush($0, to: Scene.address()) }
    _ = await scene.client.send(pushes)
    #expect(events.words.count { $0 == "stopped: InvalidProviderToken" } == 1)
  }
}
