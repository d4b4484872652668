internal import PushFiles

/// A file that is written piece by piece, with errors of this module.
struct AttachmentOutput: ~Copyable {
  private let file: UnfinishedFile

  /// Makes a file that has no name yet.
  init(_ path: String) throws(AttachmentError) {
    do throws(FileError) {
      file = try UnfinishedFile(try FileLocation(path))
    } catch {
      throw .unwritable(AttachmentFileFault(error))
    }
  }

  /// Adds bytes at the end.
  func write(_ bytes: Span<UInt8>) throws(AttachmentError) {
    do throws(FileError) {
      try file.write(bytes)
    } catch {
      throw .unwritable(AttachmentFileFault(error))
    }
  }

  /// Gives the file its name, in place of another only if `isReplacing`.
  consuming func finish(isReplacing: Bool) throws(AttachmentError) {
    do throws(FileError) {
      try file.finish(isReplacing: isReplacing)
    } catch {
      throw .unwritable(AttachmentFileFault(error))
    }
  }
}
