internal import PushNetwork
internal import PushCore

/// The page that shows what Apple sees, what the person sees, and why: a ``BrowserPage``.
///
/// The content of a push gets into the page only as text.
package final class StandInPage: Sendable {
  private let apns: APNsModel
  private let page: BrowserPage

  /// The page's address; whoever knows it can use the page.
  package var address: String { page.address }

  /// The page's origin, which every POST must name.
  package var origin: String { page.origin }

  /// Serves the page of `apns`; port 0 lets the system choose one.
  ///
  /// - Throws: ``StandInError``.
  package init(of apns: APNsModel, port: UInt16 = 0, token: PageToken = .random()) throws(StandInError) {
    self.apns = apns
    do throws(ListenError) {
      page = try BrowserPage(port: port, token: token)
    } catch {
      throw .cannotListen(port: error.port, errno: error.errno)
    }
    page.serve(PackageResources.page_html) { (request, path) throws(PlainRefusal) in
      try self.answer(to: request, at: path)
    }
  }

  /// Stops serving; open pages lose their connection.
  package func stop() { page.stop() }

  private func answer(to request: PlainRequest, at path: String) throws(PlainRefusal) -> PlainAnswer {
    switch (request.method, path) {
    case ("GET", "/events"):
      let events = PageEvents(of: apns, address: address) { [page] in page.isStopped }
      return PlainAnswer(type: "text/event-stream", body: .stream { events.stream(to: $0) })
    case ("GET", let path):
      return PlainAnswer(type: "application/json", body: .bytes(try details(at: path).encoded()))
    case ("POST", "/do"):
      try PageCommand(parsing: request.body).carryOut(on: apns)
      return PlainAnswer(type: "application/json", body: .bytes(Array("{}".utf8)))
    default: throw .wrongMethod
    }
  }

  /// One push with everything that is kept of it.
  private func details(at path: String) throws(PlainRefusal) -> JSONObject {
    let prefix = "/pushes/"
    guard path.hasPrefix(prefix), let number = String(path.dropFirst(prefix.count)).decimal,
      let push = apns.push(numbered: Int(number))
    else { throw .notFound }
    return push.details
  }
}
