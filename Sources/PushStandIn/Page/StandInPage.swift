private import Foundation
internal import PushLoopback
internal import PushPayload
private import Synchronization

/// The page that shows what Apple sees, what the person sees, and why: plain HTTP on 127.0.0.1.
///
/// It is for the browser of whoever runs the stand-in. Requests for another host, or from another site's page, are refused,
/// and nothing changes but by POST. What arrived with a push gets into the page as text alone.
public final class StandInPage: Sendable {
  /// The most browsers' connections at a time.
  static let maximumConnections = 32

  private let apns: APNsModel
  private let listener: LoopbackListener
  private let connections = Atomic(0)
  private let isStopped = Atomic(false)

  /// The page's address.
  public var address: String { "http://127.0.0.1:\(listener.port)/" }

  /// Serves the page of `apns`; port 0 lets the system choose one.
  ///
  /// - Throws: ``StandInError``.
  public init(of apns: APNsModel, port: UInt16 = 0) throws(StandInError) {
    self.apns = apns
    do throws(LoopbackError) {
      listener = try LoopbackListener(port: port)
    } catch {
      throw .cannotListen(port: error.port, errno: error.errno)
    }
    Thread.detachNewThread { [self] in serve() }
  }

  /// Stops serving; open pages lose their connection.
  public func stop() {
    isStopped.store(true, ordering: .releasing)
    listener.stop()
  }

  private func serve() {
    while let connection = listener.accept() {
      guard connections.load(ordering: .relaxed) < Self.maximumConnections else { continue }
      connections.add(1, ordering: .relaxed)
      Thread.detachNewThread { [self] in
        answer(connection)
        connections.subtract(1, ordering: .relaxed)
      }
    }
  }

  private func answer(_ connection: LoopbackConnection) {
    let deadline = ContinuousClock.now + .seconds(10)
    do throws(LoopbackRefusal) {
      let request = try LoopbackRequest.read {
        ContinuousClock.now < deadline ? connection.read(atMost: $0) : []
      }
      guard let request else { return }
      try check(request)
      switch (request.method, request.path) {
      case ("GET", "/"): page(connection)
      case ("GET", "/events"):
        PageEvents(apns, address, isStopped: { self.hasStopped }).stream(to: connection)
      case ("GET", _): respond(connection, "200 OK", "application/json", try details(request.path).encoded())
      case ("POST", "/do"):
        try PageCommand(request.body).carryOut(on: apns)
        respond(connection, "200 OK", "application/json", Array("{}".utf8))
      default: throw .wrongMethod
      }
    } catch {
      respond(connection, error.status, "text/plain; charset=utf-8", Array(error.status.utf8))
    }
  }

  private var hasStopped: Bool { isStopped.load(ordering: .acquiring) }

  /// Checks where a request is from and for.
  private func check(_ request: LoopbackRequest) throws(LoopbackRefusal) {
    try request.checkHost(port: listener.port)
    guard request.method == "POST" else { return }
    guard request.headers["origin"] == "http://\(request.headers["host"] ?? "")" else { throw .otherOrigin }
    guard request.headers["content-type"] == "application/json" else { throw .notJSON }
  }

  /// One push with all that is kept of it.
  private func details(_ path: String) throws(LoopbackRefusal) -> JSONObject {
    let prefix = "/pushes/"
    guard path.hasPrefix(prefix), let number = String(path.dropFirst(prefix.count)).decimal,
      let push = apns.push(Int(number))
    else { throw .notFound }
    return push.details
  }

  /// The page itself, whose script and style run only with the number that is made for this answer.
  private func page(_ connection: LoopbackConnection) {
    let nonce = UUID().uuidString
    let html = String(decoding: PackageResources.page_html, as: UTF8.self).replacing("NONCE", with: nonce)
    let policy = """
      default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; connect-src 'self'; \
      base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'
      """
    respond(connection, "200 OK", "text/html; charset=utf-8", Array(html.utf8), policy: policy)
  }

  private func respond(
    _ connection: LoopbackConnection, _ status: String, _ type: String, _ body: [UInt8],
    policy: String = "default-src 'none'"
  ) {
    _ =
      connection.write(Self.head(status, type, policy: policy, length: body.count)) && connection.write(body)
  }

  /// The beginning of an answer.
  static func head(_ status: String, _ type: String, policy: String, length: Int?) -> String {
    """
    HTTP/1.1 \(status)\r
    Content-Type: \(type)\r
    \(length.map { "Content-Length: \($0)\r\n" } ?? "")Content-Security-Policy: \(policy)\r
    X-Content-Type-Options: nosniff\r
    Referrer-Policy: no-referrer\r
    Cross-Origin-Resource-Policy: same-origin\r
    Cache-Control: no-store\r
    Connection: close\r
    \r

    """
  }
}
