import PushCore
import PushFiles
import PushKeys
import PushReceiver
import PushSealer
import PushSimulation

extension Command {
  static let demo = Command(
    name: ["demo"], summary: "seal and open a sample, tamper with it, deliver it late, rotate the keys",
    details: "Makes its keys in a temporary folder, and removes the folder at the end.",
    examples: [
      "sealpush demo"
    ],
    options: []
  ) { (_, console) throws(ToolError) in
    guard let topic = try? Topic("com.example.app") else { throw ToolError(.failed, "no topic") }
    try await Demo(folder: try scratchFolder(), topic: topic, stage: Stage(console: console)).play()
  }

  private static func scratchFolder() throws(ToolError) -> DisposableFolder {
    do throws(FileError) {
      return try DisposableFolder(prefix: "sealpush-demo")
    } catch {
      throw ToolError(.cannotCreate, "cannot make a folder in \(DisposableFolder.parent): \(error)")
    }
  }
}

/// The story that `demo` tells.
private struct Demo: ~Copyable {
  private let folder: DisposableFolder
  private let stage: Stage
  private let deviceFile: String
  private let senderFile: String
  private let topic: Topic

  init(folder: consuming DisposableFolder, topic: Topic, stage: Stage) {
    self.stage = stage
    self.topic = topic
    deviceFile = folder.path(of: "device.jwks")
    senderFile = folder.path(of: "sender.jwks")
    self.folder = folder
  }

  func play() async throws(ToolError) {
    try make(.device, at: deviceFile)
    try make(.sender, at: senderFile)
    try stage.title("SealedPush: what Apple sees, and what the person sees")
    let push = try seal(Self.sample)
    try await openSample(push)
    try await tamper(with: push)
    try await comeLate(with: push)
    try await rotate(whileInFlight: push)
    try stage.say("Now try it with your own keys: sealpush keys new --help")
  }

  private func openSample(_ push: SealedNotification) async throws(ToolError) {
    try stage.scene("1", title: "A notification is sealed to a device's key, and opened on the device.")
    let payload = try parse(push.payload)
    try stage.show(unopened(payload), simulation: try await deliver(payload), carrying: payload)
    try stage.say("\(push.payload.count) of the \(push.budget.limit) bytes that APNs allows.")
  }

  private func tamper(with push: SealedNotification) async throws(ToolError) {
    try stage.scene("2", title: "Somebody alters one character in transit.")
    var payload = try parse(push.payload)
    let text = payload["ENCRYPTED_DATA"]?.string ?? ""
    let middle = text.index(text.startIndex, offsetBy: text.count / 2)
    let changed = text.replacing(at: middle, with: text[middle] == "A" ? "B" : "A")
    payload["ENCRYPTED_DATA"] = .string(changed)
    try stage.show(unopened(payload), simulation: try await deliver(payload), carrying: payload)
  }

  private func comeLate(with push: SealedNotification) async throws(ToolError) {
    let payload = try parse(push.payload)
    try stage.scene("3", title: "The phone was off for 40 days, and the message was valid for 30.")
    let later = UnixTime.now.advanced(by: .seconds(40 * 86_400))
    try stage.show(unopened(payload), simulation: try await deliver(payload, at: later), carrying: payload)

    try stage.scene("4", title: "The key store does not answer, and the extension's time runs out.")
    let store = StalledKeyStore(try Keys.load(from: deviceFile, passphrase: nil))
    let clock = ManualClock(.now)
    let receiver = try receiver(keys: store, clock: clock)
    async let shown = Simulation.deliver(payload, to: receiver)
    await clock.waitForSleepers()
    clock.advance(by: .seconds(30))
    let simulation = await shown
    store.release()
    try stage.show(unopened(payload), simulation: simulation, carrying: payload)
  }

  private func rotate(whileInFlight old: SealedNotification) async throws(ToolError) {
    try stage.scene("5", title: "The device's key is rotated while a push is in flight. Both still open.")
    _ = try Keys.update(deviceFile, passphrase: nil) { (editor) throws(KeySetError) in
      try editor.rotate(grace: KeySetEditor.minimumGrace, at: .now)
    }
    try stage.say(KeyListing.table(of: try Keys.load(from: deviceFile, passphrase: nil)))
    for push in [old, try seal(RemoteNotification(title: "Ada", body: "Sealed to the new key."))] {
      let payload = try parse(push.payload)
      try stage.show(unopened(payload), simulation: try await deliver(payload), carrying: payload)
    }
  }

  private static var sample: RemoteNotification {
    var sample = RemoteNotification(
      title: "Ada Lovelace", subtitle: "Analytical Engine", body: "Lunch at noon? Bring the punched cards.")
    sample.category = "MEETING_INVITATION"
    sample.threadID = "chat-42"
    sample.custom = ["chat": 42]
    return sample
  }

  private func make(_ role: KeyRole, at path: String) throws(ToolError) {
    do throws(KeyFileError) {
      try KeyFile(path: path).create(KeySet(generating: role, at: .now))
    } catch {
      throw KeyFileFailure.describe(error)
    }
  }

  private func seal(_ notification: RemoteNotification) throws(ToolError) -> SealedNotification {
    let device = try Keys.load(from: deviceFile, passphrase: nil)
    let sender = try Keys.load(from: senderFile, passphrase: nil)
    guard let recipient = try? device.publicKeys.recipient(), let signingKey = try? sender.signingKey() else {
      throw ToolError(.failed, "the demo's keys are unusable")
    }
    do throws(SealError) {
      return try Sealer(topic: topic, signingKey: signingKey).seal(notification, to: recipient)
    } catch {
      throw SealFailure.describe(error)
    }
  }

  private func parse(_ payload: [UInt8]) throws(ToolError) -> JSONObject {
    guard let object = try? JSONObject(parsing: payload.span) else {
      throw ToolError(.failed, "the demo's payload does not parse")
    }
    return object
  }

  private func unopened(_ payload: JSONObject) -> ShownContent {
    ShownContent(unopened: payload)
  }

  private func deliver(
    _ payload: JSONObject, at now: UnixTime = .now
  ) async throws(ToolError) -> Simulation {
    let receiver = try receiver(
      keys: try Keys.load(from: deviceFile, passphrase: nil), clock: ManualClock(now))
    return await Simulation.deliver(payload, to: receiver)
  }

  private func receiver(keys: any DeviceKeyStore, clock: ManualClock) throws(ToolError) -> Receiver {
    let senders = try Keys.publicHalf(of: try Keys.load(from: senderFile, passphrase: nil), at: senderFile)
    return Receiver(topic: topic, keys: keys, senders: senders, clock: clock)
  }
}

extension String {
  fileprivate func replacing(at index: Index, with character: Character) -> String {
    self[..<index] + String(character) + self[self.index(after: index)...]
  }
}
