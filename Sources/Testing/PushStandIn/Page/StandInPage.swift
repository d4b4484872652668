private import Foundation
internal import PushNetwork
internal import PushCore

/// The page that shows what Apple sees, what the person sees, and why: plain HTTP on 127.0.0.1.
///
/// It is for the browser of the person who runs the stand-in. Its address has a token, which other users of this machine do not
/// know. Requests for another host, or from another site's page, are refused, and only POST changes anything. The content of a
/// push gets into the page only as text.
package final class StandInPage: Sendable {
  private let apns: APNsModel
  private let server: PlainServer
  private let token: PageToken

  /// The page's address; whoever knows it can use the page.
  package var address: String { "\(origin)/\(token.text)/" }

  /// The page's origin, which every POST must name.
  package var origin: String { "http://127.0.0.1:\(server.port)" }

  /// Serves the page of `apns`; port 0 lets the system choose one.
  ///
  /// - Throws: ``StandInError``.
  package init(of apns: APNsModel, port: UInt16 = 0, token: PageToken = .random()) throws(StandInError) {
    self.apns = apns
    self.token = token
    do throws(ListenError) {
      server = try PlainServer(port: port, maximumConnections: 32)
    } catch {
      throw .cannotListen(port: error.port, errno: error.errno)
    }
    server.serve { (request) throws(PlainRefusal) in try self.answer(to: request) }
  }

  /// Stops serving; open pages lose their connection.
  package func stop() { server.stop() }

  private func answer(to request: PlainRequest) throws(PlainRefusal) -> PlainAnswer {
    let path = try token.path(in: request.path)
    try check(request)
    switch (request.method, path) {
    case ("GET", "/"): return page
    case ("GET", "/events"):
      let events = PageEvents(of: apns, address: address) { [server] in server.isStopped }
      return PlainAnswer(type: "text/event-stream", body: .stream { events.stream(to: $0) })
    case ("GET", let path):
      return PlainAnswer(type: "application/json", body: .bytes(try details(at: path).encoded()))
    case ("POST", "/do"):
      try PageCommand(parsing: request.body).carryOut(on: apns)
      return PlainAnswer(type: "application/json", body: .bytes(Array("{}".utf8)))
    default: throw .wrongMethod
    }
  }

  /// Checks the origin of a request that changes something.
  private func check(_ request: PlainRequest) throws(PlainRefusal) {
    guard request.method == "POST" else { return }
    guard request.headers["origin"] == "http://\(request.headers["host"] ?? "")" else { throw .otherOrigin }
    guard request.headers["content-type"] == "application/json" else { throw .notJSON }
  }

  /// One push with everything that is kept of it.
  private func details(at path: String) throws(PlainRefusal) -> JSONObject {
    let prefix = "/pushes/"
    guard path.hasPrefix(prefix), let number = String(path.dropFirst(prefix.count)).decimal,
      let push = apns.push(numbered: Int(number))
    else { throw .notFound }
    return push.details
  }

  /// The page itself; its script and style run only with this answer's nonce.
  private var page: PlainAnswer {
    let nonce = UUID().uuidString
    let html = String(decoding: PackageResources.page_html, as: UTF8.self).replacing("NONCE", with: nonce)
    let policy = """
      default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; connect-src 'self'; \
      base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'
      """
    return PlainAnswer(type: "text/html; charset=utf-8", body: .bytes(Array(html.utf8)), policy: policy)
  }
}
