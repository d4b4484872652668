#if canImport(Darwin)
  public import Foundation

  /// The enrolment service of the app's backend, over HTTPS with Foundation's `URLSession`.
  public struct URLSessionEnrolmentService: EnrolmentService {
    private let address: URL
    private let session: URLSession
    private let authorize: @Sendable (_ request: inout URLRequest, _ person: String) async throws -> Void

    /// The longest time without bytes from the service, in seconds.
    public static let timeout: TimeInterval = 15

    /// Takes the address of the service, such as `https://example.com/push`.
    ///
    /// `authorize` adds the session of a person to a request, such as a header with a token; an app whose `session` has the
    /// cookie of its only login needs none.
    public init(
      at address: URL, session: URLSession = .shared,
      authorizing authorize:
        @escaping @Sendable (
          _ request: inout URLRequest, _ person: String
        ) async throws -> Void = { _, _ in }
    ) {
      self.address = address
      self.session = session
      self.authorize = authorize
    }

    /// Sends a request, and reads at most ``ServiceResponse/maximumBody`` bytes of the answer.
    ///
    /// - Throws: What `URLSession` and `authorize` throw.
    public func send(_ request: ServiceRequest, as person: String?) async throws -> ServiceResponse {
      let path = request.path.drop { $0 == "/" }
      var message = URLRequest(url: address.appendingPathComponent(String(path)))
      message.httpMethod = request.method
      message.timeoutInterval = Self.timeout
      for (name, value) in request.headers { message.setValue(value, forHTTPHeaderField: name) }
      if !request.body.isEmpty { message.httpBody = Data(request.body) }
      if let person { try await authorize(&message, person) }
      let (bytes, response) = try await session.bytes(for: message)
      var body: [UInt8] = []
      for try await byte in bytes {
        body.append(byte)
        if body.count > ServiceResponse.maximumBody { break }
      }
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      return ServiceResponse(status: status, body: body)
    }
  }
#endif
