internal import PushCommands
internal import PushCore
internal import PushNetwork
internal import PushStore

/// Why a service does not do what a request asks for.
enum ServiceRefusal: Error {
  /// The secret or the login is missing or wrong.
  case unauthorized
  /// The request comes from a web page, or may come from one.
  case forbidden
  /// There is nothing of that name, or it is somebody else's.
  case notFound
  /// The path takes this method alone.
  case wrongMethod(allowed: String)
  /// The body is not of the type `application/json`.
  case notJSON
  /// A member is missing or wrong.
  case badRequest(String)
  /// The person may ask again later.
  case tooMany(retryAfter: Duration)
  /// The store cannot be used for now.
  case unavailable
}

extension PlainAnswer {
  /// An answer in JSON.
  init(_ object: JSONObject, status: String = "200 OK", headers: [(name: String, value: String)] = []) {
    self.init(
      status: status, type: "application/json", headers: headers,
      body: .bytes(Array(object.jsonLine.utf8)))
  }

  /// The answer to a request that the service refuses.
  init(_ refusal: ServiceRefusal) {
    switch refusal {
    case .unauthorized:
      // Without this header it would be no 401.
      self.init(
        error: "unauthorized", status: "401 Unauthorized", headers: [("WWW-Authenticate", "SealedPush")])
    case .forbidden: self.init(error: "forbidden", status: "403 Forbidden")
    case .notFound: self.init(error: "not-found", status: "404 Not Found")
    case .wrongMethod(let allowed):
      self.init(error: "wrong-method", status: "405 Method Not Allowed", headers: [("Allow", allowed)])
    case .notJSON: self.init(error: "not-json", status: "415 Unsupported Media Type")
    case .badRequest(let reason):
      self.init(["error": "bad-request", "reason": .string(reason)], status: "400 Bad Request")
    case .tooMany(let time):
      let seconds = Int((time / .seconds(1)).rounded(.up))
      self.init(
        ["error": "too-many", "seconds": .number(JSONNumber(seconds))], status: "429 Too Many Requests",
        headers: [("Retry-After", "\(seconds)")])
    case .unavailable:
      self.init(error: "unavailable", status: "503 Service Unavailable", headers: [("Retry-After", "1")])
    }
  }

  /// The answer to a request that is refused before it is read.
  init(refusing refusal: PlainRefusal) {
    switch refusal {
    case .tooLarge: self.init(error: "too-large", status: refusal.status)
    case .tooMany: self.init(.unavailable)
    default:
      self.init(
        ["error": "bad-request", "reason": "not HTTP/1.1 as it is taken here"], status: refusal.status)
    }
  }

  private init(error: String, status: String, headers: [(name: String, value: String)] = []) {
    self.init(["error": .string(error)], status: status, headers: headers)
  }

  /// What a worker has answered to an enrolment, or that it has not yet.
  init(to enrolment: Int64, _ answered: HandedInEnrolment?) {
    var object: JSONObject = ["id": .string("\(enrolment)")]
    guard let answered, let answer = answered.answer else {
      self.init(object, status: "202 Accepted", headers: [("Retry-After", "1")])
      return
    }
    for (name, value) in answer.members { object[name] = .string(value) }
    object["account"] = answered.account.map { .string($0.text) }
    self.init(object)
  }
}

extension EnrolmentAnswer {
  /// The members of an answer in JSON.
  var members: [(String, String)] {
    let (word, reason, request) = columns
    return [("answer", word), ("reason", reason), ("request", request)].compactMap { name, value in
      value.map { (name, $0) }
    }
  }
}
