public import Foundation

/// The option that says the file's type, a uniform type identifier, instead of its extension.
public let UNNotificationAttachmentOptionsTypeHintKey = "UNNotificationAttachmentOptionsTypeHintKey"

/// The option that hides the thumbnail, a Boolean.
public let UNNotificationAttachmentOptionsThumbnailHiddenKey =
  "UNNotificationAttachmentOptionsThumbnailHiddenKey"

/// The option that says which part of an image is the thumbnail.
public let UNNotificationAttachmentOptionsThumbnailClippingRectKey =
  "UNNotificationAttachmentOptionsThumbnailClippingRectKey"

/// The option that says which frame of a movie is the thumbnail.
public let UNNotificationAttachmentOptionsThumbnailTimeKey = "UNNotificationAttachmentOptionsThumbnailTimeKey"

/// A file that a notification shows or plays.
///
/// Models Apple's page "UNNotificationAttachment": the file has to be there, of a known type, and not too large. What
/// is in the file nobody reads here. The system checks again and moves the file into its store when the content is
/// handed over, which is the host's part.
public class UNNotificationAttachment: NSObject, NSCopying {
  /// What tells it from others.
  public let identifier: String

  /// Where the file is.
  public let url: URL

  /// The file's uniform type identifier.
  public let type: String

  /// What it was made with, for a test host to show.
  package let options: [AnyHashable: Any]

  /// Attaches a file, whose type is told by the hint among the options or by its extension.
  ///
  /// An empty identifier becomes a new one. Throws ``UNError/Code/attachmentInvalidURL`` if the URL names no file
  /// that can be read, ``UNError/Code/attachmentUnrecognizedType`` if its type is not known, and
  /// ``UNError/Code/attachmentInvalidFileSize`` if it is larger than its type allows.
  public convenience init(identifier: String, url URL: URL, options: [AnyHashable: Any]? = nil) throws {
    guard let size = Self.size(of: URL) else { throw UNError(.attachmentInvalidURL) }
    guard let type = Self.type(of: URL, options ?? [:]) else { throw UNError(.attachmentUnrecognizedType) }
    guard size <= type.limit else { throw UNError(.attachmentInvalidFileSize) }
    self.init(
      identifier: identifier.isEmpty ? UUID().uuidString : identifier, url: URL, type: type.identifier,
      options: options ?? [:])
  }

  /// Makes an attachment without looking at the file, which for instance the host has moved.
  package init(identifier: String, url: URL, type: String, options: [AnyHashable: Any]) {
    self.identifier = identifier
    self.url = url
    self.type = type
    self.options = options
    super.init()
  }

  /// The attachment itself, which never changes.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both attach the same file in the same way.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationAttachment else { return false }
    return identifier == other.identifier && url == other.url && type == other.type
      && areEqual(options, other.options)
  }

  /// A number that is the same for attachments that are equal.
  public override var hash: Int { [identifier, type, url.absoluteString].hashValue }

  /// A regular file's size in bytes; null if it cannot be read.
  private static func size(of url: URL) -> UInt64? {
    guard url.isFileURL else { return nil }
    let path = url.resolvingSymlinksInPath().path
    let files = FileManager.default
    guard
      let attributes = try? files.attributesOfItem(atPath: path),
      attributes[.type] as? FileAttributeType == .typeRegular, files.isReadableFile(atPath: path)
    else { return nil }
    return (attributes[.size] as? NSNumber)?.uint64Value
  }

  private static func type(of url: URL, _ options: [AnyHashable: Any]) -> AttachmentType? {
    guard let hint = options[UNNotificationAttachmentOptionsTypeHintKey] else {
      return .of(fileExtension: url.pathExtension)
    }
    return (hint as? String).flatMap(AttachmentType.identified)
  }
}
