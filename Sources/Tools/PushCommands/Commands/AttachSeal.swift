import PushAttachments
import PushCore

extension Command {
  static let attachSeal = Command(
    name: ["attach", "seal"], summary: "encrypt a picture, sound or video to a blob",
    details: """
      Prints the blob's descriptor, a line of JSON, or writes it to the --descriptor file, which only you can read.
      It contains the key: keep it secret, and upload only the blob. Nobody can open the blob without it, so name
      the file: with a shell's >, the same command again would empty it before anything is sealed.
      Then add the blob's address to the descriptor as "url" (or pass --url if you know it in advance), and seal
      the notification: sealpush seal --attach FILE
      """,
    examples: [
      "sealpush attach seal photo.jpg --out photo.blob --url https://blobs.example.com/photo.blob"
    ],
    options: [
      .operand("FILE", "the file to seal", file: .input),
      .required("--out", value: "BLOB", "the file to create", file: .output),
      .optional(
        "--descriptor", value: "FILE", "where to write the descriptor; default: standard output",
        file: .output),
      .optional("--type", value: "MIME", "the file's type; default: by its extension"),
      .optional("--url", value: "URL", "the address that the blob will have"),
      .force,
    ]
  ) { (arguments, console) throws(ToolError) in
    let (file, blob) = (try arguments.file("FILE"), try arguments.file("--out"))
    let type = try readType(from: arguments, for: file)
    let url = try readURL(from: arguments)
    let replaces = arguments.has("--force")
    // Both are checked before one of them is written.
    let output = try FileOutput(path: arguments["--descriptor"], replaces: replaces)
    _ = try FileOutput(path: blob, replaces: replaces)
    var descriptor: AttachmentDescriptor
    do throws(AttachmentError) {
      descriptor = try AttachmentFile(path: file).seal(to: blob, as: type, isReplacing: replaces)
    } catch {
      throw AttachFailure.describe(error, reading: file)
    }
    descriptor.url = url
    do throws(ToolError) {
      // The blob is there: a key is never replaced by that of a blob that is not.
      try output.write(Array(descriptor.json().jsonLine.utf8), as: .json, isPrivate: true, console: console)
      try console.close()
    } catch {
      let hint = "\(ShellWord.quoted(blob)) cannot be opened without its descriptor: seal again, with --force"
      let message = error.message.isEmpty ? "the descriptor was not read" : error.message
      throw ToolError(error.status, message, hint: hint)
    }
  }

  private static func readType(from arguments: Arguments, for file: String) throws(ToolError)
    -> AttachmentType
  {
    let hint = "iOS shows: " + AttachmentType.allCases.map(\.rawValue).joined(separator: ", ")
    if let name = arguments["--type"] {
      guard let type = AttachmentType(rawValue: name) else {
        throw .usage("iOS does not show attachments of type '\(name)'", hint: hint)
      }
      return type
    }
    guard let type = AttachmentType(fileName: file) else {
      throw .usage("the extension of \(file) is unknown: give --type MIME", hint: hint)
    }
    return type
  }

  private static func readURL(from arguments: Arguments) throws(ToolError) -> AttachmentURL? {
    guard let text = arguments["--url"] else { return nil }
    do throws(AttachmentURLError) {
      return try AttachmentURL(text)
    } catch {
      throw .usage("--url \(error.reason)")
    }
  }
}
