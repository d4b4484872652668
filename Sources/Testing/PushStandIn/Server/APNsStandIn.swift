public import PushSimulation
public import PushCore
package import PushNetwork
public import PushKeys
public import PushReceiver
public import PushHost
public import UserNotifications

/// A stand-in for APNs on this machine: HTTP/2 over TLS on 127.0.0.1, with phones that show what arrives.
///
///     let apns = try await APNsStandIn.start()
///     let phone = apns.phone(topic: topic, senders: senders)
///     // Let a backend, in any language, push to 127.0.0.1:apns.port, and trust apns.root.
///     let shown = try await phone.shown
///
/// The certificate is made at the start, so clients must be told to trust ``root``. The stand-in listens only on
/// 127.0.0.1.
public final class APNsStandIn: Sendable {
  /// The model of APNs behind the network: it checks, keeps and delivers the pushes.
  package let model: APNsModel

  private let authority: CertificateAuthority
  /// The names and addresses that the certificate is for.
  private let hosts: [String]
  private let front: StandInFront
  private let server: HTTP2Server

  /// The port on 127.0.0.1.
  public var port: UInt16 { server.port }

  /// The root certificate that signed the server's certificate, in PEM.
  public var root: [UInt8] { authority.root }

  /// Starts a stand-in; port 0 lets the system choose one.
  ///
  /// - Throws: ``StandInError``.
  public static func start(
    settings: APNsSettings = APNsSettings(), port: UInt16 = 0, clock: ManualClock = ManualClock(.now)
  ) async throws(StandInError) -> APNsStandIn {
    try await start(settings: settings, port: port, clock: clock, authority: CertificateAuthority())
  }

  /// Starts a stand-in with a root of its caller's; `names` are its certificate's besides `localhost` and 127.0.0.1.
  ///
  /// - Throws: ``StandInError``.
  package static func start(
    settings: APNsSettings, port: UInt16, clock: ManualClock = ManualClock(.now),
    authority: CertificateAuthority, names: [String] = []
  ) async throws(StandInError) -> APNsStandIn {
    do throws(ConfigurationError) { try settings.check() } catch { throw .settings(error) }
    let model = APNsModel(settings: settings, clock: clock)
    return try await APNsStandIn(model: model, authority: authority, names: names, port: port)
  }

  private init(
    model: APNsModel, authority: CertificateAuthority, names: [String], port: UInt16
  ) async throws(StandInError) {
    let hosts = ["127.0.0.1", "localhost"] + names
    self.model = model
    self.hosts = hosts
    self.authority = authority
    let front = StandInFront(model: model)
    self.front = front
    var limits = HTTP2Limits()
    // APNs allows one stream until it has seen a valid provider token.
    limits.concurrentStreams = 1
    do throws(HTTP2Error) {
      server = try await HTTP2Server.start(
        context: Self.context(authority: authority, hosts: hosts, fault: nil), port: port, limits: limits
      ) {
        request in
        await front.answer(to: request)
      }
    } catch {
      throw .cannotServe(port: port, reason: "\(error)")
    }
  }

  /// Gives new connections a fault of the certificate or of TLS; nil ends it.
  public func present(_ fault: TLSFault?) async {
    await server.set(context: Self.context(authority: authority, hosts: hosts, fault: fault))
  }

  /// Closes all connections, and goes on listening: abruptly, as if the network were cut, or with GOAWAY.
  public func closeConnections(abruptly: Bool = true) async {
    for connection in await server.connections {
      if abruptly { await connection.close(abruptly: true) } else { await connection.goAway() }
    }
  }

  /// Writes the root certificate to a file, replacing what the file has.
  ///
  /// - Throws: ``StandInError``.
  public func writeRoot(to path: String) throws(StandInError) {
    do throws(KeyFileError) {
      try OutputFile(path: path).write(root.span, isReplacing: true)
    } catch {
      throw .cannotWriteRoot("\(error)")
    }
  }

  /// Stops listening, and closes all connections.
  public func stop() async { await server.stop() }

  private static func context(
    authority: CertificateAuthority, hosts: [String], fault: TLSFault?
  ) -> TLSContext {
    let own = CertificateSubject(hosts: hosts)
    let day = 86_400
    return switch fault {
    case nil: TLSContext(identity: authority.identity(for: own))
    case .wrongName:
      TLSContext(identity: authority.identity(for: CertificateSubject(hosts: ["wrong.example"])))
    case .expired:
      TLSContext(
        identity: authority.identity(for: CertificateSubject(hosts: hosts, validity: -2 * day ... -day)))
    case .selfSigned: TLSContext(identity: CertificateAuthority.selfSigned(for: own))
    case .noALPN: TLSContext(identity: authority.identity(for: own), offersHTTP2: false)
    }
  }
}

/// The model's members.
extension APNsStandIn {
  /// The settings that the stand-in was started with.
  public var settings: APNsSettings { model.settings }

  /// The clock, which the phones share.
  public var clock: ManualClock { model.clock }

  /// The phones, by name.
  public var phones: [StandInPhone] { model.phones }

  /// The phone with a name.
  public func phone(named name: String) -> StandInPhone? { model.phone(named: name) }

  /// The last pushes, the oldest first.
  public var pushes: [LoggedPush] { model.pushes }

  /// The push with a number; nil if it is no longer kept.
  public func push(numbered number: Int) -> LoggedPush? { model.push(numbered: number) }

  /// The number of requests so far.
  public var requestCount: Int { model.requestCount }

  /// The IDs of the accepted pushes.
  package var accepted: AcceptedIDs { model.accepted }

  /// The faults that are still to happen.
  package var faults: FaultScript { model.faults }

  /// Adds a phone that makes its own keys, and trusts these senders; seal to ``StandInPhone/publicKeys``.
  public func phone(
    name: String? = nil, topic: Topic, senders: any SenderKeyStore
  ) -> StandInPhone { model.phone(name: name, topic: topic, senders: senders) }

  /// Adds a phone with these keys that trusts these senders, and runs the package's own extension.
  public func phone(
    name: String? = nil, address: DeviceAddress, keys: any DeviceKeyStore,
    senders: any SenderKeyStore, accepts: AcceptedEnvelopes = .signed, settings phone: Phone = Phone()
  ) -> StandInPhone {
    model.phone(name: name, address: address, keys: keys, senders: senders, accepts: accepts, settings: phone)
  }

  /// Adds a phone that runs the app's extension, which gets the stand-in's clock and the phone's lock.
  public func phone(
    name: String? = nil, address: DeviceAddress, settings phone: Phone = Phone(),
    running makeExtension: @escaping @Sendable (ManualClock, PhoneLock) -> UNNotificationServiceExtension
  ) -> StandInPhone { model.phone(name: name, address: address, settings: phone, running: makeExtension) }

  /// Adds a phone without an extension: it shows payloads as they arrive.
  public func phone(name: String? = nil, address: DeviceAddress) -> StandInPhone {
    model.phone(name: name, address: address)
  }

  /// Adds a fault that happens to later requests; `token` restricts it to one device's requests.
  ///
  /// Counts below 1 add nothing.
  public func inject(_ fault: Fault, to occasion: Fault.Occasion, of token: DeviceToken? = nil) {
    model.inject(fault, to: occasion, of: token)
  }

  /// Removes all faults from the script.
  public func clearFaults() { model.clearFaults() }

  /// Moves the clock: pushes whose time has come are delivered or discarded, and the time of extensions runs out.
  public func advance(by duration: Duration) { model.advance(by: duration) }

  /// A stream of the pushes that arrive from now on, and of each of their changes.
  public func updates() -> AsyncStream<LoggedPush> { model.updates() }
}
