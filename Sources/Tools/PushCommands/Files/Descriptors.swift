import PushAttachments
import PushCore

/// Reads files of descriptors, and turns their errors into messages.
enum Descriptors {
  /// Reads one descriptor.
  static func read(from path: String) throws(ToolError) -> AttachmentDescriptor {
    let bytes = try FileInput.read(from: path)
    return try descriptor(parsing: bytes[...], name: "the descriptor")
  }

  /// Reads what `--attach` names: one descriptor, or one a line.
  static func forSealing(from path: String?) throws(ToolError) -> [AttachmentDescriptor] {
    guard let path else { return [] }
    let bytes = try FileInput.read(from: path)
    if (try? JSONObject(parsing: bytes.span)) != nil {
      return [try descriptor(parsing: bytes[...], name: path)]
    }
    var descriptors: [AttachmentDescriptor] = []
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.allSatisfy(isSpace) {
      descriptors.append(try descriptor(parsing: line, name: "\(path), line \(index + 1)", isLine: true))
    }
    guard !descriptors.isEmpty else { throw ToolError(.badData, "there is no descriptor in \(path)") }
    return descriptors
  }

  private static func descriptor(
    parsing bytes: ArraySlice<UInt8>, name: String, isLine: Bool = false
  ) throws(ToolError) -> AttachmentDescriptor {
    let object: JSONObject
    do throws(JSONError) {
      object = try JSONObject(parsing: bytes.span)
    } catch {
      let text = Array(bytes)
      let fault = isLine ? JSONFailure.describe(error, inLine: text) : JSONFailure.describe(error, in: text)
      throw ToolError(.badData, "\(name) is \(fault)")
    }
    do throws(AttachmentError) {
      return try AttachmentDescriptor(parsing: object)
    } catch {
      let failure = AttachFailure.describe(error)
      throw ToolError(failure.status, "\(name): \(failure.message)", hint: failure.hint)
    }
  }

  private static func isSpace(_ character: UInt8) -> Bool {
    [0x20, 0x09, 0x0d].contains(character)
  }
}
