package import PushCore
internal import PushEnrolment

/// A row of the table `job` as an application wrote it: each column's text, which may be anything.
///
/// Numbers are in decimal digits, times in seconds since 1970. An engine reads no more than ``maximumSize`` bytes of a
/// column.
package struct JobRow: Hashable, Sendable {
  /// How many bytes of a column an engine reads: one more than is allowed.
  package static let maximumSize = Job.maximumPayloadSize + 1

  /// The columns' values; nil for null.
  private var values = [[UInt8]?](repeating: nil, count: JobColumn.allCases.count)

  /// Makes a row whose other columns are null.
  package init(columns: [JobColumn: [UInt8]] = [:]) {
    for (column, value) in columns { self[column] = value }
  }

  /// A column's value; nil for null.
  package subscript(column: JobColumn) -> [UInt8]? {
    get { values[column.place] }
    set { values[column.place] = newValue }
  }

  /// Makes the row of a job; `not_before` is null where the job has no such time.
  package init(_ job: Job) {
    self.init()
    set(.messageID, to: job.messageID.text)
    set(.person, to: job.person)
    self[.payload] = job.payload.encoded()
    set(.topic, to: job.topic?.text)
    set(.priority, to: String(job.priority.rawValue))
    set(.notBefore, to: job.notBefore.map { String($0.seconds) })
    set(.expiresAt, to: job.expiresAt.map { String($0.seconds) })
    set(.lifetime, to: job.lifetime.map { String($0.seconds) })
    set(.apnsPriority, to: job.apnsPriority.map { String($0.rawValue) })
    set(.collapseID, to: job.collapseID)
    set(.createdAt, to: String(job.createdAt.seconds))
    set(.pushType, to: job.pushType.rawValue)
    set(.outcome, to: job.wantsOutcome ? "1" : "0")
    set(.key, to: job.key?.name)
    set(.onKey, to: job.key?.onKey)
    set(.uniqueFor, to: job.key?.uniqueFor.map { String($0) })
    set(.replaces, to: job.replaces?.text)
    set(.traceparent, to: job.traceparent?.text)
    set(.activity, to: job.activity)
  }

  private mutating func set(_ column: JobColumn, to text: String?) {
    self[column] = text.map { Array($0.utf8) }
  }

  /// The job, at the time of a lease.
  ///
  /// - Throws: ``JobFault`` of the first column that is wrong, or if the job's time is up.
  package func job(at now: UnixTime) throws(JobFault) -> Job {
    let messageID = try value(in: .messageID, rule: "a UUID") { try? MessageID($0) }
    let person = try value(in: .person, rule: JobColumn.nameRule) { $0 }
    let job = try Job(
      stored: try payload(), to: try required(person, in: .person, rule: JobColumn.nameRule),
      messageID: try required(messageID, in: .messageID, rule: "a UUID"),
      topic: try value(in: .topic, rule: "a bundle ID") { try? Topic($0) },
      priority: try value(in: .priority, rule: "an integer from 0 to 9") {
        Int($0).flatMap(JobPriority.init(rawValue:))
      } ?? .standard,
      notBefore: try time(in: .notBefore), expiresAt: try time(in: .expiresAt),
      lifetime: try value(
        in: .lifetime, rule: "a whole number of seconds from 0 to \(Lifetime.maximum.seconds)"
      ) {
        Int64($0).flatMap(Lifetime.init(seconds:))
      },
      apnsPriority: try value(in: .apnsPriority, rule: "10, 5 or 1") {
        Int($0).flatMap(Priority.init(rawValue:))
      },
      collapseID: try value(in: .collapseID, rule: "1 to 64 visible ASCII characters") { $0 },
      pushType: try value(in: .pushType, rule: JobColumn.pushTypeRule) { PushType(rawValue: $0) } ?? .alert,
      wantsOutcome: try value(in: .outcome, rule: JobColumn.outcomeRule) { Self.booleans[$0] } ?? false,
      key: try key(),
      replacing: try value(in: .replaces, rule: JobColumn.replacesRule) { try? MessageID($0) },
      traceparent: try value(in: .traceparent, rule: JobColumn.traceparentRule) { TraceParent($0) },
      activity: try value(in: .activity, rule: JobColumn.activityRule) { $0 },
      at: try required(try time(in: .createdAt), in: .createdAt, rule: StoreTime.rule))
    if let end = job.expiresAt, end <= now { throw .expired(at: end) }
    return job
  }

  private func key() throws(JobFault) -> JobKey? {
    let rule = try value(in: .onKey, rule: JobColumn.onKeyRule) {
      JobKey.ruleNames.contains($0) ? $0 : nil
    }
    let time = try value(in: .uniqueFor, rule: JobColumn.uniqueForRule) { Int64($0) }
    guard rule == "skip" || time == nil else { throw .wrong(.uniqueFor, JobColumn.uniqueForRule) }
    guard let name = try value(in: .key, rule: JobColumn.nameRule, read: { $0 }) else {
      guard rule == nil else { throw .wrong(.onKey, JobColumn.onKeyRule) }
      return nil
    }
    return JobKey(name, onKey: rule, uniqueFor: time)
  }

  private static let booleans = ["0": false, "1": true]

  /// The message and the person whose outcomes the row asks for, whatever its other columns are; nil if it asks for none.
  package var outcomeRequest: OutcomeRequest? {
    guard self[.outcome] == [UInt8(ascii: "1")],
      let messageID = try? value(in: .messageID, rule: "a UUID", read: { try? MessageID($0) }),
      let person = try? value(in: .person, rule: JobColumn.nameRule, read: { $0 }),
      Registration.isName(person)
    else { return nil }
    return OutcomeRequest(messageID: messageID, person: person)
  }

  private func payload() throws(JobFault) -> JSONObject {
    let bytes = try required(self[.payload], in: .payload, rule: "a JSON object")
    guard bytes.count <= Job.maximumPayloadSize else {
      throw .wrong(.payload, "at most \(Job.maximumPayloadSize) bytes")
    }
    do throws(JSONError) {
      return try JSONObject(parsing: bytes.span)
    } catch {
      throw .payload(.json(error))
    }
  }

  private func required<Value>(
    _ value: Value?, in column: JobColumn, rule: String
  ) throws(JobFault) -> Value {
    guard let value else { throw .wrong(column, rule) }
    return value
  }

  /// Reads a column's text; nil if it is null.
  private func value<Value>(
    in column: JobColumn, rule: String, read: (String) -> Value?
  ) throws(JobFault) -> Value? {
    guard let bytes = self[column] else { return nil }
    guard let text = String(validating: bytes, as: UTF8.self), let value = read(text) else {
      throw .wrong(column, rule)
    }
    return value
  }

  private func time(in column: JobColumn) throws(JobFault) -> UnixTime? {
    try value(in: column, rule: StoreTime.rule) {
      StoreTime.seconds(in: $0).flatMap { UnixTime(seconds: Int64($0)) }
    }
  }
}

extension JobColumn {
  /// Its place among all: a dictionary would hash its name.
  fileprivate var place: Int {
    switch self {
    case .messageID: 0
    case .person: 1
    case .payload: 2
    case .topic: 3
    case .priority: 4
    case .notBefore: 5
    case .expiresAt: 6
    case .lifetime: 7
    case .apnsPriority: 8
    case .collapseID: 9
    case .createdAt: 10
    case .pushType: 11
    case .outcome: 12
    case .key: 13
    case .onKey: 14
    case .uniqueFor: 15
    case .replaces: 16
    case .traceparent: 17
    case .activity: 18
    }
  }
}
