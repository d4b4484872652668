private import Locks
import PushCore
import PushFiles
import PushSealer

/// The file of `--recipients`, which is read again when it has changed.
final class LineRecipients: Sendable {
  private let path: String
  private let console: Console
  private let state: Mutex<State>

  private struct State {
    var file: RecipientFile
    /// What the file was before it was last read; nil if it was no regular file.
    var stamp: FileStamp?
  }

  /// Reads the file for the first time.
  init(path: String, console: Console) throws(ToolError) {
    self.path = path
    self.console = console
    let stamp = Self.stamp(of: path)
    do throws(RecipientFileError) {
      state = Mutex(State(file: try RecipientFile(path: path, services: PushService.every), stamp: stamp))
    } catch {
      throw RecipientFileFailure.describe(error)
    }
  }

  /// Whether the file can be read again; a pipe cannot.
  var isRereadable: Bool { state.withLock { $0.stamp != nil } }

  /// The devices of the newest complete version of the file.
  ///
  /// Waits while the file is read: a line that arrives after a new version is sealed to that version's devices.
  func current() -> RecipientFile {
    state.withLock { state in
      let isAsked = Interruption.takeHangup()
      if isAsked || Self.stamp(of: path) != state.stamp { reread(into: &state) }
      return state.file
    }
  }

  /// Reads the file; a version that changes while it is read is not used, because half of it may be old.
  private func reread(into state: inout State) {
    for _ in 0..<3 {
      state.stamp = Self.stamp(of: path)
      let file = Result { () throws(RecipientFileError) in
        try RecipientFile(path: path, services: PushService.every)
      }
      guard Self.stamp(of: path) == state.stamp else { continue }
      do throws(RecipientFileError) {
        state.file = try file.get()
      } catch {
        let fault = RecipientFileFailure.describe(error).message
        console.warn("warning: \(fault): lines go to the devices that were read before")
      }
      return
    }
    // The file is still being written: the next line reads it again.
    state.stamp = nil
  }

  private static func stamp(of path: String) -> FileStamp? {
    FileStatus(at: path, isFollowingLinks: true)?.stamp
  }
}
