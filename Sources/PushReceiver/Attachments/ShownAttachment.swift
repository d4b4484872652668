public import PushAttachments
internal import PushFiles

/// A file that is shown with a notification.
///
/// It is removed when nobody has this value any more, unless the system has taken it over.
public struct ShownAttachment: Equatable, Sendable {
  /// What tells it from the notification's others.
  public let identifier: String

  /// What it is; the file's name ends with the extension that belongs to it.
  public let type: AttachmentType

  private let file: PassingFile

  /// Where it is.
  public var path: String { file.path }

  /// Takes a file over, whose name ends with the type's extension.
  public init(identifier: String, type: AttachmentType, path: String) {
    self.init(identifier: identifier, type: type, file: PassingFile(path: path))
  }

  init(identifier: String, type: AttachmentType, file: PassingFile) {
    self.identifier = identifier
    self.type = type
    self.file = file
  }

  /// Leaves the file to the system, which moves it away.
  package func leave() { file.leave() }

  /// Whether both are the same file.
  public static func == (left: ShownAttachment, right: ShownAttachment) -> Bool {
    left.identifier == right.identifier && left.type == right.type && left.path == right.path
  }
}
