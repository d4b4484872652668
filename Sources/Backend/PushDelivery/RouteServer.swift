internal import PushCore
internal import PushNetwork

/// The server of a route, and how to connect to it.
struct RouteServer {
  private let endpoint: HTTP2Endpoint
  /// What the server is reached through; nil if it is reached without a proxy.
  private let proxy: HTTPProxy?
  private let context: TLSContext
  private let configuration: HTTP2Configuration
  private let clock: any PushClock
  private let counters: DeliveryCounters

  init(
    endpoint: HTTP2Endpoint, proxy: HTTPProxy?, context: TLSContext, configuration: HTTP2Configuration,
    clock: any PushClock, counters: DeliveryCounters
  ) {
    (self.endpoint, self.proxy, self.context) = (endpoint, proxy, context)
    (self.configuration, self.clock, self.counters) = (configuration, clock, counters)
  }

  /// Connects, and counts the connection or the failure.
  func connect() async throws(HTTP2Error) -> HTTP2Connection {
    do throws(HTTP2Error) {
      let connection = try await HTTP2Connection.connect(
        to: endpoint, through: proxy?.tunnel, context: context, configuration: configuration, clock: clock)
      counters.count { $0.connections += 1 }
      return connection
    } catch {
      counters.count { $0.failedConnections += 1 }
      throw error
    }
  }
}
