import PushAttachments

extension Command {
  static let attachOpen = Command(
    name: ["attach", "open"], summary: "decrypt a blob",
    details: "Creates the file only if the whole blob is authentic. Unlike iOS, it has no size limit.",
    examples: [
      "sealpush attach open photo.blob --descriptor photo.json --out photo.jpg"
    ],
    options: [
      .operand(.blob, "the blob to open", file: .input),
      .required(.descriptor, "what attach seal printed"),
      .required(.newFile, "the file to create"),
      .force,
    ]
  ) { (arguments, _) throws(ToolError) in
    let (blob, file) = (try arguments.file(.blob), try arguments.file(.newFile))
    let descriptor = try Descriptors.read(from: try arguments.required(.descriptor))
    let replaces = arguments.has(.force)
    _ = try FileOutput(path: file, replaces: replaces)
    do throws(AttachmentError) {
      try AttachmentFile(path: file).open(blob, with: descriptor, limit: .max, isReplacing: replaces)
    } catch {
      throw AttachFailure.describe(error, reading: blob)
    }
  }
}

extension Option<String> {
  fileprivate static var descriptor: Self { Self("--descriptor", "FILE|-", file: .input) }
}

extension Operand {
  fileprivate static let blob = Operand("BLOB")
}
