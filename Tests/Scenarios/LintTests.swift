import Testing

@Suite("Looking through a payload")
struct LintTests {
  @Test func nothingToSay() async throws {
    let tool = try Tool()
    let payload =
      #"{"aps":{"alert":{"title":"New","body":"(Encrypted)"},"mutable-content":1},"ENCRYPTED_DATA":"x"}"#
    #expect(try await tool.run("lint --strict", input: .text(payload)).text.isEmpty)
  }

  @Test func aWarning() async throws {
    let tool = try Tool()
    let payload = #"{"aps":{"alert":"(Encrypted)","mutable-content":1,"badge":1},"ENCRYPTED_DATA":"x"}"#
    let run = try await tool.run("lint", input: .text(payload))
    #expect(run.status == 0)
    #expect(run.text.hasPrefix("warning: aps.badge: visible-badge: "))
    let strict = try await tool.run("lint --strict --json", input: .text(payload))
    #expect(strict.status == 65)
    #expect(strict.text == #"{"severity":"warning","code":"visible-badge","key":"aps.badge"}"# + "\n")
  }

  @Test func aFault() async throws {
    let tool = try Tool()
    let payload = #"{"aps":{"alert":"(Encrypted)","mutable-content":1,"badge":"3"},"ENCRYPTED_DATA":"x"}"#
    let run = try await tool.run("lint", input: .text(payload))
    #expect(run.status == 65)
    #expect(run.text.hasPrefix("error: aps.badge: "))
  }
}
