import Foundation
import TestSupport
import Testing
import UserNotifications

@Suite("attachments")
struct AttachmentTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func code(_ url: URL, _ options: [AnyHashable: Any]? = nil) -> UNError.Code? {
    do {
      _ = try UNNotificationAttachment(identifier: "a", url: url, options: options)
      return nil
    } catch {
      return (error as? UNError)?.code
    }
  }

  @Test("an attachment says what it was made of")
  func properties() throws {
    let url = try folder.file("a.PNG")
    let options: [AnyHashable: Any] = [UNNotificationAttachmentOptionsThumbnailTimeKey: 2]
    let attachment = try UNNotificationAttachment(identifier: "a", url: url, options: options)
    #expect(attachment.identifier == "a")
    #expect(attachment.url == url)
    #expect(attachment.type == "public.png")
    #expect(attachment.options[UNNotificationAttachmentOptionsThumbnailTimeKey] as? Int == 2)
    #expect(try UNNotificationAttachment(identifier: "a", url: url).options.isEmpty)
  }

  @Test("an empty identifier becomes one of its own")
  func identifiers() throws {
    let url = try folder.file("a.png")
    let first = try UNNotificationAttachment(identifier: "", url: url)
    let second = try UNNotificationAttachment(identifier: "", url: url)
    #expect(!first.identifier.isEmpty)
    #expect(first.identifier != second.identifier)
  }

  @Test(
    "the extension tells the type",
    arguments: [
      "aiff": "public.aiff-audio", "aif": "public.aiff-audio", "wav": "com.microsoft.waveform-audio",
      "mp3": "public.mp3", "m4a": "com.apple.m4a-audio", "jpg": "public.jpeg", "jpeg": "public.jpeg",
      "gif": "com.compuserve.gif", "png": "public.png", "mpg": "public.mpeg", "m2v": "public.mpeg-2-video",
      "mp4": "public.mpeg-4", "avi": "public.avi",
    ])
  func type(fileExtension: String, type: String) throws {
    let url = try folder.file("a.\(fileExtension)")
    #expect(try UNNotificationAttachment(identifier: "a", url: url).type == type)
  }

  @Test("the hint tells the type, whatever the extension", arguments: ["a", "a.bin", "a.png"])
  func hint(name: String) throws {
    let options = [UNNotificationAttachmentOptionsTypeHintKey: "public.mpeg-4-audio"]
    let url = try folder.file(name)
    let attachment = try UNNotificationAttachment(identifier: "a", url: url, options: options)
    #expect(attachment.type == "public.mpeg-4-audio")
  }

  @Test("no known type", arguments: ["a", "a.bin", "a.heic", "png", "a.png.txt"])
  func unrecognized(name: String) throws {
    #expect(code(try folder.file(name)) == .attachmentUnrecognizedType)
  }

  @Test("a hint that is no known type, for a file whose extension is one")
  func unrecognizedHint() throws {
    let url = try folder.file("a.png")
    for hint in ["public.heic", "", "PUBLIC.PNG", 1] as [Any] {
      #expect(code(url, [UNNotificationAttachmentOptionsTypeHintKey: hint]) == .attachmentUnrecognizedType)
    }
  }

  @Test("a file of the size that its type allows, and one of a byte more")
  func sizes() throws {
    for (name, limit) in [("a.mp3", 5_000_000), ("a.gif", 10_000_000), ("a.mp4", 50_000_000)] {
      #expect(code(try folder.file(name, size: UInt64(limit))) == nil)
      #expect(code(try folder.file(name, size: UInt64(limit) + 1)) == .attachmentInvalidFileSize)
    }
  }

  @Test("a URL of no file that can be read")
  func invalidURL() throws {
    let subfolder = folder.url.appendingPathComponent("folder.png")
    try FileManager.default.createDirectory(at: subfolder, withIntermediateDirectories: false)
    let link = folder.url.appendingPathComponent("link.png")
    try FileManager.default.createSymbolicLink(
      at: link, withDestinationURL: folder.url.appendingPathComponent("gone.png"))
    // A web page whose path is a file's here.
    let web = try #require(URL(string: "https://example.com\(try folder.file("a.png").path)"))
    for url in [web, folder.url.appendingPathComponent("gone.png"), subfolder, link] {
      #expect(code(url) == .attachmentInvalidURL)
    }
  }

  @Test("a link to a file is the file's size")
  func link() throws {
    let link = folder.url.appendingPathComponent("link.gif")
    let large = try folder.file("large.gif", size: 10_000_001)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: large)
    #expect(code(link) == .attachmentInvalidFileSize)
  }

  @Test("a URL is judged first, then the type, then the size")
  func order() throws {
    #expect(code(folder.url.appendingPathComponent("gone.bin")) == .attachmentInvalidURL)
    #expect(code(try folder.file("a.bin", size: 60_000_000)) == .attachmentUnrecognizedType)
  }

  @Test("attachments are equal if they attach alike")
  func equality() throws {
    let (url, other) = (try folder.file("a.png"), try folder.file("b.png"))
    let options = [UNNotificationAttachmentOptionsThumbnailHiddenKey: true]
    let one = try UNNotificationAttachment(identifier: "a", url: url, options: options)
    let same = try UNNotificationAttachment(identifier: "a", url: url, options: options)
    #expect(one == same)
    #expect(one.hash == same.hash)
    #expect(one != (try UNNotificationAttachment(identifier: "b", url: url, options: options)))
    #expect(one != (try UNNotificationAttachment(identifier: "a", url: other, options: options)))
    #expect(one != (try UNNotificationAttachment(identifier: "a", url: url)))
    #expect(
      one != UNNotificationAttachment(identifier: "a", url: url, type: "public.jpeg", options: options))
    #expect(one.copy() as? UNNotificationAttachment === one)
  }
}

extension TemporaryFolder {
  /// A file of this many bytes, which takes no room on the disk.
  func file(_ name: String, size: UInt64 = 1) throws -> URL {
    try write([], to: name)
    let handle = try FileHandle(forWritingTo: url.appendingPathComponent(name))
    try handle.truncate(atOffset: size)
    try handle.close()
    return url.appendingPathComponent(name)
  }
}
