import PushAttachments
import PushPayload

extension Command {
  static let attachSeal = Command(
    name: ["attach", "seal"], summary: "seal a picture, sound or film to a blob",
    details: """
      Prints the blob's descriptor, a line of JSON. It holds the key: keep it, and give the blob alone away.
      Upload the blob, put its address into the descriptor as "url" (or say it here if it is known before),
      and seal the notification: sealpush seal --attach FILE
      """,
    options: [
      .operand("FILE", "the file to seal", file: .input),
      .required("--out", "BLOB", "the file to make", file: .output),
      .optional("--type", "MIME", "what the file is; default: what its name's extension says"),
      .optional("--url", "URL", "where the blob will be"),
      .force,
    ]
  ) { (arguments, console) throws(ToolError) in
    let (file, blob) = (try arguments.file("FILE"), try arguments.file("--out"))
    let type = try readType(arguments, file)
    let url = try readURL(arguments)
    let replaces = arguments.has("--force")
    _ = try FileOutput(blob, replaces: replaces)
    var descriptor: AttachmentDescriptor
    do throws(AttachmentError) {
      descriptor = try AttachmentFile(path: file).seal(to: blob, as: type, isReplacing: replaces)
    } catch {
      throw AttachFailure.describe(error, reading: file, writing: blob)
    }
    descriptor.url = url
    do throws(ToolError) {
      try console.write(descriptor.json().encoded() + [UInt8(ascii: "\n")])
      try console.close()
    } catch {
      let hint = "nothing opens \(ShellWord.quoted(blob)) without its descriptor: seal again, with --force"
      let message = error.message.isEmpty ? "nobody has read the descriptor" : error.message
      throw ToolError(error.status, message, hint: hint)
    }
  }

  private static func readType(_ arguments: Arguments, _ file: String) throws(ToolError) -> AttachmentType {
    let hint = "what iOS shows: " + AttachmentType.allCases.map(\.rawValue).joined(separator: ", ")
    if let name = arguments["--type"] {
      guard let type = AttachmentType(rawValue: name) else {
        throw .usage("iOS shows no attachment of type '\(name)'", hint: hint)
      }
      return type
    }
    guard let type = AttachmentType(fileName: file) else {
      throw .usage("the name \(file) does not say what the file is: give --type MIME", hint: hint)
    }
    return type
  }

  private static func readURL(_ arguments: Arguments) throws(ToolError) -> AttachmentURL? {
    guard let text = arguments["--url"] else { return nil }
    do throws(AttachmentURLError) {
      return try AttachmentURL(text)
    } catch {
      throw .usage("--url \(AttachFailure.describe(error))")
    }
  }
}
