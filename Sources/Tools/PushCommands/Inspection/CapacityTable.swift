import PushCore
import PushSealer

/// The longest bodies that fit.
enum CapacityTable {
  struct Row {
    let suite: Suite
    let isSigned: Bool
    let pushType: PushType
    let bytes: Int
  }

  static func rows(policy: SealingPolicy) throws(ToolError) -> [Row] {
    let empty: Int
    do throws(PayloadError) {
      empty = try RemoteNotification(body: "").payload().encoded().count
    } catch {
      throw ToolError(.failed, "\(error)")
    }
    var rows: [Row] = []
    for pushType in [PushType.alert, .voip] {
      for suite in Suite.allCases {
        for isSigned in [true, false] {
          var policy = policy
          policy.pushType = pushType
          let content = Budget.contentCapacity(policy: policy, suite: suite, isSigned: isSigned)
          rows.append(
            Row(suite: suite, isSigned: isSigned, pushType: pushType, bytes: max(0, content - empty)))
        }
      }
    }
    return rows
  }

  static func text(of rows: [Row]) -> String {
    let lines = rows.map { row in
      Help.padded("\(row.pushType.rawValue) (\(row.pushType.limit.bytes))", to: 14)
        + Help.padded(row.suite.name, to: 20) + Help.padded(row.isSigned ? "signed" : "anonymous", to: 12)
        + "\(row.bytes)\n"
    }
    return "PUSH TYPE     SUITE               SENDER      LONGEST BODY, BYTES\n" + lines.joined()
  }

  static func json(of rows: [Row]) -> String {
    let list = JSONValue.array(
      rows.map { row in
        .object([
          "pushType": .string(row.pushType.rawValue), "suite": .string(row.suite.name),
          "signed": .boolean(row.isSigned), "body": .number(JSONNumber(row.bytes)),
        ])
      })
    return list.jsonLine
  }
}
