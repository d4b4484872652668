internal import PushCommands
internal import PushCore
internal import PushStore

extension Command {
  static let cancel = Command(
    of: "sealpushd", name: ["cancel"], summary: "remove messages from a store's queue, and from phones",
    details: """
      Removes a message's jobs. Name the message by its ID, or by the key that it was enqueued with
      (--job-key). Jobs that wait are not sent any more; what a worker is sending at this moment may still
      arrive. It prints how many jobs it has removed.

      With --take-back, phones that may have the message also remove it: each person gets a sealed background
      push. iOS delivers those when it likes, and never while the app has been closed by force. A message
      whose job is done is found by its key for 30 days, but not by its ID: with --message-id give --person,
      too, and --topic if only one app got it.
      """,
    examples: [
      "sealpushd cancel --store push.sqlite --job-key 'order 7' --take-back",
      "sealpushd cancel --store push.sqlite --message-id 0b0a5bb4-6ae0-4a25-9c3e-6a8f9a3f2b11 --take-back --person ada",
    ],
    options: [
      .store, .optional(.messageID, "the message"), .optional(.jobKey, "all messages with this key"),
      .flag(.takeBack, "also remove it from the phones that may have it"),
      .optional(.person, "with --message-id and --take-back: the person who got the message"),
      .optional(.topic, "the app whose devices may have it; default: all apps"), .json,
    ]
  ) { (arguments, console) throws(ToolError) in
    let cancellation = try Cancellation(from: arguments)
    let store = try await StorePlace(from: arguments).open(making: false, console: console)
    let count = try await storing { () async throws(StoreError) in try await store.cancel([cancellation]) }
    let line: JSONObject = ["cancelled": .number(JSONNumber(count))]
    try console.print(arguments.has(.json) ? line.jsonLine : "\(count) removed\n")
  }
}

extension Cancellation {
  fileprivate init(from arguments: Arguments) throws(ToolError) {
    let target: Target
    switch (try arguments[.messageID], arguments[.jobKey]) {
    case (let id?, nil): target = .message(id)
    case (nil, let key?): target = .key(key)
    default:
      throw .usage(
        "give either \(Option.messageID) ID or \(Option.jobKey) KEY", hint: "sealpushd cancel --help")
    }
    let (person, topic) = (try arguments[.person]?.text, try arguments[.topic])
    guard arguments.has(.takeBack) else {
      if person != nil || topic != nil {
        throw .usage("\(Option.person) and \(Option.topic) belong to \(Flag.takeBack)")
      }
      self.init(target)
      return
    }
    self = .takingBack(target, from: person, topic: topic)
  }
}

extension Flag {
  fileprivate static let takeBack = Flag("--take-back")
}
