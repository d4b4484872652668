internal import PushCommands
internal import PushCore
internal import PushNetwork
internal import PushStandIn
internal import PushStore

/// The page that shows operators a store's queue, and steers it: a `BrowserPage`.
///
/// It shows no text of a message, no token and no key.
final class OperatorPage: Sendable {
  private let store: any Store
  private let page: BrowserPage
  private let view: OperatorView

  /// The header that every POST of the page has, and that no other site's form can send.
  static let header = "sealedpush-page"

  /// The page's address; whoever knows it can use the page.
  var address: String { page.address }

  /// The page's origin, which every POST must name.
  var origin: String { page.origin }

  /// Serves the page of a store; port 0 lets the system choose one.
  init(of store: any Store, port: UInt16) throws(ToolError) {
    self.store = store
    view = OperatorView(store: store)
    do throws(ListenError) {
      page = try BrowserPage(port: port, token: .random())
    } catch {
      throw ToolError(.failed, error.description, hint: "port 0 lets the system choose one")
    }
    page.serve(PackageResources.page_html) { (request, path) throws(PlainRefusal) in
      try self.answer(to: request, at: path)
    }
  }

  /// Stops serving; open pages lose their connection.
  func stop() { page.stop() }

  private func answer(to request: PlainRequest, at path: String) throws(PlainRefusal) -> PlainAnswer {
    switch (request.method, path) {
    case ("GET", "/state"):
      return Self.answer { () async throws(StoreError) in try await self.view.state() }
    case ("POST", "/ask"):
      let question = try OperatorQuestion(parsing: try Self.body(of: request))
      return Self.answer { () async throws(StoreError) in try await question.answer(from: self.store) }
    case ("POST", "/do"):
      let command = try OperatorCommand(parsing: try Self.body(of: request))
      return Self.answer { () async throws(StoreError) in
        ["done": .number(JSONNumber(try await command.carryOut(on: self.store)))]
      }
    case (_, "/state"), (_, "/ask"), (_, "/do"), ("POST", _): throw .wrongMethod
    default: throw .notFound
    }
  }

  /// The body of a request that the page has sent.
  private static func body(of request: PlainRequest) throws(PlainRefusal) -> JSONObject {
    guard request.headers[header] == "1" else { throw .otherOrigin }
    guard let object = try? JSONObject(parsing: request.body.span) else { throw .badCommand }
    return object
  }

  /// Answers with what the store says, or with why it says nothing.
  private static func answer(
    _ work: @escaping @Sendable () async throws(StoreError) -> JSONObject
  ) -> PlainAnswer {
    let result = BlockingWait.value { () async -> Result<JSONObject, StoreError> in
      do throws(StoreError) { return .success(try await work()) } catch { return .failure(error) }
    }
    switch result {
    case .success(let object):
      return PlainAnswer(type: "application/json", body: .bytes(object.encoded()))
    case .failure(let error):
      return PlainAnswer(
        status: "503 Service Unavailable", type: "text/plain; charset=utf-8",
        body: .bytes(Array("\(error)\n".utf8)))
    }
  }
}
