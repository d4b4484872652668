/// A request in HTTP/1.1, from a browser or another program.
package struct PlainRequest: Equatable {
  package let method: String
  package let path: String
  /// The headers, with names in lowercase and values without spaces around them; of a name that is repeated, the first.
  package let headers: [String: String]
  /// The names of the headers that are repeated.
  package let repeated: Set<String>
  package let body: [UInt8]

  /// The most bytes of the request line and the headers, and, unless a server's rules have another number, of the body.
  package static let limits = (head: 8 << 10, body: 16 << 10)

  /// Reads a request, and never more than the limits allow.
  ///
  /// A repeated header makes it malformed, unless the rules take it.
  ///
  /// - Returns: The request; nil if nothing was sent.
  /// - Throws: ``PlainRefusal``.
  package static func read(
    by rules: PlainRules = PlainRules(), from next: (Int) -> [UInt8]
  ) throws(PlainRefusal) -> PlainRequest? {
    var bytes: [UInt8] = []
    var head: Head?
    while head == nil {
      guard bytes.count < limits.head else { throw .tooLarge }
      let more = next(limits.head - bytes.count)
      guard !more.isEmpty else {
        guard bytes.isEmpty else { throw .malformed }
        return nil
      }
      bytes += more
      head = try Head(in: bytes, searched: bytes.count - more.count)
    }
    guard let head, head.repeated.isEmpty || rules.takesRepeatedHeaders else { throw .malformed }
    guard head.length <= rules.maximumBody else { throw .tooLarge }
    // Bytes after the body belong to another request, and are not read.
    var body = Array(bytes[head.end...].prefix(head.length))
    while body.count < head.length {
      let more = next(head.length - body.count)
      guard !more.isEmpty else { throw .malformed }
      body += more
    }
    return PlainRequest(
      method: head.method, path: head.path, headers: head.headers, repeated: head.repeated, body: body)
  }

  /// Checks that the request names this machine by a name that no other site can control (DNS rebinding).
  ///
  /// - Throws: ``PlainRefusal/otherHost``.
  package func checkHost(at place: ListenPlace) throws(PlainRefusal) {
    let own = [place.description, "127.0.0.1:\(place.port)", "localhost:\(place.port)"]
    guard headers["host"].map(own.contains) == true else { throw .otherHost }
  }

  /// The request line and the headers.
  private struct Head {
    let method: String
    let path: String
    let headers: [String: String]
    let repeated: Set<String>
    let length: Int
    let end: Int

    /// Reads the head; nil if it is not complete yet.
    ///
    /// The first `searched` bytes do not contain its end.
    init?(in bytes: [UInt8], searched: Int) throws(PlainRefusal) {
      guard let end = Self.end(in: bytes, from: max(4, searched + 1)) else { return nil }
      guard let text = String(validating: bytes[..<end], as: UTF8.self) else { throw .malformed }
      var lines = text.split(separator: "\r\n", omittingEmptySubsequences: true)
      // A proxy could take a single CR or LF for a line's end.
      guard lines.allSatisfy({ line in line.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 } })
      else {
        throw .malformed
      }
      let words =
        lines.isEmpty ? [] : lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false)
      guard words.count == 3, words[1].hasPrefix("/"), words[2] == "HTTP/1.1" else { throw .malformed }
      var (headers, repeated): ([String: String], Set<String>) = ([:], [])
      for line in lines {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts[0].lowercased()
        guard parts.count == 2, Self.isName(name) else { throw .malformed }
        if headers[name] == nil { headers[name] = Self.trimmed(parts[1]) } else { repeated.insert(name) }
      }
      let length = headers["content-length"].map(Self.number) ?? 0
      guard headers["transfer-encoding"] == nil, let length else { throw .malformed }
      // The body's end, and whom the request is for, have one meaning.
      guard repeated.isDisjoint(with: ["content-length", "host"]) else { throw .malformed }
      method = String(words[0])
      path = String(words[1])
      self.headers = headers
      self.repeated = repeated
      self.length = length
      self.end = end
    }

    private static func trimmed(_ text: Substring) -> String {
      let isSpace = { (character: Character) in character == " " || character == "\t" }
      let rest = text.drop(while: isSpace)
      return String(rest.dropLast(rest.reversed().prefix(while: isSpace).count))
    }

    private static func number(_ text: String) -> Int? {
      text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }

    /// Whether a text is a token as RFC 9110, 5.6.2, has it.
    private static func isName(_ text: String) -> Bool {
      !text.isEmpty
        && text.utf8.allSatisfy {
          (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || "!#$%&'*+-.^_`|~".utf8.contains($0)
        }
    }

    private static func end(in bytes: [UInt8], from first: Int) -> Int? {
      guard bytes.count >= first else { return nil }
      return (first...bytes.count).first { bytes[($0 - 4)..<$0].elementsEqual([13, 10, 13, 10]) }
    }
  }
}

/// Why a server refuses a request.
package enum PlainRefusal: Error {
  /// The request is not HTTP/1.1, or ends too early.
  case malformed
  /// The headers or the body are too long.
  case tooLarge
  /// The request is for another host: another site's name that points to this machine.
  case otherHost
  /// The request is from another site's page.
  case otherOrigin
  /// The path does not begin with the page's token.
  case noToken
  /// The body is not JSON.
  case notJSON
  /// There is nothing at the path.
  case notFound
  /// Only POST changes anything, and only `/do` takes it.
  case wrongMethod
  /// The command is unknown, or a member is missing or invalid.
  case badCommand
  /// As many connections are open as may be.
  case tooMany

  /// The status line's end.
  package var status: String {
    switch self {
    case .malformed, .badCommand: "400 Bad Request"
    case .tooLarge: "413 Content Too Large"
    case .otherHost: "421 Misdirected Request"
    case .otherOrigin, .noToken: "403 Forbidden"
    case .notJSON: "415 Unsupported Media Type"
    case .notFound: "404 Not Found"
    case .wrongMethod: "405 Method Not Allowed"
    case .tooMany: "503 Service Unavailable"
    }
  }

  /// The answer's text.
  package var text: String {
    self == .noToken ? "\(status): use the whole address that was printed, with its token" : status
  }
}
