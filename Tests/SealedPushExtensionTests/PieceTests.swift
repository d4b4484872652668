import Foundation
import PushAttachments
import Testing

@testable import SealedPushExtension

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Pieces")
struct PieceTests {
  private let received = Received()
  private let exchange: Exchange
  private let response: HTTPURLResponse?

  init() throws {
    exchange = Exchange(isFollowed: { _ in false }) { [received] piece in
      #expect(piece.count <= Exchange.maximumPieceSize)
      received.append(piece)
    }
    let url = try #require(URL(string: "https://example.com/"))
    response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
  }

  @Test("A large piece is handed on in slices, in order")
  func slices() {
    let data = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 >> 4) })
    #expect(exchange.accepts(response))
    exchange.take(data.dropFirst(5))
    #expect(received.all == Array(data.dropFirst(5)))
  }

  @Test("What comes before the answer is accepted is dropped")
  func early() {
    exchange.take(Data([1]))
    #expect(received.all.isEmpty)
  }

  @Test("What comes after the end is dropped")
  func late() {
    #expect(exchange.accepts(response))
    exchange.end(with: .failure(CancellationError()))
    #expect(!exchange.accepts(response))
    exchange.take(Data([1]))
    #expect(received.all.isEmpty)
  }
}
