#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Follows a path from `/`, folder by folder and link by link, if only root and the effective user can change where it
/// leads.
///
/// Each folder on the way must belong to root or to the effective user, and neither the group nor others may write to
/// it. A folder with the sticky bit, such as `/tmp`, may be writable by everybody: there only an entry's owner can
/// replace the entry, and that owner is checked next. A link is followed if it belongs to root or to the effective
/// user; the way to its target must keep the same rule. For a relative path, the folders above the working folder are
/// checked too. sshd has the same rule for its keys.
///
/// Each folder is opened in the one before, and checked when it is open, so that nobody can replace it in between.
package struct GuardedWay: ~Copyable {
  /// The maximum number of links on the way.
  private static let maximumLinks = 40

  /// The flags to open a folder and go through it, which does not need the right to read its names.
  private static let goingThrough: CInt = {
    #if canImport(Darwin)
      O_EXEC | O_DIRECTORY | O_NOFOLLOW
    #else
      // O_PATH, which Glibc declares only for sources that define _GNU_SOURCE.
      0o10_000_000 | O_DIRECTORY | O_NOFOLLOW
    #endif
  }()

  /// The folder that is reached so far.
  private var folder: FileDescriptor

  /// The names that lead to ``folder``: from `/`, or from the working folder.
  private var names: [String] = []
  private var isRelative: Bool
  private var linkCount = 0

  /// Whether the last folder may be one that a group shares.
  private let maySharePlace: Bool

  /// What is wrong with ``folder`` unless it is the last one, which a group may share.
  private var faultOnTheWay: FileError?

  private init(in folder: consuming FileDescriptor, isRelative: Bool, maySharePlace: Bool) {
    self.folder = folder
    self.isRelative = isRelative
    self.maySharePlace = maySharePlace
  }

  /// Starts at `/`, or at the working folder.
  private static func begin(isRelative: Bool, maySharePlace: Bool = false) throws(FileError) -> GuardedWay {
    let folder = try FileDescriptor(opening: isRelative ? "." : "/", flags: goingThrough)
    var way = GuardedWay(in: folder, isRelative: isRelative, maySharePlace: maySharePlace)
    try way.checkFolder()
    if isRelative { try way.checkFoldersAbove() }
    return way
  }

  /// Opens the folder that a path leads to.
  ///
  /// - Throws: ``FileError``; ``FileError/folderWritableByOthers(path:mode:)``,
  ///   ``FileError/folderOfAnotherUser(path:owner:)`` or ``FileError/linkOfAnotherUser(path:owner:)`` for the first
  ///   step that another user can change.
  static func folder(at path: String) throws(FileError) -> FileDescriptor {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .missing }
    guard !isSandboxed else {
      let folder = try FileDescriptor(opening: path, flags: O_RDONLY | O_DIRECTORY)
      if let fault = fault(of: try folder.status, at: path) { throw fault }
      return folder
    }
    var way = try begin(isRelative: !path.hasPrefix("/"))
    guard try way.go(along: path) == nil else { throw .missing }
    return try FileDescriptor(opening: ".", in: way.folder, flags: O_RDONLY | O_DIRECTORY)
  }

  /// Opens the file that a path leads to for reading; follows links, and does not check the file itself.
  ///
  /// In a sandbox, a path that names a link is refused. The call does not block on a named pipe.
  ///
  /// - Throws: ``FileError``, as ``folder(at:)`` does.
  package static func file(at path: String) throws(FileError) -> FileDescriptor {
    let location = try FileLocation(path)
    guard !isSandboxed else {
      return try Folder(location.folder, isGuarded: true).open(location.name, isFollowingLinks: false)
    }
    var way = try begin(isRelative: !path.hasPrefix("/"))
    guard let name = try way.go(along: path) else { throw .notRegularFile(.folder) }
    return try FileDescriptor(opening: name, in: way.folder, flags: O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
  }

  /// The status of the file that a path leads to; follows links, and does not check the file itself.
  ///
  /// - Throws: ``FileError``, as ``folder(at:)`` does.
  package static func status(ofFileAt path: String) throws(FileError) -> FileStatus {
    let location = try FileLocation(path)
    guard !isSandboxed else { return try FileStatus(of: location.name, in: folder(at: location.folder)) }
    var way = try begin(isRelative: !path.hasPrefix("/"))
    guard let name = try way.go(along: path) else { throw .notRegularFile(.folder) }
    return try FileStatus(of: name, in: way.folder)
  }

  /// Goes to the folder of a file, which a group of this process may share, and does `work` there with the file's name and the
  /// folder's path; follows links, and does not check the file itself, which may be missing.
  ///
  /// The last folder may be anybody's if a group of this process may write it. Others may not write it, not even with the
  /// sticky bit: they could make files beside the file.
  ///
  /// - Throws: ``FileError``, as ``folder(at:)`` does.
  static func atSharedPlace<Value>(
    of path: String,
    _ work: (borrowing FileDescriptor, _ name: String, _ place: String) throws(FileError) -> Value
  ) throws(FileError) -> Value {
    // It only names a folder if it has no name for a file.
    _ = try FileLocation(path)
    var way = try begin(isRelative: !path.hasPrefix("/"), maySharePlace: true)
    guard let name = try way.go(along: path) else { throw .notRegularFile(.folder) }
    let place = Self.path(of: way.names, isRelative: way.isRelative)
    let status = try way.folder.status
    guard status.isWritableByNoStranger else {
      throw .folderWritableByOthers(path: place, mode: status.permissions)
    }
    guard status.isOwn || status.isRoots || status.isShared else {
      throw .folderOfAnotherUser(path: place, owner: status.owner)
    }
    return try work(way.folder, name, place)
  }

  /// Whether the process runs in a sandbox, with folders that no other app has access to.
  private static var isSandboxed: Bool {
    #if os(macOS)
      unsafe getenv("APP_SANDBOX_CONTAINER_ID") != nil
    #elseif canImport(Darwin)
      true
    #else
      false
    #endif
  }
}

extension GuardedWay {
  /// Follows a path from here; returns its last name if that does not lead to a folder.
  private mutating func go(along path: String) throws(FileError) -> String? {
    var ahead = Self.namesAhead(on: path)
    while let name = ahead.popLast() {
      if try enter(name) { continue }
      guard let target = try target(of: name) else {
        guard ahead.isEmpty else { throw .missing }
        return name
      }
      try checkOnTheWay()
      if target.hasPrefix("/") { try goToRoot() }
      ahead += Self.namesAhead(on: target)
    }
    return nil
  }

  /// The names in a path, in reverse order.
  private static func namesAhead(on path: String) -> [String] {
    path.split(separator: "/").map(String.init).filter { $0 != "." }.reversed()
  }

  private mutating func goToRoot() throws(FileError) {
    folder = try FileDescriptor(opening: "/", flags: Self.goingThrough)
    names = []
    isRelative = false
    try checkFolder()
  }

  /// Goes into a folder; false if no folder has that name.
  private mutating func enter(_ name: String) throws(FileError) -> Bool {
    let next: FileDescriptor
    do throws(FileError) {
      next = try FileDescriptor(opening: name, in: folder, flags: Self.goingThrough)
    } catch .missing, .notRegularFile {
      return false
    }
    try checkOnTheWay()
    folder = next
    let isBack = name == ".." && names.last.map { $0 != ".." } ?? !isRelative
    if isBack { _ = names.popLast() } else { names.append(name) }
    try checkFolder()
    return true
  }

  /// The target of a link that belongs to root or to the effective user; nil if no link has that name.
  private mutating func target(of name: String) throws(FileError) -> String? {
    guard let status = try FileStatus(ifThere: name, in: folder), status.kind == .symbolicLink else {
      return nil
    }
    guard status.isOwn || status.isRoots else {
      throw .linkOfAnotherUser(
        path: Self.path(of: names + [name], isRelative: isRelative), owner: status.owner)
    }
    linkCount += 1
    guard linkCount <= Self.maximumLinks else { throw .system(call: "readlinkat", errno: ELOOP) }
    return try folder.target(of: name)
  }
}

extension GuardedWay {
  private mutating func checkFolder() throws(FileError) {
    let status = try folder.status
    let (names, isRelative) = (names, isRelative)
    faultOnTheWay = Self.fault(of: status, at: Self.path(of: names, isRelative: isRelative))
    if !maySharePlace { try checkOnTheWay() }
  }

  /// Checks the folder that the way goes on from.
  private borrowing func checkOnTheWay() throws(FileError) {
    if let faultOnTheWay { throw faultOnTheWay }
  }

  /// Checks all folders above the working folder.
  private borrowing func checkFoldersAbove() throws(FileError) {
    var status = try folder.status
    var above = try FileDescriptor(opening: "..", in: folder, flags: Self.goingThrough)
    var names = [".."]
    while true {
      let next = try above.status
      guard !next.isSame(as: status) else { return }
      if let fault = Self.fault(of: next, at: Self.path(of: names, isRelative: true)) { throw fault }
      status = next
      names.append("..")
      above = try FileDescriptor(opening: "..", in: above, flags: Self.goingThrough)
    }
  }

  /// Why another user can replace entries of a folder; nil if no other user can.
  ///
  /// In a sticky folder only an entry's owner can; that owner is checked with the entry.
  private static func fault(of status: FileStatus, at path: @autoclosure () -> String) -> FileError? {
    guard status.isOwn || status.isRoots else {
      return .folderOfAnotherUser(path: path(), owner: status.owner)
    }
    let isSticky = status.permissions & 0o1000 != 0
    let isWritableByOthers = status.permissions & 0o022 != 0
    guard isSticky || !isWritableByOthers else {
      return .folderWritableByOthers(path: path(), mode: status.permissions)
    }
    return nil
  }

  /// The absolute path of names that start at `/` or, if `isRelative`, at the working folder.
  private static func path(of names: [String], isRelative: Bool) -> String {
    var all = names
    if isRelative {
      guard let start = unsafe getcwd(nil, 0) else {
        return names.isEmpty ? "." : names.joined(separator: "/")
      }
      defer { unsafe free(start) }
      all = unsafe String(cString: start).split(separator: "/").map(String.init)
      for name in names { if name == ".." { _ = all.popLast() } else { all.append(name) } }
    }
    return "/" + all.joined(separator: "/")
  }
}
