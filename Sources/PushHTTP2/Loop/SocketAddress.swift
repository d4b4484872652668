internal import CEventLoop
internal import Glibc
private import Synchronization

/// An IP address with a port.
struct SocketAddress: Hashable, Sendable {
  let family: CInt
  private let bytes: [UInt8]

  /// Copies an address of the system's.
  @unsafe init?(_ address: UnsafePointer<sockaddr>, size: Int) {
    family = CInt(unsafe address.pointee.sa_family)
    guard family == AF_INET || family == AF_INET6 else { return nil }
    unsafe bytes = [UInt8](UnsafeRawBufferPointer(start: address, count: size))
  }

  /// Gives the address to a call.
  @unsafe func withPointer<Result>(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    unsafe bytes.withUnsafeBytes { bytes in
      var storage = sockaddr_storage()
      return unsafe withUnsafeMutableBytes(of: &storage) { storage in
        unsafe storage.copyMemory(from: bytes)
        // A storage begins with an address, and is aligned for it.
        return unsafe call(
          storage.assumingMemoryBound(to: sockaddr.self).baseAddress!, socklen_t(bytes.count))
      }
    }
  }

  /// Whether `host` is an IP address, not a name.
  static func isLiteral(_ host: String) -> Bool {
    var address = in6_addr()
    return unsafe inet_pton(AF_INET, host, &address) == 1 || inet_pton(AF_INET6, host, &address) == 1
  }
}

/// Looks up the addresses of names, each on a thread of its own: the system's resolver blocks for as long as it likes.
///
/// Nothing is kept. Those who ask for a name while it is being looked up share the answer, so that a resolver that hangs
/// holds one thread for a name.
final class Resolver: Sendable {
  static let shared = Resolver()

  typealias Answer = Result<[SocketAddress], ResolverError>

  private let waiting = Mutex<[Question: [CheckedContinuation<Answer, Never>]]>([:])

  private struct Question: Hashable {
    let host: String
    let port: UInt16
  }

  /// The addresses of a host, at least one, in the system's order of preference.
  func answer(for host: String, port: UInt16) async -> Answer {
    let question = Question(host: host, port: port)
    return await withCheckedContinuation { continuation in
      let isFirst = waiting.withLock { waiting in
        waiting[question, default: []].append(continuation)
        return waiting[question]?.count == 1
      }
      guard isFirst else { return }
      do throws(SocketError) {
        try startThread { [self] in end(question, with: Self.lookUp(question)) }
      } catch {
        end(question, with: .failure(ResolverError(EAI_AGAIN)))
      }
    }
  }

  private func end(_ question: Question, with answer: Answer) {
    let continuations = waiting.withLock { $0.removeValue(forKey: question) ?? [] }
    for continuation in continuations { continuation.resume(returning: answer) }
  }

  private static func lookUp(_ question: Question) -> Answer {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
    unsafe hints.ai_flags =
      AI_NUMERICSERV | (SocketAddress.isLiteral(question.host) ? AI_NUMERICHOST : AI_ADDRCONFIG)
    var list: UnsafeMutablePointer<addrinfo>?
    let status = unsafe getaddrinfo(question.host, String(question.port), &hints, &list)
    defer { if let list = unsafe list { unsafe freeaddrinfo(list) } }
    guard status == 0 else { return .failure(ResolverError(status)) }
    var addresses: [SocketAddress] = []
    var next = unsafe list
    while let entry = unsafe next {
      let info = unsafe entry.pointee
      if let address = unsafe SocketAddress(info.ai_addr, size: Int(info.ai_addrlen)) {
        addresses.append(address)
      }
      unsafe next = info.ai_next
    }
    return addresses.isEmpty ? .failure(ResolverError(EAI_NONAME)) : .success(addresses)
  }
}

/// A name without an address.
package struct ResolverError: Error, Hashable, Sendable, CustomStringConvertible {
  private let code: CInt

  init(_ code: CInt) { self.code = code }

  /// Why there is no address, in the system's words.
  package var description: String { unsafe String(cString: gai_strerror(code)) }
}
