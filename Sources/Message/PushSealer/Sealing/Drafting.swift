internal import PushAttachments
internal import PushCore
internal import PushKeys

/// Turns jobs into drafts: checks them, encodes them and makes them fit.
struct Drafting: Sendable {
  /// The policy; where FCM carries the messages, it leaves nothing visible.
  let policy: SealingPolicy
  let isSigned: Bool

  private let service: PushService

  /// The skeleton of every message, unless the policy keeps members visible.
  private let skeleton: Skeleton

  /// The top-level members that a content must not have.
  private let reservedKeys: [String]

  init(policy: SealingPolicy, isSigned: Bool, over service: PushService = .apns) {
    var policy = policy
    if service == .fcm { policy.visible = [] }
    self.policy = policy
    self.isSigned = isSigned
    self.service = service
    skeleton = Skeleton(policy: policy, over: service)
    reservedKeys = [policy.envelopeKey.text, EnvelopeKey.reserved]
  }

  /// Job -> JSON -> what fits.
  func draft(_ job: SealJob) throws(SealError) -> Draft {
    let suite = job.recipient.suite
    let whole = try measure(job.content, attachments: job.attachments, account: job.account, for: suite)
    if let draft = draft(whole, cuts: []) { return draft }
    let payload = try payload(of: job.content, attachments: job.attachments)
    let fitter = Fitter(fitting: policy.fitting) {
      measure($0, account: job.account, for: suite).budget.excess
    }
    if let (shorter, cuts) = fitter.fit(payload),
      let draft = draft(measure(shorter, account: job.account, for: suite), cuts: cuts)
    {
      let notification = try read(.payload(shorter)).0
      try check(notification)
      try check(notification, payload: shorter)
      return draft
    }
    throw tooLarge(whole.budget)
  }

  private func tooLarge(_ budget: Budget) -> SealError {
    switch service {
    case .apns: .tooLarge(bytes: budget.neededPayload, limit: budget.limit)
    case .fcm: .tooLargeForFCM(bytes: budget.neededPayload, limit: budget.limit)
    }
  }

  /// The draft of a content that is not a payload.
  func draft(_ content: [UInt8], for suite: Suite) throws(SealError) -> Draft {
    let measured = measure(content, in: skeleton, for: suite)
    guard let draft = draft(measured, cuts: []) else { throw tooLarge(measured.budget) }
    return draft
  }

  /// The budget of a notification, whether or not it fits.
  func budget(
    for content: SealJob.Content, attachments: [AttachmentDescriptor], suite: Suite
  ) throws(SealError) -> Budget {
    try measure(content, attachments: attachments, account: nil, for: suite).budget
  }

  /// A payload in JSON, with its budget.
  private struct Measured {
    let content: [UInt8]
    let skeleton: Skeleton
    let budget: Budget
  }

  /// Checks a job's content, and measures its JSON.
  ///
  /// A notification without attachments and visible members, which is the usual job, is written without a payload in
  /// between.
  private func measure(
    _ content: SealJob.Content, attachments: [AttachmentDescriptor], account: AccountTag?, for suite: Suite
  ) throws(SealError) -> Measured {
    guard case .notification(let notification) = content, attachments.isEmpty, !policy.showsMembers,
      notification.custom[EnvelopeKey.reserved] == nil
    else {
      return measure(try payload(of: content, attachments: attachments), account: account, for: suite)
    }
    var json: [UInt8]
    do throws(PayloadError) {
      json = try notification.encoded()
    } catch {
      throw .payload(error)
    }
    try check(notification)
    if let account { SealedPushMember.append(account, to: &json) }
    return measure(json, in: skeleton, for: suite)
  }

  private func measure(_ payload: JSONObject, account: AccountTag?, for suite: Suite) -> Measured {
    measure(
      encode(payload, for: account),
      in: policy.showsMembers ? Skeleton(policy: policy, showing: payload) : skeleton, for: suite)
  }

  /// The JSON of a payload, whose `aps` is there, with the account in the format's own member.
  private func encode(_ payload: JSONObject, for account: AccountTag?) -> [UInt8] {
    guard let account else { return payload.encoded() }
    guard payload[SealedPushMember.name] == nil else {
      var payload = payload
      SealedPushMember.add(account, to: &payload)
      return payload.encoded()
    }
    var json = payload.encoded()
    SealedPushMember.append(account, to: &json)
    return json
  }

  private func measure(_ content: [UInt8], in skeleton: Skeleton, for suite: Suite) -> Measured {
    let size = SealedContent.overhead(isSigned: isSigned) + content.count
    return Measured(
      content: content, skeleton: skeleton,
      budget: Budget(policy: policy, skeleton: skeleton, suite: suite, minimumSize: size))
  }

  /// The draft of a measured payload; nil if it does not fit.
  private func draft(_ measured: Measured, cuts: [Cut]) -> Draft? {
    let budget = measured.budget
    guard let size = policy.padding.paddedSize(of: budget.needed, capacity: budget.capacity) else {
      return nil
    }
    return Draft(
      content: measured.content, skeleton: measured.skeleton, budget: budget, cuts: cuts, paddedSize: size)
  }

  /// The JSON to seal: the payload, with the format's own member last.
  private func payload(
    of content: SealJob.Content, attachments: [AttachmentDescriptor]
  ) throws(SealError) -> JSONObject {
    var payload = try checked(content)
    guard !attachments.isEmpty else { return payload }
    guard policy.pushType == .alert else { throw .attachmentsOfData }
    do throws(AttachmentError) {
      var member = payload[SealedPushMember.name]?.object ?? [:]
      for (name, value) in try SealedPushMember(attachments: attachments).json() { member[name] = value }
      payload[SealedPushMember.name] = .object(member)
    } catch {
      throw .attachments(error)
    }
    return payload
  }

  private func checked(_ content: SealJob.Content) throws(SealError) -> JSONObject {
    let (notification, payload) = try read(content)
    try check(notification)
    try check(notification, payload: payload)
    return payload
  }

  private func read(_ content: SealJob.Content) throws(SealError) -> (RemoteNotification, JSONObject) {
    do throws(PayloadError) {
      switch content {
      case .notification(let notification): return (notification, try notification.payload())
      case .payload(let payload): return (try RemoteNotification(payload: payload), payload)
      }
    } catch {
      throw .payload(error)
    }
  }

  /// Throws unless the names of all members are the app's to use, and there is something to show.
  private func check(_ notification: RemoteNotification) throws(SealError) {
    for key in reservedKeys {
      guard let value = notification.custom[key] else { continue }
      // What a message does to others, and its bytes, are the caller's to say: FORMAT.md, [6.6] and [6.7].
      let isCallers = key == EnvelopeKey.reserved && CallersMember(strictly: value) != nil
      guard isCallers else { throw .reservedKey(key) }
    }
    guard policy.pushType != .alert || notification.hasText else { throw .nothingToShow }
  }

  /// Throws unless the visible part is valid for APNs and the system.
  private func check(_ notification: RemoteNotification, payload: JSONObject) throws(SealError) {
    guard policy.showsMembers else { return }
    do throws(PayloadError) {
      if policy.pushType == .liveActivity { try notification.checkAsLiveActivity() }
      try RemoteNotification(payload: policy.visiblePart(of: payload)).checkForSending()
    } catch {
      throw .payload(error)
    }
  }
}

extension RemoteNotification {
  /// Throws unless it has the members that APNs and the system need for a Live Activity.
  fileprivate func checkAsLiveActivity() throws(PayloadError) {
    guard isLiveActivity else { throw .invalid(key: "aps.event", rule: .missing) }
    try checkForSending()
  }
}

/// A message that is ready to be encrypted: checked, in JSON, and short enough.
struct Draft {
  /// The content, in JSON.
  let content: [UInt8]

  /// The visible part of the payload.
  let skeleton: Skeleton

  /// How the payload's bytes will be spent.
  let budget: Budget

  /// What was cut.
  let cuts: [Cut]

  /// The length of the padded plaintext, in bytes.
  let paddedSize: Int
}
