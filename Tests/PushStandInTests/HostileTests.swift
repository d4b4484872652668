import PushKeys
import PushStandIn
import PushTesting
import TestSupport
import Testing

/// Requests from anybody: each has an answer of Apple's table, whatever is in it.
@Suite(.hangGuard) struct HostileTests {
  /// Pieces that requests and their damage are made of.
  private static let pieces = [
    "", "0", "-1", "9223372036854775807", "\0", "\r\n", "é", "\u{202e}", "bearer ", "..", "{}", "a.b.c",
    "/3/device/",
    "com.example.app", ".voip", "alert", "background", "voip", "mdm", "[[[[", "\"", "{\"aps\":{}}",
    "{\"aps\":[]}", "%00",
    String(repeating: "9", count: 400), String(repeating: "{\"aps\":", count: 200),
  ]
  private static let names = [
    "authorization", "apns-topic", "apns-push-type", "apns-id", "apns-expiration", "apns-priority",
    "apns-collapse-id", "apns-unknown", "",
  ]

  /// A good request with some of its parts replaced, repeated or damaged.
  private func damaged(_ request: APNsRequest, _ random: inout SeededGenerator) -> APNsRequest {
    var request = request
    for _ in 0...Int.random(in: 0..<3, using: &random) {
      let piece = Self.pieces.randomElement(using: &random) ?? ""
      switch Int.random(in: 0..<6, using: &random) {
      case 0: request.path = Bool.random(using: &random) ? piece : request.path + piece
      case 1:
        request.headers.append(.init(name: Self.names.randomElement(using: &random) ?? "", value: piece))
      case 2: request[Self.names.randomElement(using: &random) ?? ""] = piece
      case 3: request.body = Bool.random(using: &random) ? Array(piece.utf8) : request.body + piece.utf8
      case 4:
        let count = Int.random(in: 1..<8, using: &random)
        let start = Int.random(in: 0...request.body.count, using: &random)
        request.body.insert(contentsOf: random.bytes(count: count), at: start)
      default: request.method = piece
      }
    }
    return request
  }

  @Test("each request has an answer of Apple's table", arguments: 0..<8)
  func requests(_ seed: UInt64) async throws {
    let stand = try Stand { settings, _ in settings.acceptsUnknownTokens = seed.isMultiple(of: 2) }
    let phone = try stand.phone()
    var random = SeededGenerator(seed: seed)
    let good = try stand.request("Lunch at noon?", to: phone)
    var answers: [Refusal?: Int] = [:]
    for _ in 0..<500 {
      let answer = try await stand.send(damaged(good, &random), on: APNsModel.Connection())
      answers[answer, default: 0] += 1
      if let answer { #expect(Refusal.all.contains(answer), "\(answer)") }
    }
    #expect(answers.count > 10, "the damage reaches many checks")
    #expect(stand.apns.pushes.allSatisfy { !$0.why.isEmpty && !$0.seenByApple.isEmpty })
  }

  @Test("the page's server outlives what is no HTTP", arguments: 0..<4)
  func page(_ seed: UInt64) async throws {
    let stand = try Stand()
    let page = try StandInPage(of: stand.apns)
    defer { page.stop() }
    var random = SeededGenerator(seed: seed)
    let good =
      "POST /PAGE/do HTTP/1.1\r\nHost: HOST\r\nOrigin: http://HOST\r\nContent-Type: application/json\r\n"
    for _ in 0..<25 {
      var text = good
      for _ in 0...Int.random(in: 0..<3, using: &random) {
        let place = text.indices.randomElement(using: &random) ?? text.startIndex
        text.insert(contentsOf: Self.pieces.randomElement(using: &random) ?? "", at: place)
      }
      let answer = try await Browser(page).exchange(text + "Content-Length: 2\r\n\r\n[]")
      #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4"), "\(answer.prefix(60))")
    }
    let answer = try await Browser(page).exchange("GET /PAGE/ HTTP/1.1\r\nHost: HOST\r\n\r\n")
    #expect(answer.hasPrefix("HTTP/1.1 200"))
  }
}
