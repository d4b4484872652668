#if canImport(Glibc)
  private import Foundation
  private import Glibc
  private import Synchronization

  /// An HTTP proxy on this machine, which does with each request what a test says.
  public final class LoopbackProxy: Sendable {
    /// What it does with a request.
    public enum Answer: Sendable {
      /// It sends these, one after the other, and leads to a port of 127.0.0.1.
      case tunnel(to: UInt16, saying: [String] = ["HTTP/1.1 200 Connection established\r\n\r\n"])
      /// It sends this, and closes.
      case close(saying: String)
      /// It sends this, and then nothing until the other side closes.
      case stall(saying: String)
      /// It sends this, and then the other text again and again until the other side closes.
      case endless(String, String)
    }

    private struct State {
      var requests: [String] = []
      var heard = 0
      var ended = 0
    }

    /// The port that it listens on.
    public let port: UInt16

    private let listener: CInt
    private let state = Mutex(State())

    /// Listens until ``stop()``.
    public init(_ answer: @escaping @Sendable (_ request: String) -> Answer) throws {
      (listener, port) = try Self.listening()
      Thread.detachNewThread { [self] in
        while case let client = accept(listener, nil, nil), client >= 0 {
          Thread.detachNewThread { [self] in
            serve(client, answer)
            close(client)
            state.withLock { $0.ended += 1 }
          }
        }
        close(listener)
      }
    }

    /// Leads every request to a port of this machine.
    public convenience init(to port: UInt16) throws { try self.init { _ in .tunnel(to: port) } }

    /// The heads of the requests, in order.
    public var requests: [String] { state.withLock(\.requests) }

    /// How many bytes have come while it stalled.
    public var heard: Int { state.withLock(\.heard) }

    /// How many connections have ended.
    public var ended: Int { state.withLock(\.ended) }

    /// Listens no longer.
    public func stop() { shutdown(listener, CInt(SHUT_RDWR)) }

    /// A port on which nobody listens.
    public static func closedPort() throws -> UInt16 {
      let (listener, port) = try listening()
      close(listener)
      return port
    }

    private func serve(_ client: CInt, _ answer: (String) -> Answer) {
      var head: [UInt8] = []
      while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
        let byte = Self.read(client, atMost: 1)
        guard !byte.isEmpty else { return }
        head += byte
      }
      let request = String(decoding: head, as: UTF8.self)
      state.withLock { $0.requests.append(request) }
      switch answer(request) {
      case .tunnel(let port, let texts):
        for text in texts { Self.write(Array(text.utf8), to: client) }
        guard let server = LoopbackSocket.connected(to: port) else { return }
        Self.join(client, server)
        close(server)
      case .close(let text): Self.write(Array(text.utf8), to: client)
      case .stall(let text):
        Self.write(Array(text.utf8), to: client)
        while case let bytes = Self.read(client, atMost: 1024), !bytes.isEmpty {
          state.withLock { $0.heard += bytes.count }
        }
      case .endless(let start, let text):
        Self.write(Array(start.utf8), to: client)
        while Self.write(Array(text.utf8), to: client) {}
      }
    }

    /// Carries bytes between two sockets until both sides have ended.
    private static func join(_ client: CInt, _ server: CInt) {
      let back = DispatchGroup()
      back.enter()
      Thread.detachNewThread {
        carry(from: server, to: client)
        back.leave()
      }
      carry(from: client, to: server)
      back.wait()
    }

    private static func carry(from source: CInt, to target: CInt) {
      while case let bytes = read(source, atMost: 1 << 14), !bytes.isEmpty, write(bytes, to: target) {}
      shutdown(source, CInt(SHUT_RDWR))
      shutdown(target, CInt(SHUT_RDWR))
    }

    private static func read(_ descriptor: CInt, atMost count: Int) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: count)
      let size = unsafe recv(descriptor, &bytes, count, 0)
      return Array(bytes.prefix(max(0, size)))
    }

    @discardableResult
    private static func write(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes {
          unsafe send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
        }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }

    private static func listening() throws -> (CInt, UInt16) {
      let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isDone = unsafe withUnsafeMutablePointer(to: &address) { address in
        unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe bind(descriptor, $0, size) == 0 && listen(descriptor, 64) == 0
            && getsockname(descriptor, $0, &size) == 0
        }
      }
      guard isDone else { throw POSIXError(.EADDRNOTAVAIL) }
      return (descriptor, UInt16(bigEndian: address.sin_port))
    }
  }
#endif
