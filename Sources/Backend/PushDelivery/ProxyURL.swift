internal import PushNetwork

/// The parts of a proxy's URL.
struct ProxyURL {
  let host: String
  let port: UInt16
  /// Where the user and the password are, with the colon between them; nil if there are none.
  let credentials: Range<Int>?

  /// Finds the parts of a URL (RFC 3986, 3.2).
  init(_ url: Span<UInt8>) throws(HTTPProxyError) {
    guard !url.isEmpty else { throw HTTPProxyError(.empty, at: 0) }
    guard url.count <= HTTPProxy.maximumURLSize else {
      throw HTTPProxyError(.tooLong, at: HTTPProxy.maximumURLSize)
    }
    let start = try Self.authorityStart(in: url)
    let end = url.indices[start...].first { "/?#".utf8.contains(url[$0]) } ?? url.count
    let at = url.indices[start..<end].last { url[$0] == UInt8(ascii: "@") }
    credentials = at.map { start..<$0 }
    let hostStart = at.map { $0 + 1 } ?? start
    let place = url.indices[hostStart..<end].map { url[$0] }
    guard let colon = place.lastIndex(of: UInt8(ascii: ":")), place.last != UInt8(ascii: "]") else {
      throw HTTPProxyError(.noPort, at: end)
    }
    host = try Self.host(place[..<colon], at: hostStart)
    port = try Self.port(place[(colon + 1)...], at: hostStart + colon + 1)
    guard end == url.count || end == url.count - 1 && url[end] == UInt8(ascii: "/") else {
      throw HTTPProxyError(.path, at: end)
    }
  }

  /// Where the authority begins, after the scheme if there is one.
  private static func authorityStart(in url: Span<UInt8>) throws(HTTPProxyError) -> Int {
    let separator = Array("://".utf8)
    let end = url.indices.first { start in
      start + 3 <= url.count && (0..<3).allSatisfy { url[start + $0] == separator[$0] }
    }
    guard let end else { return 0 }
    let scheme = url.indices[..<end].map { url[$0] | 0x20 }
    guard scheme == Array("http".utf8) else { throw HTTPProxyError(.scheme, at: 0) }
    return end + 3
  }

  /// A host: an IPv6 address in brackets, and any other as it is.
  private static func host(_ bytes: ArraySlice<UInt8>, at offset: Int) throws(HTTPProxyError) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
    let host = isBracketed ? String(text.dropFirst().dropLast()) : text
    let isRight = isBracketed ? IPAddress(host) != nil : !host.contains(":")
    guard isRight, HTTP2Endpoint(host: host).isValid else { throw HTTPProxyError(.host, at: offset) }
    return host
  }

  private static func port(_ digits: ArraySlice<UInt8>, at offset: Int) throws(HTTPProxyError) -> UInt16 {
    guard digits.count <= 5, digits.allSatisfy({ (0x30...0x39).contains($0) }),
      let port = UInt16(String(decoding: digits, as: UTF8.self)), port > 0
    else { throw HTTPProxyError(.port, at: offset) }
    return port
  }
}
