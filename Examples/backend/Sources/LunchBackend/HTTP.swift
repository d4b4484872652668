import PushStore

/// A request as your HTTP framework has it.
public struct Request: Sendable {
  /// `GET` or `POST`.
  public var method: String

  /// The path below the place of the routes, such as `/v1/challenges`, without a query.
  public var path: String

  /// The headers, by their names in lower case.
  public var headers: [String: String]

  /// The body: have your framework refuse those of more than 32 KiB.
  public var body: [UInt8]

  /// Takes the parts.
  public init(_ method: String, path: String, headers: [String: String] = [:], body: [UInt8] = []) {
    (self.method, self.path, self.headers, self.body) = (method, path, headers, body)
  }
}

/// What the app gets.
public struct Response: Sendable {
  /// The status.
  public var status: Int

  /// The headers, by their names in lower case.
  public var headers: [String: String]

  /// The body.
  public var body: [UInt8]
}

extension Response {
  /// A response in JSON.
  init(_ object: JSONObject, status: Int = 200, headers: [String: String] = [:]) {
    let own = ["content-type": "application/json", "cache-control": "no-store"]
    self.init(status: status, headers: own.merging(headers) { $1 }, body: object.encoded())
  }
}

/// Why a request is not done.
enum Refusal: Error {
  case unauthorized, forbidden, notFound, notJSON
  case badRequest(String)
  case tooMany(seconds: Int)
  case unavailable

  var response: Response {
    switch self {
    case .unauthorized:
      Response(["error": "unauthorized"], status: 401, headers: ["www-authenticate": "Session"])
    case .forbidden: Response(["error": "forbidden"], status: 403)
    case .notFound: Response(["error": "not-found"], status: 404)
    case .notJSON: Response(["error": "not-json"], status: 415)
    case .badRequest(let reason):
      Response(["error": "bad-request", "reason": .string(reason)], status: 400)
    case .tooMany(let seconds):
      Response(
        ["error": "too-many", "seconds": JSONValue(seconds)], status: 429,
        headers: ["retry-after": "\(seconds)"])
    case .unavailable: Response(["error": "unavailable"], status: 503, headers: ["retry-after": "1"])
    }
  }
}
