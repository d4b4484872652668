import Foundation
import SealedPush

extension LunchPush {
  /// What the phone knows of its pushes, a line each: keys, senders, and the last reasons for which a push did not open.
  @concurrent
  func facts() async -> [String] {
    var facts = ["environment: \(APNsEnvironment.ofThisApp)"]
    do {
      let keys = try shared.keys.thumbprints(at: .now)
      facts += keys.map { "key: \($0.keyID.text)" }
    } catch {
      facts.append("keys: \(error)")
    }
    let files = (try? FileManager.default.contentsOfDirectory(atPath: shared.attachments)) ?? []
    facts.append("attachments: \(files.count)")
    facts.append("senders: \(shared.senders.version.map { "set \($0.serial)" } ?? "none")")
    do {
      let log = try shared.log.read()
      facts.append("last opened: \(log.lastOpened.map { "\($0.time.seconds)" } ?? "never")")
      facts += log.entries.suffix(20).map { "\($0.time.seconds) \($0.degradeReason?.rawValue ?? "")" }
    } catch {
      facts.append("log: \(error)")
    }
    return facts
  }
}
