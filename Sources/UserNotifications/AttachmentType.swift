/// A type of file that can be attached.
///
/// The table is the one of "Supported File Types" on Apple's page "UNNotificationAttachment"; the uniform type
/// identifiers and file extensions are those that the system declares for these types. MPEG-4 audio is usually a `.m4a`
/// file, whose own type conforms to it.
struct AttachmentType {
  /// The uniform type identifier.
  let identifier: String

  /// The file extensions, in lower case.
  let extensions: [String]

  /// The size that a file may have, in bytes.
  ///
  /// Apple's page gives it in MB: a million bytes is the smaller of the two that it can mean.
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

  /// The type of that uniform type identifier.
  static func identified(by identifier: String) -> AttachmentType? {
    all.first { $0.identifier == identifier }
  }

  /// The type of files with that extension, in upper or lower case.
  static func of(fileExtension: String) -> AttachmentType? {
    let lowercase = fileExtension.lowercased()
    return all.first { $0.extensions.contains(lowercase) }
  }
}
