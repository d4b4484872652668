internal import PushCore
internal import CLinux
internal import Glibc
private import Synchronization

/// Looks up the addresses of names, each on a thread of its own: the system's resolver may block for long.
///
/// Answers are not kept. Callers that ask for a name while it is being looked up share the answer, so a resolver that
/// hangs holds only one thread for each name.
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
        end(question, with: .failure(ResolverError(code: EAI_AGAIN)))
      }
    }
  }

  /// Looks up the addresses of a host, until a deadline.
  func addresses(
    of host: String, port: UInt16, until deadline: Duration, clock: any PushClock
  ) async throws(HTTP2Error) -> [SocketAddress] {
    let race = Race<Result<[SocketAddress], HTTP2Error>>()
    let lookUp = Task.detached {
      race.end(with: await self.answer(for: host, port: port).mapError(HTTP2Error.name))
    }
    let timer = Task.detached {
      do { try await clock.sleep(until: deadline) } catch { return }
      race.end(with: .failure(.timeout))
    }
    defer {
      lookUp.cancel()
      timer.cancel()
    }
    return try await race.result(ifCancelled: .failure(.cancelled)).get()
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
    return unsafe answer(of: list, status: status)
  }

  /// The answer in the list that `getaddrinfo` made, or the reason why it made none.
  @unsafe static func answer(of list: UnsafeMutablePointer<addrinfo>?, status: CInt) -> Answer {
    guard status == 0 else { return .failure(ResolverError(code: status)) }
    var addresses: [SocketAddress] = []
    var next = unsafe list
    while let entry = unsafe next {
      let info = unsafe entry.pointee
      if let address = unsafe SocketAddress(info.ai_addr, size: Int(info.ai_addrlen)) {
        addresses.append(address)
      }
      unsafe next = info.ai_next
    }
    return addresses.isEmpty ? .failure(ResolverError(code: EAI_NONAME)) : .success(addresses)
  }
}

/// The error for a name without an address.
package struct ResolverError: Error, Hashable, Sendable, CustomStringConvertible {
  private let code: CInt

  init(code: CInt) { self.code = code }

  /// Whether the system knows that there is no such name; otherwise it could not tell.
  var isNoName: Bool { code == EAI_NONAME }

  /// Why there is no address, in the system's words.
  package var description: String { unsafe String(cString: gai_strerror(code)) }
}
