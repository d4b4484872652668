private import Foundation
package import PushNetwork

/// A page for the browser of whoever runs the program: plain HTTP on 127.0.0.1.
///
/// Its address has a token, which other users of this machine do not know. Requests for another host, or from another site's
/// page, are refused, and only POST with JSON from the page itself changes anything. The page runs its own script alone.
package final class BrowserPage: Sendable {
  /// Answers a request at a path, which is without the token; the page itself is answered already.
  package typealias Handler = @Sendable (PlainRequest, String) throws(PlainRefusal) -> PlainAnswer

  private let server: PlainServer
  private let token: PageToken

  /// The page's address; whoever knows it can use the page.
  package var address: String { "\(origin)/\(token.text)/" }

  /// The page's origin, which every POST must name.
  package var origin: String { "http://127.0.0.1:\(server.port)" }

  /// Whether the server was stopped, which ends streams.
  package var isStopped: Bool { server.isStopped }

  /// Listens on a port of 127.0.0.1; port 0 lets the system choose one.
  ///
  /// - Throws: `ListenError`.
  package init(port: UInt16, token: PageToken) throws(ListenError) {
    server = try PlainServer(port: port, maximumConnections: 32)
    self.token = token
  }

  /// Serves a page, in whose HTML `NONCE` stands for the nonce of its script and style; may be called once.
  package func serve(_ html: [UInt8], with handler: @escaping Handler) {
    server.serve { [token] (request) throws(PlainRefusal) in
      let path = try token.path(in: request.path)
      try Self.check(request)
      guard request.method != "GET" || path != "/" else { return Self.answer(with: html) }
      return try handler(request, path)
    }
  }

  /// Stops serving; open pages lose their connection.
  package func stop() { server.stop() }

  /// Checks the origin of a request that changes something.
  private static func check(_ request: PlainRequest) throws(PlainRefusal) {
    guard request.method == "POST" else { return }
    guard request.headers["origin"] == "http://\(request.headers["host"] ?? "")" else { throw .otherOrigin }
    guard request.headers["content-type"] == "application/json" else { throw .notJSON }
  }

  /// The page itself; its script and style run only with this answer's nonce.
  private static func answer(with html: [UInt8]) -> PlainAnswer {
    let nonce = UUID().uuidString
    let html = String(decoding: html, as: UTF8.self).replacing("NONCE", with: nonce)
    let policy = """
      default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; connect-src 'self'; \
      base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'
      """
    return PlainAnswer(type: "text/html; charset=utf-8", body: .bytes(Array(html.utf8)), policy: policy)
  }
}
