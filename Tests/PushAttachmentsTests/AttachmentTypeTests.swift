import PushAttachments
import Testing

/// The types of file that the system shows.
struct AttachmentTypeTests {
  private static let table: [(AttachmentType, String, AttachmentKind, [String])] = [
    (.jpeg, "image/jpeg", .image, ["jpg", "jpeg"]), (.png, "image/png", .image, ["png"]),
    (.gif, "image/gif", .image, ["gif"]), (.aiff, "audio/aiff", .audio, ["aiff", "aif"]),
    (.wav, "audio/wav", .audio, ["wav"]), (.mp3, "audio/mpeg", .audio, ["mp3"]),
    (.mpeg4Audio, "audio/mp4", .audio, ["m4a"]), (.mpeg, "video/mpeg", .video, ["mpg", "mpeg"]),
    (.mpeg2, "video/mpeg2", .video, ["m2v"]), (.mpeg4, "video/mp4", .video, ["mp4"]),
    (.avi, "video/x-msvideo", .video, ["avi"]),
  ]

  @Test func `every type has its name, its kind and its extensions`() {
    #expect(Self.table.map(\.0) == AttachmentType.allCases)
    for (type, name, kind, extensions) in Self.table {
      #expect(type.rawValue == name && AttachmentType(rawValue: name) == type)
      #expect(type.kind == kind && type.limit == kind.limit)
      #expect(type.fileExtension == extensions[0])
      for end in extensions {
        for name in ["a.\(end)", "A.B.\(end.uppercased())", "/a.b/c.\(end)", ".\(end)"] {
          #expect(AttachmentType(fileName: name) == type, "\(name)")
        }
      }
    }
  }

  @Test(arguments: ["", "a", "jpg", "a.", "a.txt", "a.jpg ", "a.jpg/b", "a.heic", "a.ＪＰＧ", "a.jp\u{0}g"])
  func `other files have no type`(name: String) { #expect(AttachmentType(fileName: name) == nil) }

  @Test(arguments: ["image/JPEG", "image/jpg", "application/octet-stream", "", "image/jpeg; q=1"])
  func `other names are no types`(name: String) { #expect(AttachmentType(rawValue: name) == nil) }

  @Test func limits() {
    #expect(AttachmentKind.allCases.map(\.limit) == [10_000_000, 5_000_000, 50_000_000])
  }
}
