internal import PushCommands
internal import PushDelivery
internal import PushCore
internal import PushKeys
internal import PushSealer
internal import PushStandIn
internal import PushTesting

extension Command {
  static let demo = Command(
    of: "sealpushd", name: ["demo"],
    summary: "seal a push, send it over HTTP/2 to a stand-in for APNs, and show what the phone displays",
    details: """
      Nothing leaves this machine, and no key is written to a file. With --page, the stand-in and its page
      stay until you interrupt them, and a push is sent every ten seconds: switch the phone off, or cause a
      fault, and see what becomes of the pushes.
      """,
    examples: ["sealpushd demo", "sealpushd demo --page 2198"],
    options: [
      .optional(.page, "keep the page open on this port; 0 lets the system choose one")
    ]
  ) { (arguments, console) throws(ToolError) in
    let port = try arguments[.page]
    if port != nil { try Interruption.watch() }
    do {
      let demonstration = try await Demonstration()
      try console.print(try await demonstration.push("Lunch at noon?"))
      if let port {
        try await demonstration.stay(on: port) { (address) throws(ToolError) in
          try console.print("The page: \(address)\n")
        }
      }
    } catch let error as ToolError {
      throw error
    } catch {
      throw ToolError(.failed, "\(error)")
    }
  }
}

/// A backend, a stand-in for APNs, and Ada's phone.
private struct Demonstration {
  private let apns: APNsStandIn
  private let phone: StandInPhone
  private let keys: PublicKeySet
  private let sealer: Sealer
  private let client: APNsClient

  init() async throws {
    let topic = try Topic("com.example.app")
    let backend = KeySet(generating: .sender, at: .now)
    let team = ProviderKey.generate()
    var settings = APNsSettings()
    settings.providerKeys = [team.key]
    apns = try await APNsStandIn.start(settings: settings)
    let device = KeySet(generating: .device, at: .now)
    let address = DeviceAddress(topic: topic, environment: .sandbox, token: .random())
    phone = apns.phone(name: "Ada", address: address, keys: device, senders: try backend.publicKeys)
    keys = try device.publicKeys
    sealer = Sealer(topic: topic, signingKey: try backend.signingKey())
    var configuration = APNsConfiguration()
    configuration.servers[.sandbox] = .init(host: "localhost", port: apns.port, address: "127.0.0.1")
    configuration.additionalRoot = apns.root
    client = try APNsClient(
      token: ProviderToken(p8: team.p8, keyID: team.key.keyID, teamID: team.key.teamID),
      configuration: configuration)
  }

  /// Seals a text, sends it, and says in words what Apple and the person see.
  func push(_ text: String) async throws -> String {
    let response = try await send(text)
    let shown = try await phone.shown
    let sees = apns.pushes.last.map { $0.seenByApple.replacing("\n", with: " | ") } ?? ""
    return """
      A sealed push goes over HTTP/2 to a stand-in for APNs, and on to a phone.
         APNs answers: \(response.status)
         Apple sees:   \(sees)
         person sees:  \(shown.title) | \(shown.body)

      """
  }

  /// Serves the page, and pushes every ten seconds, until SIGINT or SIGTERM comes.
  func stay(on port: UInt16, tell: (String) throws(ToolError) -> Void) async throws {
    let page = try StandInPage(of: apns.model, port: port)
    try tell(page.address)
    let pushes = Task {
      for number in 1... {
        try await Task.sleep(for: .seconds(10))
        // What the page's faults do to it is for the page to show.
        _ = try? await send("Message \(number)")
      }
    }
    let clock = Task { [apns] in await apns.model.followSystemClock() }
    await Interruption.wait()
    pushes.cancel()
    clock.cancel()
    page.stop()
  }

  private func send(_ text: String) async throws -> APNsResponse {
    let push = try sealer.seal(RemoteNotification(title: "Ada", body: text), to: keys.recipient())
    return try await client.send(push, to: phone.address)
  }
}
