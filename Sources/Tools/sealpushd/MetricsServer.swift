internal import PushCommands
internal import PushDelivery
internal import PushNetwork

/// Answers `GET /metrics` in plain HTTP on 127.0.0.1, and nothing else.
struct MetricsServer {
  private let server: PlainServer

  /// The port.
  var port: UInt16 { server.port }

  /// Serves what `text` gives; port 0 lets the system choose one.
  init(port: UInt16, text: @escaping @Sendable () async -> String) throws(ToolError) {
    do throws(ListenError) {
      server = try PlainServer(port: port, maximumConnections: 8)
    } catch {
      throw ToolError(
        .failed, error.description, hint: "another worker may use it; port 0 lets the system choose one")
    }
    server.serve { (request) throws(PlainRefusal) in
      guard request.path == "/metrics" else { throw .notFound }
      guard request.method == "GET" else { throw .wrongMethod }
      return PlainAnswer(
        type: PrometheusText.contentType, body: .bytes(Array(BlockingWait.value(text).utf8)))
    }
  }

  /// Stops serving.
  func stop() { server.stop() }
}
