import PushCore
import PushStore
import StoreSupport
import Testing

@Suite("An error")
struct ErrorTests {
  @Test("says what is wrong, and where")
  func texts() {
    let place = "/var/lib/push\u{1b}"
    let texts: [(StoreError, String)] = [
      (.cannotOpen(place: place, reason: "Permission denied"), "cannot open PLACE: Permission denied"),
      (.busy(place: place), "another process has kept PLACE busy for too long"),
      (.full(place: place), "no space is left for PLACE"),
      (.readOnly(place: place), "PLACE is read-only"),
      (.corrupt(place: place), "PLACE is damaged, or not a database"),
      (.notAStore(place: place), "PLACE is a database, but not a SealedPush store"),
      (
        .newerVersion(3, known: 2, place: place),
        "PLACE has version 3 of the tables, and this program knows only 2: use a newer program"
      ),
      (.rowKey(.missing, place: place), "the devices of PLACE are sealed: their row key is needed"),
      (.rowKey(.other, place: place), "the devices of PLACE are sealed with another row key"),
      (.rowKey(.unsealed, place: place), "the devices of PLACE are not sealed, and a row key was given"),
      (
        .unreachable(place: place, reason: "connection refused"), "no connection to PLACE: connection refused"
      ),
      (.failed(place: place, reason: "out\u{7f}"), #"PLACE: out\u{7f}"#),
    ]
    for (error, text) in texts {
      #expect("\(error)" == text.replacing("PLACE", with: #"/var/lib/push\u{1b}"#))
    }
  }

  @Test("of a job names the column")
  func columns() throws {
    let faults: [(JobFault, JobColumn)] = [
      (.expired(at: start), .expiresAt), (.payload(.json(JSONError(.tooDeep, at: 3))), .payload),
    ]
    for (fault, column) in faults { #expect(fault.column == column) }
    let person = #expect(throws: JobFault.self) { try Job(.lunch, to: "") }
    #expect(person?.column == .person)
    let collapse = #expect(throws: JobFault.self) { try Job(.lunch, to: "alice", collapseID: "ä") }
    #expect("\(try #require(collapse))" == "collapse_id: must be 1 to 64 visible ASCII characters")
    let long = JSONValue.string(String(repeating: "a", count: Job.maximumPayloadSize))
    let large = #expect(throws: JobFault.self) { try Job(["a": long], to: "alice") }
    #expect("\(try #require(large))" == "payload: must be at most 65536 bytes")
    let nest = (0..<32).reduce(JSONValue.null) { value, _ in [value] }
    let deep = #expect(throws: JobFault.self) { try Job(["a": nest], to: "alice") }
    #expect("\(try #require(deep))" == "payload: must be nested at most 32 levels deep")
    let late = #expect(throws: JobFault.self) { try Job(.lunch, to: "alice", notBefore: .distantFuture) }
    #expect(late?.column == .notBefore)
  }

  @Test(
    "of a job that a worker could not seal is known before it is enqueued",
    arguments: [
      (#"{"aps":{"alert":{"body":7}}}"#, "payload: aps.alert.body: must-be-string"),
      (#"{"aps":{"badge":3}}"#, "payload: must be an alert with a title or a body"),
      (
        #"{"aps":{"alert":"Lunch"},"sealed-push":{}}"#,
        "payload: must be without the member 'sealed-push', unless it only replaces or removes messages, or has bytes"
      ),
    ])
  func payload(json: String, text: String) throws {
    let payload = try JSONObject(parsing: Array(json.utf8))
    let error = #expect(throws: JobFault.self) { try Job(payload, to: "alice") }
    #expect("\(try #require(error))" == text && error?.column == .payload)
  }

  @Test(
    "of a background push with something to show is known before it is enqueued",
    arguments: [
      #"{"aps":{"alert":{"title":"Lunch"}}}"#, #"{"aps":{"alert":{"body":""}}}"#,
      #"{"aps":{"sound":"default"}}"#, #"{"aps":{"badge":3},"sync":"inbox"}"#,
    ])
  func background(json: String) throws {
    let payload = try JSONObject(parsing: Array(json.utf8))
    let rule = "without an alert, a sound and a badge, which a background push does not show"
    #expect(throws: JobFault.wrong(.payload, rule)) { try Job(payload, to: "alice", pushType: .background) }
  }

  @Test("of a background push with another priority than 5 is known", arguments: [Priority.immediate, .low])
  func priority(priority: Priority) throws {
    #expect(throws: JobFault.wrong(.apnsPriority, "5 for a push of type background")) {
      try Job(["aps": [:], "sync": "inbox"], to: "alice", apnsPriority: priority, pushType: .background)
    }
    _ = try Job(
      ["aps": [:], "sync": "inbox"], to: "alice", apnsPriority: .considerate, pushType: .background)
  }

  @Test("is no priority that there is not", arguments: [-1, 10, .min, .max])
  func priority(number: Int) { #expect(JobPriority(rawValue: number) == nil) }
}
