#if canImport(Glibc)
  private import Glibc

  /// Sockets to servers of this machine.
  public enum LoopbackSocket {
    /// A descriptor, connected to a port of 127.0.0.1, which the caller closes; nil if nobody listens there.
    public static func connected(to port: UInt16) -> CInt? {
      let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      // Whoever waits for an answer that never comes goes on.
      var patience = timeval(tv_sec: Int(HangGuard.patience.components.seconds), tv_usec: 0)
      unsafe setsockopt(
        descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
      let size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let status = unsafe withUnsafePointer(to: &address) { address in
        unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe connect(descriptor, $0, size)
        }
      }
      guard status == 0 else {
        close(descriptor)
        return nil
      }
      return descriptor
    }
  }
#endif
