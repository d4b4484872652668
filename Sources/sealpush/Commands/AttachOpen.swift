import PushAttachments

extension Command {
  static let attachOpen = Command(
    name: ["attach", "open"], summary: "open a blob again",
    details: """
      Makes the file only if all of the blob is right. Files of any length are opened, longer ones than iOS
      shows too.
      """,
    options: [
      .operand("BLOB", "the blob to open", file: .input),
      .required("--descriptor", "FILE|-", "what attach seal printed", file: .input),
      .required("--out", "FILE", "the file to make", file: .output),
      .force,
    ]
  ) { (arguments, _) throws(ToolError) in
    let (blob, file) = (try arguments.file("BLOB"), try arguments.file("--out"))
    let descriptor = try Descriptors.read(try arguments.required("--descriptor"))
    let replaces = arguments.has("--force")
    _ = try FileOutput(file, replaces: replaces)
    do throws(AttachmentError) {
      try AttachmentFile(path: file).open(blob, with: descriptor, limit: .max, isReplacing: replaces)
    } catch {
      throw AttachFailure.describe(error, reading: blob, writing: file)
    }
  }
}
