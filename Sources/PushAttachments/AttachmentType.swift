/// The types of file that the system shows as attachments, by their media types.
///
/// The list is Apple's, from its page on `UNNotificationAttachment`.
public enum AttachmentType: String, Sendable, CaseIterable {
  /// JPEG.
  case jpeg = "image/jpeg"
  /// PNG.
  case png = "image/png"
  /// GIF.
  case gif = "image/gif"
  /// AIFF.
  case aiff = "audio/aiff"
  /// WAVE.
  case wav = "audio/wav"
  /// MP3.
  case mp3 = "audio/mpeg"
  /// MPEG-4, sound alone.
  case mpeg4Audio = "audio/mp4"
  /// MPEG-1.
  case mpeg = "video/mpeg"
  /// MPEG-2.
  case mpeg2 = "video/mpeg2"
  /// MPEG-4.
  case mpeg4 = "video/mp4"
  /// AVI.
  case avi = "video/x-msvideo"

  /// The type of a file, by the extension of its name in either case; null if it is none of these.
  public init?(fileName: String) {
    let name = fileName.utf8
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    let end = fileName[name.index(after: dot)...].lowercased()
    guard let type = Self.allCases.first(where: { $0.fileExtensions.contains(end) }) else { return nil }
    self = type
  }

  /// What it is.
  public var kind: AttachmentKind {
    switch self {
    case .jpeg, .png, .gif: .image
    case .aiff, .wav, .mp3, .mpeg4Audio: .audio
    case .mpeg, .mpeg2, .mpeg4, .avi: .video
    }
  }

  /// The longest file, in bytes.
  public var limit: Int { kind.limit }

  /// The extension that a file of this type needs to be shown, without the period.
  public var fileExtension: String { fileExtensions[0] }

  /// The extensions that such files have, the usual one first.
  private var fileExtensions: [String] {
    switch self {
    case .jpeg: ["jpg", "jpeg"]
    case .png: ["png"]
    case .gif: ["gif"]
    case .aiff: ["aiff", "aif"]
    case .wav: ["wav"]
    case .mp3: ["mp3"]
    case .mpeg4Audio: ["m4a"]
    case .mpeg: ["mpg", "mpeg"]
    case .mpeg2: ["m2v"]
    case .mpeg4: ["mp4"]
    case .avi: ["avi"]
    }
  }
}
