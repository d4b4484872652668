/// A file that the effective user has alone, or shares with the members of a group.
package enum SharedFile {
  /// Checks that nobody else can change a file, or give it other files with its name and one of `suffixes`.
  ///
  /// The file, and what is beside it, is regular, and it is the effective user's or root's, or a group of this process may
  /// write it; others may not. So is its folder. All before the folder keeps the rule of ``GuardedWay``. What is missing is
  /// not checked.
  ///
  /// - Throws: ``SharedFileFault``.
  package static func check(_ path: String, with suffixes: [String]) throws(SharedFileFault) {
    var fault: SharedFileFault?
    do throws(FileError) {
      fault = try GuardedWay.atSharedPlace(of: path) { (folder, name, place) throws(FileError) in
        for name in [name] + suffixes.map({ name + $0 }) {
          guard let status = try FileStatus(ifThere: name, in: folder) else { continue }
          if let fault = self.fault(of: status, at: "\(place == "/" ? "" : place)/\(name)") { return fault }
        }
        return nil
      }
    } catch {
      fault = .way(error)
    }
    if let fault { throw fault }
  }

  private static func fault(of status: FileStatus, at path: String) -> SharedFileFault? {
    if let kind = status.kind { return .notRegular(path: path, kind) }
    guard status.isWritableByNoStranger else {
      return .writableByOthers(path: path, mode: status.permissions)
    }
    guard status.isOwn || status.isRoots || status.isShared else {
      return .ofAnotherUser(path: path, owner: status.owner)
    }
    return nil
  }
}

/// Why a file may be changed by somebody with whom it is not shared.
package enum SharedFileFault: Error, Equatable {
  /// What is wrong on the way to it, or with its folder.
  case way(FileError)
  /// It, or what is beside it, is no regular file.
  case notRegular(path: String, FileKind)
  /// Others than its owner may write it, and not only a group of this process.
  case writableByOthers(path: String, mode: UInt32)
  /// It is neither the effective user's nor root's, and no group of this process may write it.
  case ofAnotherUser(path: String, owner: UInt32)

  /// Whether others can change the file; false if it cannot be reached at all.
  package var isExposure: Bool {
    switch self {
    case .notRegular, .writableByOthers, .ofAnotherUser: true
    case .way(.folderWritableByOthers), .way(.folderOfAnotherUser), .way(.linkOfAnotherUser): true
    case .way: false
    }
  }
}

extension SharedFileFault: CustomStringConvertible {
  /// What is wrong, and with which file or folder.
  package var description: String {
    switch self {
    case .way(let error): error.description
    case .notRegular(let path, let kind): "\(PrintableText.escaped(path)) is a \(kind.rawValue)"
    case .writableByOthers(let path, let mode):
      "others can write to \(PrintableText.escaped(path)), which has mode \(PrintableText.mode(mode))"
    case .ofAnotherUser(let path, let owner):
      "\(PrintableText.escaped(path)) belongs to another user (\(owner))"
    }
  }
}
