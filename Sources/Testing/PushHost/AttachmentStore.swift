#if !canImport(Darwin)
  private import Foundation
  internal import UserNotifications

  /// The folder into which the system moves the attachments of a content that it shows.
  ///
  /// It is deleted with the host.
  final class AttachmentStore: Sendable {
    private let folder = "\(NSTemporaryDirectory())/attachment-store-\(UUID().uuidString)"

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Moves the content's attachments into the folder, and drops those whose files no longer exist.
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

  /// Apple's system moves the files itself.
  final class AttachmentStore: Sendable {
    func takeOver(_ content: UNNotificationContent) -> UNNotificationContent { content }
  }
#endif
