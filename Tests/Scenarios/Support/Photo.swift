/// A photo to attach, and what the tool says of its blob.
enum Photo {
  /// Where the blob will be.
  static let address = "https://cdn.example.com/b/1"

  /// A tool with a photo in its folder, by default of more than two records.
  static func tool(size: Int = 140_000) throws -> Tool {
    let tool = try Tool()
    try tool.write(bytes(size), to: "photo.jpg")
    return tool
  }

  /// The bytes of a photo.
  static func bytes(_ size: Int) -> [UInt8] { (0..<size).map { UInt8(truncatingIfNeeded: $0 >> 5) } }

  /// What `attach seal` prints.
  struct Descriptor: Decodable {
    let url: String?
    let key: String
    let sha256: String
    let size: Int
    let type: String
  }
}
