import PushAttachments
import PushCore

extension Command {
  static let attachSeal = Command(
    name: ["attach", "seal"], summary: "encrypt a picture, sound or video to a blob",
    details: """
      Prints the blob's descriptor, a line of JSON, or writes it to the --descriptor file, which only you can
      read. The descriptor contains the key: keep it secret, and upload only the blob. Nobody can open the
      blob without it, so prefer --descriptor to a shell's >: if you ran the command again, > would empty the
      old descriptor before anything is sealed.

      Then add the blob's address to the descriptor as "url" (or pass --url if you know it in advance), and
      seal the notification: sealpush seal --attach FILE
      """,
    examples: [
      "sealpush attach seal photo.jpg --out photo.blob --url https://blobs.example.com/photo.blob"
    ],
    options: [
      .operand(.file, "the file to seal", file: .input),
      .required(.blob, "the file to create"),
      .optional(.descriptor, "where to write the descriptor; default: standard output"),
      .optional(.attachmentType, "the file's type; default: by its extension"),
      .optional(.url, "the address that the blob will have"),
      .force,
    ]
  ) { (arguments, console) throws(ToolError) in
    let (file, blob) = (try arguments.file(.file), try arguments.file(.blob))
    let type = try readType(from: arguments, for: file)
    let url = try arguments[.url]
    let replaces = arguments.has(.force)
    // Both are checked before one of them is written.
    let output = try FileOutput(path: arguments[.descriptor], replaces: replaces)
    _ = try FileOutput(path: blob, replaces: replaces)
    var descriptor: AttachmentDescriptor
    do throws(AttachmentError) {
      descriptor = try AttachmentFile(path: file).seal(to: blob, as: type, isReplacing: replaces)
    } catch {
      throw AttachFailure.describe(error, reading: file)
    }
    descriptor.url = url
    do throws(ToolError) {
      // The blob exists now, so a descriptor never replaces another one without its blob.
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
    guard let type = try arguments[.attachmentType] ?? AttachmentType(fileName: file) else {
      throw .usage("the extension of \(file) is unknown: give --type MIME", hint: AttachmentType.hint)
    }
    return type
  }
}

extension Option<String> {
  fileprivate static var blob: Self { Self("--out", "BLOB", file: .output) }
  fileprivate static var descriptor: Self { Self("--descriptor", "FILE", file: .output) }
}

extension Option<AttachmentType> {
  fileprivate static var attachmentType: Self {
    Self("--type", "MIME") { (text, _) throws(ToolError) in
      guard let type = AttachmentType(rawValue: text) else {
        throw .usage("iOS does not show attachments of type '\(text)'", hint: AttachmentType.hint)
      }
      return type
    }
  }
}

extension AttachmentType {
  fileprivate static var hint: String {
    "iOS shows: " + allCases.map(\.rawValue).joined(separator: ", ")
  }
}

extension Option<AttachmentURL> {
  fileprivate static var url: Self {
    Self("--url", "URL") { (text, name) throws(ToolError) in
      do throws(AttachmentURLError) { return try AttachmentURL(text) } catch {
        throw .usage("\(name) \(error.reason)")
      }
    }
  }
}

extension Operand {
  package static let file = Operand("FILE")
}
