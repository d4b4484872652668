import PushCore
import PushDelivery
import PushEnrolment
import PushKeys
import PushNetwork
import PushSealer
import TestSupport
import Testing

@Suite("Pushes of an array", .hangGuard)
struct ArrayTests {
  private func device(_ number: UInt8, hasKeys: Bool = true) throws -> EnrolledDevice {
    let address = DeviceAddress(
      topic: Scene.topic, environment: .sandbox, token: DeviceToken([UInt8](repeating: number, count: 32))!)
    return EnrolledDevice(
      address: address, keys: hasKeys ? try KeySet(generating: .device, at: .now).publicKeys : nil)
  }

  private struct People: RecipientDirectory {
    let devices: [EnrolledDevice]

    func recipients(for addressee: Addressee) -> [EnrolledDevice] {
      if case .person("ada") = addressee { devices } else { [] }
    }
  }

  @Test("what was sealed to a person is sent as it is, and the results are in the devices' order")
  func order() async throws {
    let scene = try await Scene { _, request, record in
      // The first device's answer comes last.
      if request.path.hasSuffix("01") {
        try? await HangGuard.wait(while: record.accepted.count < 2)
      }
      return record.accept(request)
    }
    let sealer = Sealer.anonymous(topic: Scene.topic)
    let people = People(devices: try [device(1), device(2), device(3)])
    let notification = RemoteNotification(title: "Ada", body: "Noon?")
    let sent = await scene.client.send(try await sealer.seal(notification, to: .person("ada"), in: people))
    #expect(sent.map(\.job.device) == people.devices)
    for push in sent { #expect(try push.result.get().isAccepted) }
    #expect(scene.record.accepted.count == 3)
  }

  @Test("a device without a key has its reason, and nothing is sent to it")
  func notSealed() async throws {
    let scene = try await Scene { _, request, record in record.accept(request) }
    let pushes = Sealer.anonymous(topic: Scene.topic).seal(
      RemoteNotification(body: "Noon?"), to: try [device(1), device(2, hasKeys: false)])
    let error = DeliveryError(cause: .notSealed("the device has no keys"), mayBeDelivered: false)
    let sent = await scene.client.send(pushes)
    #expect(try sent[0].result.get().isAccepted)
    #expect(throws: error) { try sent[1].result.get() }
    // A sequence gives it back as well, and goes on.
    var errors: [DeliveryError] = []
    let reversed = AsyncStream { continuation in
      for push in pushes.reversed() { continuation.yield(push) }
      continuation.finish()
    }
    for await delivered in scene.client.send(reversed) {
      do throws(DeliveryError) { _ = try delivered.result.get() } catch { errors.append(error) }
    }
    #expect(errors == [error])
    #expect(scene.record.requests == 2)
  }

  @Test("when the task is cancelled, all have ended")
  func cancelled() async throws {
    let scene = try await Scene { _, _, _ in .silence }
    let pushes = try Scene.pushes(3).map { AddressedPush($0, to: Scene.address()) }
    let task = Task { await scene.client.send(pushes) }
    try await HangGuard.wait(while: scene.record.requests < 3)
    task.cancel()
    for sent in await task.value {
      #expect(throws: DeliveryError(cause: .cancelled, mayBeDelivered: true)) { try sent.result.get() }
    }
  }

  @Test("none are sent at once")
  func none() async throws {
    let scene = try await Scene { _, request, record in record.accept(request) }
    #expect(await scene.client.send([] as [AddressedPush]).isEmpty)
  }
}
