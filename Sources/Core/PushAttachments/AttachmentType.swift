/// The file types that the system shows as attachments, by media type.
///
/// The list is from Apple's page on `UNNotificationAttachment`.
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
  /// MPEG-4, audio only.
  case mpeg4Audio = "audio/mp4"
  /// MPEG-1.
  case mpeg = "video/mpeg"
  /// MPEG-2.
  case mpeg2 = "video/mpeg2"
  /// MPEG-4.
  case mpeg4 = "video/mp4"
  /// AVI.
  case avi = "video/x-msvideo"

  /// The type of a file by its name's extension, in either case; `nil` for any other extension.
  public init?(fileName: String) {
    let name = fileName.utf8
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    let end = fileName[name.index(after: dot)...].lowercased()
    guard let type = Self.allCases.first(where: { $0.fileExtensions.contains(end) }) else { return nil }
    self = type
  }

  /// The kind of attachment.
  package var kind: AttachmentKind {
    switch self {
    case .jpeg, .png, .gif: .image
    case .aiff, .wav, .mp3, .mpeg4Audio: .audio
    case .mpeg, .mpeg2, .mpeg4, .avi: .video
    }
  }

  /// The maximum length of a file, in bytes.
  public var limit: Int { kind.limit }

  /// The extension that the system requires to show a file of this type, without the period.
  public var fileExtension: String { fileExtensions[0] }

  /// The extensions of such files, the usual one first.
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

/// The kinds of attachment that the system shows.
///
/// Each has its own size limit.
package enum AttachmentKind: String, Sendable, CaseIterable {
  /// A picture.
  case image
  /// A sound.
  case audio
  /// A video.
  case video

  /// The maximum length of a file, in bytes: 10, 5 or 50 million.
  ///
  /// Apple's page on `UNNotificationAttachment` gives the limits in MB without defining the unit. These are the smaller of
  /// the two readings.
  package var limit: Int {
    switch self {
    case .image: 10_000_000
    case .audio: 5_000_000
    case .video: 50_000_000
    }
  }
}
