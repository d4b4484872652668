private import CLinux
private import Dispatch
private import Glibc

// The C function that the method below would hide.
private let cConnect = unsafe connect(_:_:_:)

/// Asks a server of this machine: one request on a connection, in HTTP/1.1.
package struct LoopbackClient: Sendable {
  /// The most bytes of an answer's head: 16 KiB.
  private static let maximumHead = 16 << 10

  private let place: LoopbackPlace

  /// Takes the server's place, without connecting yet.
  package init(to place: LoopbackPlace) { self.place = place }

  /// An answer.
  package struct Answer: Sendable {
    /// The status.
    package let status: Int
    /// The body.
    package let body: [UInt8]
  }

  /// Sends a request that is whole, and reads the answer, which ends with the connection; its body has at most `limit` bytes.
  ///
  /// A read or a write may take 10 seconds. It has a thread of its own.
  ///
  /// - Throws: ``LoopbackFailure``.
  package func send(_ request: [UInt8], limit: Int) async throws(LoopbackFailure) -> Answer {
    let answer = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: self.exchange(request, limit: limit)) }
    }
    return try answer.get()
  }

  private func exchange(_ request: [UInt8], limit: Int) -> Result<Answer, LoopbackFailure> {
    guard let connection = connect() else {
      return .failure(.notThere(place, errno: errno))
    }
    guard connection.write(request) else { return .failure(.noAnswer) }
    var bytes: [UInt8] = []
    while true {
      let more = connection.read(atMost: 16 << 10)
      bytes += more
      guard bytes.count <= Self.maximumHead + limit else { return .failure(.tooLarge) }
      if more.isEmpty { break }
    }
    guard let answer = Self.answer(in: bytes) else { return .failure(.noAnswer) }
    return answer.body.count <= limit ? .success(answer) : .failure(.tooLarge)
  }

  /// The answer in the bytes of a connection; nil if they are none.
  private static func answer(in bytes: [UInt8]) -> Answer? {
    let blankLine = Array("\r\n\r\n".utf8)
    let start = bytes.indices.first { bytes[$0...].starts(with: blankLine) }
    // "HTTP/1.1 200 "
    guard let start, start >= 13, bytes.starts(with: Array("HTTP/1.1 ".utf8)),
      let status = Int(String(decoding: bytes[9..<12], as: UTF8.self)), (200...599).contains(status)
    else { return nil }
    return Answer(status: status, body: Array(bytes[(start + blankLine.count)...]))
  }

  /// Connects; nil if that fails, for the reason in `errno`.
  private func connect() -> PlainConnection? {
    let family = if case .port = place { AF_INET } else { AF_UNIX }
    let descriptor = socket(family, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    let status = unsafe place.withAddress { unsafe cConnect(descriptor, $0, $1) }
    guard status == 0 else {
      let reason = errno
      close(descriptor)
      errno = reason
      return nil
    }
    return PlainConnection(owning: descriptor)
  }
}

/// Why a server of this machine gave no answer.
package enum LoopbackFailure: Error, Hashable {
  /// Nobody listens there: the reason in `errno`.
  case notThere(LoopbackPlace, errno: Int32)
  /// It gave none in time, or none of HTTP/1.1.
  case noAnswer
  /// The answer is larger than the limit.
  case tooLarge
}

extension LoopbackFailure: CustomStringConvertible {
  /// What is wrong.
  package var description: String {
    switch self {
    case .notThere(let place, let errno):
      "cannot connect to \(place): \(unsafe String(cString: strerror(errno)))"
    case .noAnswer: "the server gave no answer"
    case .tooLarge: "the server's answer is too large"
    }
  }
}
