#if os(Linux)
  import PushDelivery
  @testable import PushNetwork

  extension Harness {
    /// A proxy's answer: it is read in any pieces alike, up to its end and no further, and is bounded.
    static let proxyAnswers = Harness(name: "proxy-answers") { bytes in
      var input = Input(bytes)
      let size = 1 + input.index(below: 64)
      let text = input.remainder()
      let whole = answer(text, in: max(1, text.count))
      try require(answer(text, in: size) == whole, "an answer is the same in any pieces")
      guard case .success((let count, let status)) = whole.map({ ($0.count, $0.status) }) else { return }
      try require(count <= TunnelAnswer.maximumSize, "a head is bounded")
      guard let status else { return try require(count == text.count, "an answer that goes on takes all") }
      try require((100...999).contains(status), "a status has three digits")
      try require(text[..<count].suffix(4).elementsEqual([13, 10, 13, 10]), "a head has an end")
    }

    /// A proxy's URL and the servers that are reached without it: what is accepted has a place that reads back.
    static let proxyURLs = Harness(name: "proxy-urls") { bytes in
      var input = Input(bytes)
      let list = input.text()
      let url = input.remainder()
      let exceptions = ProxyExceptions(list)
      let all = ProxyExceptions(list + " *")
      try require(all.contains(host: "apns.test", port: 1), "an entry hides no other")
      switch Result(catching: { () throws(HTTPProxyError) in try HTTPProxy(url: url) }) {
      case .success(let proxy):
        _ = exceptions.contains(host: proxy.host, port: proxy.port)
        let named = ProxyExceptions("\(proxy)")
        try require(named.contains(host: proxy.host, port: proxy.port), "a place can be excepted")
        let again = try HTTPProxy(url: "http://\(proxy)/")
        try require(again.host == proxy.host && again.port == proxy.port, "a place reads back the same")
        try require(!again.hasCredentials, "a place has no credentials")
      case .failure(let error):
        try require((0...url.count).contains(error.offset), "a fault is in the text")
      }
    }

    private struct Reading: Equatable {
      var count = 0
      var status: Int?
    }

    /// How many bytes an answer takes that arrives in pieces, and its status.
    private static func answer(_ text: [UInt8], in size: Int) -> Result<Reading, TunnelError.Fault> {
      var (answer, reading) = (TunnelAnswer(), Reading())
      while answer.status == nil, reading.count < text.count {
        do throws(TunnelError.Fault) {
          reading.count += try answer.read(Array(text[reading.count...].prefix(size)))
        } catch {
          return .failure(error)
        }
      }
      reading.status = answer.status
      return .success(reading)
    }
  }
#endif
