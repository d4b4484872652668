public import Foundation

/// The option for the file's type, a uniform type identifier, which overrides the extension.
public let UNNotificationAttachmentOptionsTypeHintKey = "UNNotificationAttachmentOptionsTypeHintKey"

/// The option that hides the thumbnail, a Boolean.
public let UNNotificationAttachmentOptionsThumbnailHiddenKey =
  "UNNotificationAttachmentOptionsThumbnailHiddenKey"

/// The option for the part of an image that is the thumbnail.
public let UNNotificationAttachmentOptionsThumbnailClippingRectKey =
  "UNNotificationAttachmentOptionsThumbnailClippingRectKey"

/// The option for the frame of a movie that is the thumbnail.
public let UNNotificationAttachmentOptionsThumbnailTimeKey = "UNNotificationAttachmentOptionsThumbnailTimeKey"

/// A file that a notification shows or plays.
///
/// Models Apple's page "UNNotificationAttachment": the file must exist, have a known type, and not be too large. Its
/// contents are not read. The system checks the file again and moves it into its store when it receives the content; here
/// the host does that.
public class UNNotificationAttachment: NSObject, NSCopying {
  /// The attachment's identifier.
  public let identifier: String

  /// The file's URL.
  public let url: URL

  /// The file's uniform type identifier.
  public let type: String

  /// The options that the attachment was created with, for a test host to show.
  package let options: [AnyHashable: Any]

  /// Attaches a file, whose type follows from the hint in the options or from its extension.
  ///
  /// An empty identifier becomes a new one. Throws ``UNError/Code/attachmentInvalidURL`` if the URL does not name a
  /// readable file, ``UNError/Code/attachmentUnrecognizedType`` if its type is not known, and
  /// ``UNError/Code/attachmentInvalidFileSize`` if it is larger than its type allows.
  public convenience init(identifier: String, url URL: URL, options: [AnyHashable: Any]? = nil) throws {
    guard let size = Self.size(of: URL) else { throw UNError(.attachmentInvalidURL) }
    guard let type = Self.type(of: URL, options: options ?? [:]) else {
      throw UNError(.attachmentUnrecognizedType)
    }
    guard size <= type.limit else { throw UNError(.attachmentInvalidFileSize) }
    self.init(
      identifier: identifier.isEmpty ? UUID().uuidString : identifier, url: URL, type: type.identifier,
      options: options ?? [:])
  }

  /// Creates an attachment without checking the file, for example because the host has moved it.
  package init(identifier: String, url: URL, type: String, options: [AnyHashable: Any]) {
    self.identifier = identifier
    self.url = url
    self.type = type
    self.options = options
    super.init()
  }

  /// Returns the attachment itself, because it is immutable.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both have the same values.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationAttachment else { return false }
    return identifier == other.identifier && url == other.url && type == other.type
      && areEqual(options, other.options)
  }

  /// A hash value, which is the same for equal attachments.
  public override var hash: Int { [identifier, type, url.absoluteString].hashValue }

  /// A regular file's size in bytes; `nil` if it cannot be read.
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

  private static func type(of url: URL, options: [AnyHashable: Any]) -> AttachmentType? {
    guard let hint = options[UNNotificationAttachmentOptionsTypeHintKey] else {
      return .of(fileExtension: url.pathExtension)
    }
    return (hint as? String).flatMap(AttachmentType.identified)
  }
}

/// A type of file that can be attached.
///
/// The table is the one of "Supported File Types" on Apple's page "UNNotificationAttachment"; the uniform type
/// identifiers and file extensions are the system's for these types. MPEG-4 audio is usually a `.m4a`
/// file, whose own type conforms to it.
struct AttachmentType {
  /// The uniform type identifier.
  let identifier: String

  /// The file extensions, in lower case.
  let extensions: [String]

  /// The maximum size of a file, in bytes.
  ///
  /// Apple's page gives it in MB without defining the unit. A million bytes is the smaller of the two readings.
  let limit: UInt64

  private static let audio: UInt64 = 5_000_000
  private static let image: UInt64 = 10_000_000
  private static let movie: UInt64 = 50_000_000

  private static let all = [
    AttachmentType(identifier: "public.aiff-audio", extensions: ["aiff", "aif"], limit: audio),
    AttachmentType(identifier: "com.microsoft.waveform-audio", extensions: ["wav", "wave"], limit: audio),
    AttachmentType(identifier: "public.mp3", extensions: ["mp3"], limit: audio),
    AttachmentType(identifier: "public.mpeg-4-audio", extensions: [], limit: audio),
    AttachmentType(identifier: "com.apple.m4a-audio", extensions: ["m4a"], limit: audio),
    AttachmentType(identifier: "public.jpeg", extensions: ["jpg", "jpeg", "jpe"], limit: image),
    AttachmentType(identifier: "com.compuserve.gif", extensions: ["gif"], limit: image),
    AttachmentType(identifier: "public.png", extensions: ["png"], limit: image),
    AttachmentType(identifier: "public.mpeg", extensions: ["mpg", "mpeg", "mpe"], limit: movie),
    AttachmentType(identifier: "public.mpeg-2-video", extensions: ["m2v"], limit: movie),
    AttachmentType(identifier: "public.mpeg-4", extensions: ["mp4", "mpg4"], limit: movie),
    AttachmentType(identifier: "public.avi", extensions: ["avi"], limit: movie),
  ]

  /// The type with a uniform type identifier.
  static func identified(by identifier: String) -> AttachmentType? {
    all.first { $0.identifier == identifier }
  }

  /// The type of files with an extension, in upper or lower case.
  static func of(fileExtension: String) -> AttachmentType? {
    let lowercase = fileExtension.lowercased()
    return all.first { $0.extensions.contains(lowercase) }
  }
}
