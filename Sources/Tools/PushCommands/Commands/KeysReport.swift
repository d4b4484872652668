import PushCore
import PushKeys
import PushSealer

extension Command {
  static let keysReport = Command(
    name: ["keys", "report"], summary: "count for which suites the devices of a file have keys",
    details: """
      Reads registrations or recipients, as seal --recipients does, and verifies their signatures. The file
      may have any length. For each suite it counts the devices whose newest enrolment has an active key, and
      the devices that have proven a key that has not expired. Messages are sealed only to proven keys.
      Unreachable devices have none.

      Then it counts the devices that seal --post-quantum required would refuse: if there are none, you can
      use it safely. This count is for a system that has xwing-aesgcm; sealpush doctor shows whether this one
      does. It also counts the persons who would get their messages on all, on some or on none of their
      devices.

      With --json it is one object: {"devices","pending","unreachable","suites":[{"suite",
      "enrolled","proven"}],"required":{"sealed","refused"},"persons":{"all","some","none"}}.
      """,
    examples: ["sealpush keys report registrations", "sealpush keys report registrations --json"],
    options: [
      .operand(.file, "a file of registrations or recipients, as seal --recipients reads it", file: .input),
      .json, .now,
    ]
  ) { (arguments, console) throws(ToolError) in
    let (path, now) = (try arguments.file(.file), try arguments.now())
    let report: KeyReport
    do throws(RecipientFileError) {
      report = try KeyReport(path: path, at: now)
    } catch {
      throw RecipientFileFailure.describe(error)
    }
    try console.print(arguments.has(.json) ? report.json.jsonLine : report.text)
    guard report.ready > 0, !Suite.xwingAESGCM.isAvailable else { return }
    console.note("on this system, all would be refused: \(Suite.xwingAESGCM.unavailability)")
  }
}

extension KeyReport {
  /// The suites that devices can have keys for.
  private static let suites = Suite.allCases.filter { $0 != .sharedChaChaPoly }

  fileprivate var json: JSONObject {
    func number(_ count: Int) -> JSONValue { .number(JSONNumber(count)) }
    let persons = personCount
    return [
      "devices": number(devices), "pending": number(pending), "unreachable": number(unreachable),
      "suites": .array(
        Self.suites.map { suite in
          .object([
            "suite": .string(suite.name), "enrolled": number(self[suite].enrolled),
            "proven": number(self[suite].proven),
          ])
        }),
      "required": ["sealed": number(ready), "refused": number(refused)],
      "persons": ["all": number(persons.all), "some": number(persons.some), "none": number(persons.none)],
    ]
  }

  fileprivate var text: String {
    let persons = personCount
    let suites = Self.suites.map { suite in
      Help.padded(suite.name, to: 20) + Help.padded("\(self[suite].enrolled)", to: 12)
        + "\(self[suite].proven)\n"
    }
    return """
      devices             \(devices)
      pending             \(pending)
      unreachable         \(unreachable)

      SUITE               ENROLLED    PROVEN
      \(suites.joined())
      with seal --post-quantum required:
      devices sealed to   \(ready)
      devices refused     \(refused)
      persons             \(persons.all) with all devices, \(persons.some) with some, \(persons.none) with none

      """
  }
}
