private import Locks
package import PushAttachments
public import PushCore
public import PushReceiver

/// What a phone would show for a payload.
package struct Simulation: Equatable, Sendable {
  /// A file that a message asks the phone to fetch, which the simulation does not do.
  package struct Attachment: Equatable, Sendable {
    /// Where the encrypted file is.
    package let url: String
    /// The file's type.
    package let type: AttachmentType
    /// The length of the encrypted file, in bytes.
    package let size: Int
  }

  /// Why the system would not have run the extension; nil if it would.
  package let notRun: NotRunReason?

  /// The receiver's result, if the extension ran.
  package let outcome: Outcome?

  /// What the person sees.
  package let shown: ShownContent

  /// The files that the phone would fetch and attach: those of an opened message that is signed.
  package let attachments: [Attachment]

  /// Delivers `payload` to a phone whose extension uses `receiver` and must answer within `deadline`.
  ///
  /// The receiver's strings are the app's, so they also localize the visible texts.
  package static func deliver(
    _ payload: JSONObject, to receiver: Receiver, deadline: Duration = Receiver.softDeadline
  ) async -> Simulation {
    let unopened = ShownContent(unopened: payload, localizedBy: receiver.strings)
    if let reason = NotRunReason(payload: payload) {
      return Simulation(notRun: reason, outcome: nil, shown: unopened, attachments: [])
    }
    var push = IncomingPush(payload: payload, envelopeKey: receiver.envelopeKey)
    push.title = unopened.title
    let wanted = WantedAttachments()
    var receiver = receiver
    receiver.steps.insert(wanted.step, at: 0)
    let reception = await receiver.receive(push, deadline: deadline)
    return Simulation(
      notRun: nil, outcome: reception.outcome, shown: reception.content, attachments: wanted.all)
  }
}

/// Notes the attachments of an opened message.
private final class WantedAttachments: Sendable {
  private let noted = Mutex<[Simulation.Attachment]>([])

  var all: [Simulation.Attachment] { noted.withLock { $0 } }

  var step: EnrichmentStep {
    EnrichmentStep("attachments") { [self] _, message in
      guard message.opened.sender != nil else { return }
      let member = SealedPushMember(reading: message.payload[SealedPushMember.name])
      let attachments = member.attachments.compactMap { descriptor in
        descriptor.url.map {
          Simulation.Attachment(url: $0.text, type: descriptor.type, size: descriptor.size)
        }
      }
      noted.withLock { $0 = attachments }
    }
  }
}

extension ShownContent {
  /// The content as JSON, with the names of Apple's classes.
  ///
  /// An absent value is an empty string or null. `attachments` are the files that a step has fetched.
  public var json: JSONObject {
    [
      "title": .string(title),
      "subtitle": .string(subtitle),
      "body": .string(body),
      "sound": sound.map(Self.json) ?? .null,
      "badge": badge.map { .number(JSONNumber($0)) } ?? .null,
      "launchImageName": .string(launchImageName),
      "category": .string(category),
      "threadIdentifier": .string(threadIdentifier),
      "targetContentIdentifier": targetContentIdentifier.map(JSONValue.string) ?? .null,
      "interruptionLevel": .string(interruptionLevel.rawValue),
      "relevanceScore": JSONNumber(relevanceScore).map(JSONValue.number) ?? .null,
      "filterCriteria": filterCriteria.map(JSONValue.string) ?? .null,
      "attachments": .array(attachments.map { .object(Self.json(of: $0)) }),
      "userInfo": .object(PropertyList.json(from: userInfo)),
    ]
  }

  private static func json(of sound: Sound) -> JSONValue {
    switch sound {
    case .named(let name): return .string(name)
    case .critical(let name, let volume):
      var object: JSONObject = ["critical": .number(JSONNumber(1)), "name": .string(name)]
      object["volume"] = volume.flatMap { JSONNumber($0) }.map(JSONValue.number)
      return .object(object)
    }
  }

  private static func json(of attachment: ShownAttachment) -> JSONObject {
    [
      "identifier": .string(attachment.identifier), "type": .string(attachment.type.rawValue),
      "path": .string(attachment.path),
    ]
  }
}
