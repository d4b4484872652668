/// Asks a proxy for a connection to a server, over a socket that leads to the proxy.
///
/// Afterwards the socket is as if it led to the server: not a byte of the server's has been taken from it.
struct Tunnel {
  private let hasCredentials: Bool
  /// The request until it is sent; then it is wiped.
  private var request: TunnelRequest?
  private var answer = TunnelAnswer()

  /// Begins a tunnel to a server.
  init(to endpoint: HTTP2Endpoint, through proxy: TunnelProxy) {
    hasCredentials = proxy.credentials != nil
    request = TunnelRequest(to: endpoint.target, credentials: proxy.credentials)
  }

  /// Goes on, and returns what it waits for then; nil once the socket leads to the server.
  mutating func proceed(over socket: Socket) throws(TunnelError.Fault) -> Readiness? {
    do throws(SocketError) {
      if let request {
        guard try request.send(over: socket) else { return .write }
        self.request = nil
      }
    } catch {
      throw TunnelError.Fault(error)
    }
    while true {
      if let status = answer.status {
        if let fault = fault(of: status) { throw fault }
        return nil
      }
      guard let bytes = try arrived(at: socket) else { return .read }
      guard !bytes.isEmpty else { throw .closed }
      let count = try answer.read(bytes)
      do throws(SocketError) { try socket.take(count) } catch { throw TunnelError.Fault(error) }
    }
  }

  /// What a status means; nil if the socket leads to the server.
  private func fault(of status: Int) -> TunnelError.Fault? {
    switch status {
    case 200..<300: nil
    // tinyproxy says 401 to a password that is wrong.
    case 401, 407:
      hasCredentials ? .credentialsRefused(status: status) : .credentialsNeeded(status: status)
    default: .status(status)
    }
  }

  private func arrived(at socket: Socket) throws(TunnelError.Fault) -> [UInt8]? {
    do throws(SocketError) { return try socket.peek(atMost: 1024) } catch { throw TunnelError.Fault(error) }
  }
}
