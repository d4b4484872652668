import PushAttachments

extension Command {
  static let attachOpen = Command(
    name: ["attach", "open"], summary: "decrypt a blob",
    details: "Creates the file only if the whole blob is authentic. There is no size limit, unlike in iOS.",
    examples: [
      "sealpush attach open photo.blob --descriptor photo.json --out photo.jpg"
    ],
    options: [
      .operand("BLOB", "the blob to open", file: .input),
      .required("--descriptor", value: "FILE|-", "what attach seal printed", file: .input),
      .required("--out", value: "FILE", "the file to create", file: .output),
      .force,
    ]
  ) { (arguments, _) throws(ToolError) in
    let (blob, file) = (try arguments.file("BLOB"), try arguments.file("--out"))
    let descriptor = try Descriptors.read(from: try arguments.required("--descriptor"))
    let replaces = arguments.has("--force")
    _ = try FileOutput(path: file, replaces: replaces)
    do throws(AttachmentError) {
      try AttachmentFile(path: file).open(blob, with: descriptor, limit: .max, isReplacing: replaces)
    } catch {
      throw AttachFailure.describe(error, reading: blob)
    }
  }
}
