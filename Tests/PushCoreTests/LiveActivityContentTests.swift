#if canImport(Glibc)  // the stubs of Apple's Foundation have no coders
  import Foundation
  import PushCore
  import TestSupport
  import Testing

  @Suite("Live Activities of Codable types", .hangGuard)
  struct LiveActivityContentTests {
    private struct Score: Codable, Equatable {
      var home: Int
      var away: Int
      var end: Date?
    }

    private struct Match: Codable {
      var teams: [String]?
    }

    private struct Required: Codable {
      var teams: [String]
    }

    private let score = Score(home: 1, away: 2, end: Date(timeIntervalSinceReferenceDate: 0.5))
    private let time = UnixTime(clamping: 1_700_000_000)

    @Test("a state is encoded as JSONDecoder expects it without settings")
    func state() throws {
      let activity = try LiveActivity(.update, timestamp: time, encoding: score, staleDate: .distantFuture)
      let state: JSONObject = ["home": 1, "away": 2, "end": 0.5]
      #expect(
        activity
          == LiveActivity(.update, timestamp: time, contentState: state, staleDate: .distantFuture))
      #expect(try JSONDecoder().decode(Score.self, from: Data(state.encoded())) == score)
      #expect(try activity.contentState?.decode(as: Score.self) == score)
    }

    @Test("an activity starts with its attributes")
    func attributes() throws {
      let activity = try LiveActivity(
        .start, timestamp: time, encoding: score, dismissalDate: .distantFuture, attributesType: "Match",
        attributes: Match(teams: ["a", "b"]))
      let state: JSONObject = ["home": 1, "away": 2, "end": 0.5]
      #expect(
        activity
          == LiveActivity(
            .start, timestamp: time, contentState: state, dismissalDate: .distantFuture,
            attributesType: "Match",
            attributes: ["teams": ["a", "b"]]))
    }

    @Test("a state that is not an object is refused")
    func stateIsNoObject() {
      #expect(throws: EncodingError.self) { try LiveActivity(.update, timestamp: time, encoding: [1, 2]) }
    }

    @Test("attributes with a required member are refused: iOS would get an empty object")
    func requiredAttributes() {
      let error = #expect(throws: EncodingError.self) {
        try LiveActivity(
          .start, timestamp: time, encoding: score, attributesType: "Match",
          attributes: Required(teams: ["a"]))
      }
      guard case .invalidValue(_, let context) = error else { return #expect(Bool(false)) }
      #expect(context.debugDescription.hasPrefix("Match has required members"))
    }

    @Test("attributes that are not an object are refused")
    func attributesAreNoObject() {
      #expect(throws: EncodingError.self) {
        try LiveActivity(.start, timestamp: time, encoding: score, attributesType: "Match", attributes: "a")
      }
    }
  }
#endif
