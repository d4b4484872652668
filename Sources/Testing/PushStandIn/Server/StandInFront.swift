internal import PushNetwork
internal import PushReceiver
private import Synchronization

/// Connects the network with the model: it keeps each connection's state, and carries out the faults of the transport.
final class StandInFront: Sendable {
  /// A connection, as the server knows it and as the model knows it.
  private struct Known: Sendable {
    weak var server: HTTP2ServerConnection?
    let model = APNsModel.Connection()
  }

  /// How long a stalled connection stays open.
  private static let stallTime = Duration.seconds(600)

  private let model: APNsModel
  private let known = Mutex<[ObjectIdentifier: Known]>([:])

  init(model: APNsModel) { self.model = model }

  /// Answers a request, or fails it as the model says.
  func answer(to request: HTTP2ServerRequest) async -> HTTP2ServerAnswer {
    let connection = connection(of: request)
    let wasTrusted = connection.isTrusted
    let handling = await handle(APNsRequest(request), on: connection)
    if !wasTrusted, connection.isTrusted {
      await request.connection.set(concurrentStreams: model.settings.concurrentStreams)
    }
    var answer = handling.answer.map { HTTP2ServerAnswer.response(HTTP2Response($0)) } ?? .silence
    for fault in handling.faults { answer = await fail(with: fault, on: request, in: answer) }
    return answer
  }

  /// Runs apart from the event loop's thread, which all connections need.
  @concurrent private func handle(
    _ request: APNsRequest, on connection: APNsModel.Connection
  ) async -> APNsModel.Handling { await model.handle(request, on: connection) }

  private func connection(of request: HTTP2ServerRequest) -> APNsModel.Connection {
    let id = ObjectIdentifier(request.connection)
    return known.withLock { known in
      if let old = known[id], old.server === request.connection { return old.model }
      known = known.filter { $0.value.server != nil }
      let new = Known(server: request.connection)
      known[id] = new
      return new.model
    }
  }

  /// Carries out a fault on the connection, and returns what becomes of the answer.
  private func fail(
    with fault: TransportFault, on request: HTTP2ServerRequest, in answer: HTTP2ServerAnswer
  ) async -> HTTP2ServerAnswer {
    let connection = request.connection
    switch fault {
    case .refuseStream: return .reset(code: HTTP2Code.refusedStream)
    case .reset(.beforeProcessing), .reset(.beforeAnswer): return .reset(code: HTTP2Code.internalError)
    case .reset(.duringAnswer):
      guard case .response(let response) = answer else { return answer }
      return .brokenOff(response, code: HTTP2Code.internalError)
    case .goAwayGracefully: await connection.goAway()
    case .goAwayAbruptly:
      await connection.goAway(closing: true)
      return .silence
    case .cut:
      await connection.close(abruptly: true)
      return .silence
    case .stall:
      await connection.stall()
      Task { [clock = model.clock] in
        // A client gives up long before that. Without this limit, each stall would keep a descriptor.
        try? await clock.sleep(for: Self.stallTime)
        await connection.close(abruptly: true)
      }
      return .silence
    case .slowReading(let duration):
      await connection.set(reading: false)
      Task { [clock = model.clock] in
        try? await clock.sleep(for: duration)
        await connection.set(reading: true)
      }
    case .streamLimit(let limit): await connection.set(concurrentStreams: limit)
    }
    return answer
  }
}

extension APNsRequest {
  init(_ request: HTTP2ServerRequest) {
    let headers = request.fields.map { Header(name: $0.name, value: $0.value) }
    self.init(method: request.method, path: request.path, headers: headers, body: request.body)
  }
}

extension HTTP2Response {
  init(_ answer: APNsAnswer) {
    self.init(
      status: answer.status, fields: answer.headers.map { HTTPField(name: $0.name, value: $0.value) },
      body: answer.body)
  }
}
