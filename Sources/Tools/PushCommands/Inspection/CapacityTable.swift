import PushCore
import PushSealer

/// The longest bodies that fit.
enum CapacityTable {
  struct Row {
    let suite: Suite
    let isSigned: Bool
    let type: MessageType
    let bytes: Int
  }

  /// The rows of APNs' two limits, or of FCM's.
  static func rows(policy: SealingPolicy, over service: PushService) throws(ToolError) -> [Row] {
    let empty: Int
    do throws(PayloadError) {
      empty = try RemoteNotification(body: "").payload().encoded().count
    } catch {
      throw ToolError(.failed, "\(error)")
    }
    var rows: [Row] = []
    for pushType in service == .apns ? [PushType.alert, .voip] : [.alert] {
      for suite in Suite.allCases {
        for isSigned in [true, false] {
          var policy = policy
          policy.pushType = pushType
          let content = Budget.contentCapacity(
            policy: policy, suite: suite, isSigned: isSigned, over: service)
          rows.append(
            Row(
              suite: suite, isSigned: isSigned, type: MessageType(pushType: pushType, service: service),
              bytes: max(0, content - empty)))
        }
      }
    }
    return rows
  }

  static func text(of rows: [Row]) -> String {
    let lines = rows.map { row in
      Help.padded("\(row.type.name) (\(row.type.pushType.limit.bytes))", to: 14)
        + Help.padded(row.suite.name, to: 20) + Help.padded(row.isSigned ? "signed" : "anonymous", to: 12)
        + "\(row.bytes)\n"
    }
    return "PUSH TYPE     SUITE               SENDER      LONGEST BODY, BYTES\n" + lines.joined()
  }

  static func json(of rows: [Row]) -> String {
    let list = JSONValue.array(
      rows.map { row in
        .object([
          "pushType": .string(row.type.name), "suite": .string(row.suite.name),
          "signed": .boolean(row.isSigned), "body": .number(JSONNumber(row.bytes)),
        ])
      })
    return list.jsonLine
  }
}
