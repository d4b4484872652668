import Footprint
import Glibc
import PushAttachments
import PushCore

/// Opens a blob into a file, as the receiver does with what it fetches, whatever its size.
@main
enum OpenBlob {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 2 else {
      print("usage: open-blob FOLDER")
      exit(64)
    }
    let folder = arguments[1]
    guard let line = Lines("\(folder)/descriptor.json").next() else { exit(66) }
    let descriptor = try AttachmentDescriptor(parsing: JSONObject(parsing: Array(line.utf8).span))
    try AttachmentFile(path: "\(folder)/opened")
      .open("\(folder)/blob", with: descriptor, limit: .max, isReplacing: true)
    print("opened=1")
    Footprint.report()
  }
}
