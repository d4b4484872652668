import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A worker and its store, on the command line", .hangGuard)
struct WorkTests {
  @Test("a device is imported, a payload enqueued, and the phone shows it")
  func story() async throws {
    let scene = try await WorkScene()
    try await scene.enrol { options, enrolment in
      let line = "keys accept --registrations registrations \(Tool.backend) \(options)"
      return try await scene.tool.run(line, input: enrolment)
    }
    let first = try await scene.daemon("devices import registrations")
    #expect(first.text == "1 added, 0 updated, 0 unchanged, 0 refused\n")
    let again = try await scene.daemon("devices import registrations --json")
    #expect(again.text == #"{"added":0,"updated":0,"unchanged":1,"refused":0}"# + "\n")

    let payload = #"{"aps":{"alert":"Lunch at noon?"}}"#
    let run = try await scene.daemon(
      "enqueue --person ada-lovelace --message-id 0b54a2c5-3f5b-4f0e-9d7c-3a3c1a4e8f10", input: .text(payload)
    )
    #expect(run.text == "job 1, message 0b54a2c5-3f5b-4f0e-9d7c-3a3c1a4e8f10\n")
    #expect(try await scene.queue() == WorkScene.Queue(ready: 1))
    let worked = try await scene.workOnce()
    #expect(worked.status == 0 && worked.output.isEmpty, "\(worked.errors)")
    // No -wal and no -shm.
    #expect(try scene.tool.names.filter { $0.hasPrefix("push.sqlite") } == ["push.sqlite"])
    #expect(try await scene.apns.shows("Lunch at noon?"))
    #expect(try await scene.queue() == WorkScene.Queue())
    try await scene.end()
  }

  @Test("an import gives a token to who has proven it, and takes it from who has not")
  func importedToken() async throws {
    let tool = try Tool()
    try await tool.makeSender()
    let enrol = "keys enrol --token 00ff --topic com.example.app \(Tool.audience)"
    let accept = "keys accept --registrations registrations \(Tool.backend) --new"
    // An app that is installed anew, and a backend that has tokens proven since.
    for (name, options) in [("old", "--key-alone"), ("new", "")] {
      try await tool.succeed("keys new --role device --out \(name).jwks --now \(start)")
      let enrolling = "\(enrol) --keys \(name).jwks --identity \(name).identity.jwks"
      try await tool.register(
        tool.succeed("\(enrolling) --now \(start)").output,
        accept: "\(accept) --registration \(name) \(options)",
        enrol: enrolling)
      let run = try await tool.daemon("devices import registrations --store push.sqlite")
      #expect(run.status == 0 && run.text.hasPrefix("1 added, 0 updated"), "\(run.errors)")
    }
    let devices = try await tool.daemon("devices --store push.sqlite --state proven --json")
    #expect(devices.text.contains(#""new""#) && !devices.text.contains(#""old""#), "\(devices.text)")
  }

  @Test("an import takes the newer proof of an enrolment that the store has")
  func importedProof() async throws {
    let tool = try Tool()
    try await tool.makeSender()
    try await tool.succeed("keys new --role device --out device.jwks --now \(start)")
    let enrol =
      "keys enrol --keys device.jwks --identity identity.jwks --topic com.example.app \(Tool.audience) --token"
    let accept = "keys accept --registrations registrations --registration phone \(Tool.backend)"
    let counts = { try await tool.daemon("devices import registrations --store push.sqlite").text }
    try await tool.register(
      tool.succeed("\(enrol) 00fe --now \(start)").output, accept: "\(accept) --new", enrol: "\(enrol) 00fe")
    #expect(try await counts() == "1 added, 0 updated, 0 unchanged, 0 refused\n")
    // Its keys are proven, and its new token is not, which does not matter later.
    let moved = Tool.Input.bytes(try await tool.succeed("\(enrol) 00ff --now \(start)").output)
    let asked = try await tool.run("\(accept) --request request --now \(start)", input: moved)
    #expect(asked.status == 75, "\(asked.errors)")
    #expect(try await counts() == "0 added, 1 updated, 0 unchanged, 0 refused\n")
    try await tool.succeed("\(accept) --key-alone --now \(start)", input: moved)
    #expect(try await counts() == "0 added, 1 updated, 0 unchanged, 0 refused\n")
    #expect(try await counts() == "0 added, 0 updated, 1 unchanged, 0 refused\n")
  }

  @Test("an import that a signal stops says so by its end")
  func stoppedImport() async throws {
    let tool = try Tool()
    let feed = try Feed(tool, of: nil)
    let words = "devices import - --store push.sqlite".split(separator: " ").map(String.init)
    let child = try Child([Tool.daemon] + words, in: feed.surroundings)
    // By then it catches signals.
    feed.write("no registration\n")
    try await HangGuard.wait(for: "the error") { feed.errors.contains("error: line 1: ") }
    child.send(SIGTERM)
    #expect(try await child.wait() == .killed(by: SIGTERM))
    #expect(feed.output.isEmpty)
  }

  @Test("a new store is made once by many commands that need it at once")
  func making() async throws {
    let tool = try Tool()
    try await withThrowingTaskGroup { group in
      for person in 0..<16 {
        group.addTask {
          try await tool.daemon(
            "enqueue --person \(person) --store new.sqlite", input: .text(#"{"aps":{"alert":"Lunch?"}}"#))
        }
      }
      for try await run in group { #expect(run.status == 0, "\(run.errors)") }
    }
    #expect(try await tool.daemon("queue --store new.sqlite --json").text.contains(#""ready":16"#))
  }

  @Test(
    "devices are listed without their tokens, released by name, and forgotten with all of a person's rows")
  func devices() async throws {
    let scene = try await WorkScene()
    try await scene.enrol()
    let table = try await scene.daemon("devices")
    #expect(
      table.lines.count == 2 && table.lines[1].hasPrefix("ada-1  ada-lovelace  com.example.app  sandbox"))
    #expect(table.lines[1].contains("  proven  ") && !table.text.contains(scene.apns.token))
    #expect(try await !scene.daemon("devices --json").text.contains(scene.apns.token))
    let tokens = try await scene.daemon("devices --json --tokens --person ada-lovelace --state proven")
    #expect(tokens.text.contains(#""token":"\#(scene.apns.token)""#))
    #expect(try await scene.daemon("devices --person ada").text.isEmpty)
    #expect(try await scene.daemon("devices --state quarantined").text.isEmpty)
    #expect(try await scene.daemon("devices release ada-1").text == "0 released\n")
    let unknown = try await scene.daemon("devices release ada-2", status: 65)
    #expect(unknown.errors.contains("no such device: ada-2"))

    try await quarantine(in: scene)
    #expect(try await scene.daemon("devices --state quarantined").lines.count == 2)
    #expect(try await scene.daemon("devices release --all").text == "1 released\n")

    #expect(try await scene.daemon("store check").text.hasPrefix("version: 10\nproven devices: 1\n"))
    #expect(try await scene.daemon("devices forget ada-lovelace").text == "1 rows removed\n")
    #expect(try await scene.daemon("devices").text.isEmpty)
    #expect(try await scene.queue() == WorkScene.Queue())
    try await scene.end()
  }

  /// Puts all devices into quarantine, which takes a worker a day.
  private func quarantine(in scene: WorkScene) async throws {
    let code = """
      import sqlite3
      store = sqlite3.connect("push.sqlite")
      with store:
          store.execute("UPDATE device SET refused_at = 1800000000")
      """
    let run = try await scene.tool.execute(["python3", "-c", code])
    try #require(run.status == 0, "\(run.errors)")
  }

  @Test("a message that APNs refuses at first is tried again, and the device stays out of quarantine")
  func refusedOnce() async throws {
    let scene = try await WorkScene()
    try await scene.enrol()
    try await scene.apns.press(
      #"{"do":"fault","kind":"refusal","status":400,"reason":"BadDeviceToken","occasion":"next","count":1}"#)
    try await scene.enqueue(["Lunch?"])
    let run = try await scene.workOnce()
    #expect(run.status == 75 && run.errors.contains("APNs refused a device"), "\(run.errors)")
    #expect(try await scene.daemon("devices --state quarantined").text.isEmpty)
    #expect(try await scene.queue() == WorkScene.Queue(delayed: 1))
    try await scene.end()
  }

  @Test(
    "why nothing can be sent is in the log at once, and once",
    arguments: [
      ("--endpoint 127.0.0.1:1 --trust apns-root.pem", "connection-failed", "Connection refused"),
      ("--endpoint 127.0.0.1:PORT", "connection-failed", "certificate"),
      ("--endpoint 127.0.0.1:PORT --trust apns-root.pem", "key-refused", "InvalidProviderToken"),
    ])
  func troubles(options: String, event: String, reason: String) async throws {
    let scene = try await WorkScene()
    try await scene.enrol()
    try await scene.apns.press(
      #"{"do":"fault","kind":"refusal","status":403,"reason":"InvalidProviderToken","occasion":"all"}"#)
    try await scene.enqueue(["Lunch?", "Supper?"])
    let words =
      "work \(scene.store) --once --timeout 1s --from sender.jwks --key-file AuthKey_ABCDE12345.p8"
      + " --key-id ABCDE12345 --team-id FGHIJ67890 \(options.replacing("PORT", with: "\(scene.apns.port)"))"
    let run = try await scene.tool.execute([Tool.daemon] + words.split(separator: " ").map(String.init))
    let lines = run.errors.split(separator: "\n").filter { $0.contains(#""event":"\#(event)""#) }
    #expect(lines.count == 1, "\(run.errors)")
    #expect(lines[0].contains(reason) && lines[0].contains(#""topic":"com.example.app""#))
    #expect(!run.errors.contains(scene.apns.token))
    try await scene.end()
  }

  @Test("a device is released by its name or its token, and no other with it", arguments: ["ada-2", "00ff"])
  func release(_ name: String) async throws {
    let scene = try await WorkScene()
    try await scene.enrol()
    try await scene.importSecond()
    try await quarantine(in: scene)
    #expect(try await scene.daemon("devices --state quarantined").lines.count == 3)
    #expect(try await scene.daemon("devices release \(name)").text == "1 released\n")
    let rest = try await scene.daemon("devices --state quarantined")
    #expect(rest.lines.count == 2 && rest.text.contains("ada-1"))
    try await scene.end()
  }

  @Test("a token that APNs no longer knows is over, and its job is done")
  func gone() async throws {
    let scene = try await WorkScene()
    try await scene.enrol()
    try await scene.apns.press(#"{"do":"delete","phone":"phone"}"#)
    try await scene.enqueue(["Lunch?"])
    let run = try await scene.workOnce()
    #expect(run.status == 0 && run.errors.contains(#""event":"stopped","done":1"#), "\(run.errors)")
    let proven = try await scene.daemon("devices --state proven")
    #expect(proven.text.isEmpty && proven.errors == "sealpushd: no devices\n")
    #expect(try await scene.daemon("devices --state proven --json").errors.isEmpty)
    #expect(try await scene.daemon("devices --state pending").lines.count == 2)
    #expect(try await scene.queue() == WorkScene.Queue())
    try await scene.end()
  }

  @Test("more dead letters than a page has are each listed once")
  func manyDeadLetters() async throws {
    let scene = try await WorkScene()
    let line = #"{"person":"bob","payload":{"aps":{"alert":"Lunch?"}},"expires_at":1700000000}"# + "\n"
    _ = try await scene.daemon("enqueue --lines", input: .text(String(repeating: line, count: 201)))
    #expect(try await scene.workOnce().status == 0)
    // A list without an end would not end here either.
    let list = "'\(Tool.daemon)' queue dead --json \(scene.store) | head -n 300"
    let lines = try await scene.tool.shell(list).lines
    #expect(lines.count == 201 && Set(lines).count == 201)
    try await scene.end()
  }

  @Test("dead letters are listed with their reasons, sent again, and deleted")
  func deadLetters() async throws {
    let scene = try await WorkScene()
    try await scene.enrol()
    try await scene.apns.press(
      #"{"do":"fault","kind":"refusal","status":400,"reason":"BadPriority","occasion":"next","count":1}"#)
    try await scene.enqueue(["Supper at six?"])
    let payload = #"{"aps":{"alert":"Too late"}}"#
    _ = try await scene.daemon(
      "enqueue --person bob --expires-at 1700000000 --priority 0", input: .text(payload))
    let run = try await scene.workOnce()
    #expect(run.status == 65 && run.errors.contains("sealpushd: error: APNs refused every push\n"))
    #expect(run.errors.contains(#""event":"discarded","job":1,"reason":"APNs: BadPriority""#))
    #expect(try await scene.queue() == WorkScene.Queue(dead: 2))

    #expect(
      try await scene.daemon("queue dead --person carol").errors == "sealpushd: no dead letters\n")
    let table = try await scene.daemon("queue dead")
    #expect(table.lines.count == 3 && table.lines[0].hasPrefix("JOB  DIED"))
    #expect(table.lines[1].hasPrefix("1    ") && table.lines[1].contains("ada-lovelace  APNs: BadPriority ("))
    #expect(table.lines[2].contains("  bob  ") && table.lines[2].contains("expires_at: expired"))
    let objects = try await scene.daemon("queue dead --json")
    #expect(objects.text.contains(#""person":"bob""#) && !objects.text.contains("Too late"))
    #expect(try await scene.daemon("queue dead --json --payload").text.contains("Too late"))
    #expect(
      try await scene.daemon("queue dead --payload", status: 64).errors.contains("--payload needs --json"))

    #expect(try await scene.daemon("queue resend 1").text == "1 ready again\n")
    #expect(
      try await scene.daemon("queue resend 1", status: 65).errors.contains("1 of 1 are not dead letters"))
    #expect(try await scene.workOnce().status == 0)
    #expect(try await scene.apns.shows("Supper at six?"))
    #expect(try await scene.daemon("queue delete --all").text == "1 deleted\n")
    #expect(try await scene.queue() == WorkScene.Queue())
    try await scene.end()
  }

  @Test("what is too much for a person waits")
  func personLimit() async throws {
    let scene = try await WorkScene()
    try await scene.enrol()
    try await scene.enqueue(["one", "two", "three"])
    #expect(try await scene.workOnce("--person-limit 2/1h").status == 0)
    #expect(try await scene.queue() == WorkScene.Queue(delayed: 1))
    for limit in ["0/1h", "2", "2/", "2/90d", "x/1h"] {
      let run = try await scene.workOnce("--person-limit \(limit)")
      #expect(run.status == 64 && run.errors.contains("--person-limit must be a number and a time"))
    }
    try await scene.end()
  }

  @Test("an enrolment that an application inserts is answered")
  func enrolments() async throws {
    let scene = try await WorkScene()
    // The first command makes the store.
    #expect(try await scene.workOnce("--audience https://push.example.com").status == 0)
    let code = """
      import sqlite3
      store = sqlite3.connect("push.sqlite")
      with store:
          store.execute("INSERT INTO enrolment (registration, body) VALUES ('phone', '{}')")
      """
    let inserted = try await scene.tool.execute(["python3", "-c", code])
    try #require(inserted.status == 0, "\(inserted.errors)")
    #expect(try await scene.workOnce("--audience https://push.example.com").status == 0)
    let look = """
      import sqlite3
      print(sqlite3.connect("push.sqlite").execute("SELECT answer FROM enrolment").fetchall())
      """
    #expect(try await scene.tool.execute(["python3", "-c", look]).text == "[('refused',)]\n")
    try await scene.end()
  }

  @Test("a backup is a store of its own, and replaces nothing")
  func backup() async throws {
    let scene = try await WorkScene()
    try await scene.enqueue(["one", "two"])
    #expect(try await scene.daemon("store backup copy.sqlite").output.isEmpty)
    let check = try await scene.tool.daemon("store check --store copy.sqlite --json")
    #expect(check.text.contains(#""waiting_jobs":2"#), "\(check.errors)")
    let again = try await scene.daemon("store backup copy.sqlite", status: 73)
    #expect(again.errors.contains("copy.sqlite"))
    for name in ["copy.sqlite", "push.sqlite"] { #expect(try scene.tool.mode(of: name) == 0o600) }
    try await scene.end()
  }

  @Test("each line of enqueue has its answer; what is wrong with one does not keep the others")
  func lines() async throws {
    let scene = try await WorkScene()
    let message = "0b54a2c5-3f5b-4f0e-9d7c-3a3c1a4e8f10"
    let lines = [
      #"{"id":7,"person":"ada","payload":{"aps":{"alert":"Lunch?"}},"message_id":"\#(message)","priority":9,"lifetime":"12h"}"#,
      #"{"person":"ada","payload":{"aps":{"alert":"Lunch?"}},"message_id":"\#(message)"}"#, "{",
      #"{"person":"ada"}"#,
      #"{"person":"ada","payload":{"aps":{"alert":"Lunch?"}},"priority":10}"#,
      #"{"person":"","payload":{"aps":{"alert":"Lunch?"}}}"#,
      #"{"person":"ada","payload":{"aps":{"alert":"Lunch?"}},"to":"ada"}"#,
      #"{"person":"ada","payload":{"aps":{"content-available":1},"sync":1},"push_type":"background"}"#,
      #"{"person":"ada","payload":{"aps":{"content-available":1},"sync":1},"push_type":"location"}"#,
      #"{"person":"ada","payload":{"aps":{"content-available":1},"sync":1},"push_type":"Background"}"#,
      #"{"person":"ada","payload":{"aps":{"badge":1}},"push_type":"background"}"#,
    ]
    let run = try await scene.daemon(
      "enqueue --lines", status: 65, input: .text(lines.joined(separator: "\n")))
    #expect(
      run.errors
        == "sealpushd: made push.sqlite, an empty store\nsealpushd: error: 8 of 11 lines were not enqueued\n")
    #expect(run.lines.count == 11)
    #expect(run.lines[0] == #"{"line":1,"id":7,"job":1,"message_id":"\#(message)"}"#)
    #expect(run.lines[1] == #"{"line":2,"job":1,"message_id":"\#(message)"}"#)
    #expect(run.lines[7].hasPrefix(#"{"line":8,"job":3,"#))
    for (line, text) in [
      (8, "'push_type' must be one of alert, background, voip,"), (9, "'push_type' must be one of alert,"),
      (10, #""error":"bad-payload""#),
      (2, #""error":"bad-json""#), (3, "'payload' must be an object"),
      (4, "'priority' must be a number from 0 to 9"),
      (5, "person: must be 1 to 255 bytes"), (6, "'to' is unknown"),
    ] {
      #expect(run.lines[line].contains(text), "\(run.lines[line])")
    }
    #expect(try await scene.queue() == WorkScene.Queue(ready: 2))
    try await scene.end()
  }

  @Test("support is told what became of a message that was enqueued with --outcome")
  func outcome() async throws {
    let scene = try await WorkScene()
    try await scene.enrol()
    let (asked, alone) = ("0b54a2c5-3f5b-4f0e-9d7c-3a3c1a4e8f10", "0b54a2c5-3f5b-4f0e-9d7c-3a3c1a4e8f11")
    let payload = Tool.Input.text(#"{"aps":{"alert":"Lunch?"}}"#)
    _ = try await scene.daemon(
      "enqueue --person ada-lovelace --outcome --message-id \(asked)", input: payload)
    _ = try await scene.daemon("enqueue --person ada-lovelace --message-id \(alone)", input: payload)
    let lines = [("true", 2), ("false", 3), ("1", 4)].map { value, number in
      let message = "0b54a2c5-3f5b-4f0e-9d7c-3a3c1a4e8f1\(number)"
      return
        #"{"person":"nobody","payload":{"aps":{"alert":"Hi"}},"message_id":"\#(message)","outcome":\#(value)}"#
    }
    let run = try await scene.daemon(
      "enqueue --lines", status: 65, input: .text(lines.joined(separator: "\n")))
    #expect(run.lines.count == 3 && run.lines[2].contains("'outcome' must be true or false"))
    let early = try await scene.daemon("queue outcome \(asked)")
    #expect(early.output.isEmpty && early.errors.contains("note: nothing is known about this message"))
    #expect(try await scene.workOnce().status == 0)
    let told = try await scene.daemon("queue outcome \(asked.uppercased())")
    #expect(told.lines.count == 2 && told.errors.isEmpty)
    let words = told.lines.map { $0.split(separator: " ").map(String.init) }
    #expect(words[0] == ["REGISTRATION", "PERSON", "OUTCOME", "WHEN", "WHY"])
    #expect(words[1].starts(with: ["ada-1", "ada-lovelace", "accepted"]) && words[1].last == "-")
    let nobody = try await scene.daemon("queue outcome 0b54a2c5-3f5b-4f0e-9d7c-3a3c1a4e8f12 --json")
    let reason = "its person has no device that it can be sent to"
    #expect(
      nobody.text.hasPrefix(
        #"{"person":"nobody","outcome":"unreachable","reason":"\#(reason)","decided_at":"#))
    for message in [alone, "0b54a2c5-3f5b-4f0e-9d7c-3a3c1a4e8f13"] {
      #expect(try await scene.daemon("queue outcome \(message) --json").output.isEmpty)
    }
    // A worker that keeps them for no time removes them.
    #expect(try await scene.workOnce("--keep-outcomes 0s").status == 0)
    #expect(try await scene.daemon("queue outcome \(asked)").output.isEmpty)
    try await scene.end()
  }

  @Test("a background push is enqueued, and handed to the app")
  func background() async throws {
    let scene = try await WorkScene()
    try await scene.enrol { options, enrolment in
      let line = "keys accept --registrations registrations \(Tool.backend) \(options)"
      return try await scene.tool.run(line, input: enrolment)
    }
    _ = try await scene.daemon("devices import registrations")
    let enqueue = "enqueue --person ada-lovelace --push-type background"
    let run = try await scene.daemon(enqueue, status: 65, input: .text(#"{"aps":{"alert":"Lunch?"}}"#))
    #expect(run.errors.contains("payload: must be without an alert, a sound and a badge"))
    _ = try await scene.daemon(enqueue, input: .text(#"{"aps":{"content-available":1},"sync":"inbox"}"#))
    #expect(try await scene.workOnce().status == 0)
    let push = try #require(try await scene.apns.pushes(1).first)
    #expect(try await scene.apns.payload(of: push).contains(#""content-available":1"#))
    try await scene.end()
  }

  @Test(
    "what cannot be is refused, with its status",
    arguments: [
      ("queue --store host=example.com,password=secret", 64, "--store cannot be a list of libpq keywords"),
      ("queue --store postgresql://ada:secret@example.com/push", 64, "--store has a password"),
      ("queue --store postgres://ada:se/cret@example.com/push", 64, "--store has a password"),
      ("queue --store postgresql://example.com/push?password=secret", 64, "--store has a password"),
      (
        "queue --store postgresql://example.com/push?user=ada&p%61ssword=secret", 64, "--store has a password"
      ),
      ("queue --store mysql://example.com/push", 64, "--store cannot be mysql://"),
      ("queue --store file:push.sqlite", 64, "--store begins with file:"),
      ("queue --store -", 64, "--store must be a file or a database"),
      ("queue --store none.sqlite", 66, "there is no store at none.sqlite"),
      ("queue --store text", 65, "text is damaged, or not a database"),
      ("devices --store none.sqlite", 66, "there is no store"),
      ("devices --store none.sqlite --state lost", 64, "--state must be proven, pending or quarantined"),
      ("devices release --store none.sqlite", 64, "give either NAME… or --all"),
      ("devices remove --store none.sqlite", 64, "give NAME…, --person, --identity, --token or --leave"),
      ("devices remove --store none.sqlite --identity x", 64, "--identity must be 43 characters"),
      ("devices remove --store none.sqlite --token x", 64, "--token: "),
      ("devices remove ada-1 --store none.sqlite", 66, "there is no store"),
      ("devices remove -73wu --store none.sqlite", 64, "there is no option '-73wu' here"),
      ("devices remove --store none.sqlite -- -73wu --x", 66, "there is no store"),
      ("devices import none --store push.sqlite", 66, "cannot read none"),
      ("queue outcome lunch --store none.sqlite", 64, "MESSAGE-ID must be a message's ID, a UUID"),
      ("queue outcome --store none.sqlite", 64, "MESSAGE-ID is missing"),
      ("enqueue --store push.sqlite --lines --outcome", 64, "--outcome and --lines exclude each other"),
      ("queue resend x --store none.sqlite", 64, "a job's ID must be a number, not 'x'"),
      ("queue delete 1 --all --store none.sqlite", 64, "give either ID… or --all"),
      ("queue delete 1 --person ada --store none.sqlite", 64, "give --person in place of ID… and --all"),
      (
        "queue resend --all --person ada --store none.sqlite", 64, "give --person in place of ID… and --all"
      ),
      ("enqueue --store none/push.sqlite --person ada", 65, "the payload is"),
      ("enqueue --store push.sqlite", 64, "give --person NAME, or --lines"),
      ("enqueue --store push.sqlite --lines --person ada", 64, "--person and --lines exclude each other"),
      (
        "enqueue --store push.sqlite --person ada --push-type location", 64,
        "--push-type must be alert, background, voip, complication, pushtotalk, liveactivity"
      ),
      (
        "enqueue --store push.sqlite --lines --push-type alert", 64,
        "--push-type and --lines exclude each other"
      ),
      (
        "enqueue --store push.sqlite --person ada --priority 10", 64,
        "--priority must be a number from 0 to 9"
      ),
      (
        "work --store push.sqlite --from none.jwks", 64,
        "give --key-file FILE, --key-id ID and --team-id ID, or --routes FILE"
      ),
      ("queue", 64, "--store PLACE is missing"),
      ("queue --store none.sqlite --watch 0", 64, "--watch must be at least 1s"),
      (
        "work --store push.sqlite --from none --key-file none --key-id ABCDE12345 --team-id FGHIJ67890 --timeout 0s",
        64, "--timeout must be at least 1s"
      ),
    ])
  func refused(_ line: String, _ status: Int32, _ message: String) async throws {
    let tool = try Tool()
    try tool.write(
      "no database, but longer than the header of one would be: so many bytes and more of them", to: "text")
    let run = try await tool.daemon(line)
    #expect(run.status == status && run.output.isEmpty, "\(run.errors)")
    #expect(run.errors.contains("sealpushd: error: \(message)"), "\(run.errors)")
    #expect(!run.errors.contains("secret") && !run.errors.contains("se/cret"))
    #expect(try !tool.names.contains("none.sqlite"))
  }
}
