#if !canImport(Darwin)
  private import Foundation
  internal import UserNotifications

  /// The place into which the system moves attachments when they are handed over; it goes with the host.
  final class AttachmentStore: Sendable {
    private let folder = "\(NSTemporaryDirectory())/attachment-store-\(UUID().uuidString)"

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The content with its attachments where the system keeps them; those whose files are gone are dropped.
    func takeOver(_ content: UNNotificationContent) -> UNNotificationContent {
      guard !content.attachments.isEmpty, let moved = content.mutableCopy() as? UNMutableNotificationContent
      else { return content }
      moved.attachments = content.attachments.compactMap(move)
      return moved.copied
    }

    private func move(_ attachment: UNNotificationAttachment) -> UNNotificationAttachment? {
      let name = "\(UUID().uuidString).\(attachment.url.pathExtension)"
      let url = URL(fileURLWithPath: "\(folder)/\(name)")
      do {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.moveItem(at: attachment.url, to: url)
      } catch {
        return nil
      }
      return UNNotificationAttachment(
        identifier: attachment.identifier, url: url, type: attachment.type, options: attachment.options)
    }
  }
#else
  internal import UserNotifications

  /// Apple's class has a store of its own.
  final class AttachmentStore: Sendable {
    func takeOver(_ content: UNNotificationContent) -> UNNotificationContent { content }
  }
#endif
