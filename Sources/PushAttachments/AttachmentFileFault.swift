package import PushFiles

/// What is wrong with a file.
public enum AttachmentFileFault: Equatable, Sendable {
  /// There is no such file, or no such folder.
  case missing
  /// There is something of that name already.
  case exists
  /// It is a folder, a pipe, a device or the like.
  case notRegularFile
  /// The system does not permit it.
  case notPermitted
  /// Something else that the system said: which call, and its `errno`.
  case system(call: String, errno: Int32)
}

extension AttachmentFileFault {
  /// What an error of the files' module means here.
  package init(_ error: FileError) {
    switch error {
    case .missing: self = .missing
    case .exists: self = .exists
    case .notRegularFile: self = .notRegularFile
    case .system(let call, let errno): self = .system(call: call, errno: errno)
    // The last three do not arise with such files.
    case .notPermitted, .folderWritableByOthers, .folderOfAnotherUser, .tooLarge, .busy, .notDurable:
      self = .notPermitted
    }
  }
}
