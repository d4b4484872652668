import Foundation
import Locks
import PushCore
import PushReceiver
import TestSupport
import Testing

/// What a log does when its file is not as it should be, or is everybody's.
@Suite(.hangGuard)
struct DiagnosticsLogFaultTests {
  private static let opened =
    #""lastOpened":{"time":1,"message":"00112233-4455-6677-8899-aabbccddeeff","count":1}"#

  private let folder: TemporaryFolder
  private let log: DiagnosticsLog

  init() throws {
    folder = try TemporaryFolder()
    log = DiagnosticsLog(path: folder.file)
  }

  private func note(_ name: String = "step") { log.observe(.late, of: name, for: .at(Parties.now)) }

  @Test("there is no log before the first line")
  func missing() {
    #expect(throws: ReceiverFileError.missing) { try log.read() }
  }

  @Test("without its folder nothing is noted, made or thrown")
  func missingFolder() throws {
    let path = "\(folder.path)/nowhere/log.json"
    let log = DiagnosticsLog(path: path)
    log.observe(.late, of: "step", for: .at(Parties.now))
    #expect(throws: ReceiverFileError.missing) { try log.read() }
    #expect(try folder.names == [])
  }

  @Test("without its folder a push is shown as ever")
  func shownWithoutLog() async throws {
    let parties = Parties()
    var receiver = parties.receiver()
    receiver.observers = [DiagnosticsLog(path: "\(folder.path)/nowhere/log.json")]
    #expect(await receiver.receive(try parties.push()).content.body == "secret")
  }

  @Test("a log that is too large is damaged, begun anew, and says so")
  func tooLarge() throws {
    try folder.write([])
    try #require(unsafe truncate(folder.file, 1 << 40) == 0)
    #expect(throws: ReceiverFileError.damaged) { try log.read() }
    note()
    #expect(try log.read().summary == ["note: log-begun-anew", "step: late"])
  }

  @Test("a log that was cut off anywhere is damaged, begun anew, and says so")
  func truncated() throws {
    try folder.write(#"{"v":1,\#(Self.opened),"entries":[{"time":1,"reason":"expired"}]}"#.utf8)
    #expect(try log.read().entries.count == 1)
    let whole = try #require(folder.bytes)
    for count in 0..<whole.count {
      try folder.write(whole.prefix(count))
      #expect(throws: ReceiverFileError.damaged, "\(count)") { try log.read() }
      if count % 8 == 0 {
        note()
        let record = try log.read()
        #expect(record.summary == ["note: log-begun-anew", "step: late"], "\(count)")
        #expect(record.entries.map(\.time) == [Parties.now, Parties.now])
        #expect(record.lastOpened == nil)
      }
    }
  }

  @Test(
    "a log with a fault is damaged",
    arguments: [
      "null", "[]", "{}", #"{"v":1}"#, #"{"entries":[]}"#, #"{"v":0,"entries":[]}"#,
      #"{"v":-1,"entries":[]}"#, #"{"v":"1","entries":[]}"#, #"{"v":1,"entries":{}}"#,
      #"{"v":1,"entries":[1]}"#, #"{"v":1,"entries":[{}]}"#, #"{"v":1,"entries":[{"time":1}]}"#,
      #"{"v":1,"entries":[{"reason":"expired"}]}"#, #"{"v":1,"entries":[{"time":-1,"reason":"expired"}]}"#,
      #"{"v":1,"entries":[{"time":9007199254740992,"reason":"expired"}]}"#,
      #"{"v":1,"entries":[{"time":"1","reason":"expired"}]}"#, #"{"v":1,"entries":[{"time":1,"reason":1}]}"#,
      #"{"v":1,"entries":[{"time":1,"reason":"expired","note":"n"}]}"#,
      #"{"v":1,"entries":[{"time":1,"step":"s"}]}"#, #"{"v":1,"entries":[{"time":1,"failure":"late"}]}"#,
      #"{"v":1,"entries":[{"time":1,"reason":"expired","key":1}]}"#,
      #"{"v":1,"entries":[{"time":1,"reason":"expired","key":"AAAAAAAAAA"}]}"#,
      #"{"v":1,"entries":[{"time":1,"reason":"expired","key":"AAAAAAAAAAB"}]}"#,
      #"{"v":1,"entries":[{"time":1,"reason":"expired","message":"no"}]}"#,
      #"{"v":1,"lastOpened":1,"entries":[]}"#, #"{"v":1,"lastOpened":{},"entries":[]}"#,
      #"{"v":1,"lastOpened":{"time":1,"message":"00112233-4455-6677-8899-aabbccddeeff","count":0},"#
        + #""entries":[]}"#,
      #"{"v":1,"entries":[]} x"#,
    ])
  func damaged(text: String) throws {
    try folder.write(text.utf8)
    #expect(throws: ReceiverFileError.damaged) { try log.read() }
    note()
    #expect(try log.read().summary == ["note: log-begun-anew", "step: late"])
  }

  @Test("a log of a later version is left alone")
  func laterVersion() throws {
    let text = #"{"v":2,"entries":"elsewhere"}"#
    try folder.write(text.utf8)
    #expect(throws: ReceiverFileError.laterVersion) { try log.read() }
    note()
    #expect(try folder.text == text)
  }

  @Test("codes that a later version has, and no more than 64 bytes of them, stay as they are; members go")
  func laterCodes() throws {
    let long = String(repeating: "x", count: 100)
    let lines = [
      #"{"time":1,"reason":"out-of-cheese","extra":[1]}"#, #"{"time":2,"step":"s","failure":"odd"}"#,
      #"{"time":3,"note":"a\u001bb"}"#, #"{"time":4,"reason":"\#(long)"}"#,
    ]
    try folder.write(#"{"v":1,"entries":[\#(lines.joined(separator: ","))],"more":{}}"#.utf8)
    note()
    let record = try log.read()
    let expected = ["out-of-cheese", "s: odd", "note: a?b", String(long.prefix(64)), "step: late"]
    #expect(record.summary == expected)
    #expect(record.entries.first?.degradeReason == nil)
  }

  @Test("a count that cannot go up stays")
  func countLimit() async throws {
    let parties = Parties()
    let last = Self.opened.replacingOccurrences(of: #""count":1"#, with: #""count":\#(Int.max)"#)
    try folder.write(#"{"v":1,\#(last),"entries":[]}"#.utf8)
    var receiver = parties.receiver()
    receiver.observers = [log]
    _ = await receiver.receive(try parties.push())
    #expect(try log.read().lastOpened?.count == .max)
  }

  @Test("a folder in its place is an error, and no more")
  func folderInItsPlace() throws {
    try FileManager.default.createDirectory(atPath: folder.file, withIntermediateDirectories: false)
    note()
    #expect(throws: ReceiverFileError.unavailable) { try log.read() }
  }

  @Test("the file is its owner's alone, and nothing is left beside it")
  func permissions() throws {
    note()
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.file)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try folder.names == ["store"])
  }

  @Test("two logs of one file on many threads lose no line")
  func threads() async throws {
    let (threads, lines) = (8, 10)
    let logs = (0..<2).map { _ in
      DiagnosticsLog(path: folder.file, patience: HangGuard.patience)
    }
    await withCheckedContinuation { continuation in
      let left = Mutex(threads)
      for thread in 0..<threads {
        Thread.detachNewThread {
          for line in 0..<lines {
            logs[thread % 2].observe(.late, of: "\(thread) \(line)", for: .at(Parties.now))
          }
          let isLast = left.withLock { left in
            left -= 1
            return left == 0
          }
          if isLast { continuation.resume() }
        }
      }
    }
    let noted = try log.read().summary
    #expect(noted.count == threads * lines)
    for thread in 0..<threads {
      let own = noted.filter { $0.hasPrefix("\(thread) ") }
      #expect(own == (0..<lines).map { "\(thread) \($0): late" })
    }
  }
}
