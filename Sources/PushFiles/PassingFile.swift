private import Synchronization

/// A file that is removed when nobody has it any more, unless somebody else has taken it over.
package final class PassingFile: Sendable {
  /// The path.
  package let path: String

  private let isOurs = Atomic(true)

  /// Takes over a file.
  package init(path: String) { self.path = path }

  deinit {
    guard isOurs.load(ordering: .acquiring), let location = try? FileLocation(path),
      let folder = try? Folder(location.folder)
    else { return }
    try? folder.remove(location.name)
  }

  /// Leaves the file where it is, because it is somebody else's now.
  package func leave() { isOurs.store(false, ordering: .releasing) }
}
