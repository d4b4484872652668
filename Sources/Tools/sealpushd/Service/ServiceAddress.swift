internal import PushCommands
internal import PushFiles
internal import PushNetwork

extension Option<LoopbackPlace> {
  /// Where a service listens: on this machine only.
  static var listen: Self {
    loopback("--listen", hint: "a proxy on this machine, which knows who is logged in, serves other machines")
  }

  /// A place on this machine, with the hint for another one.
  static func loopback(_ name: String, hint: String) -> Self {
    Self(name, "ADDRESS") { (text, name) throws(ToolError) in
      if text.hasPrefix("unix:") {
        let path = String(text.dropFirst(5))
        guard (1...LoopbackPlace.maximumPathSize).contains(path.utf8.count) else {
          throw .usage("\(name): the path of a socket must have 1 to \(LoopbackPlace.maximumPathSize) bytes")
        }
        return .path(path)
      }
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0] == "127.0.0.1", let port = UInt16(parts[1]) else {
        throw .usage(
          "\(name) must be 127.0.0.1:PORT or unix:PATH, not '\(text)'", hint: hint)
      }
      return .port(port)
    }
  }
}

extension LoopbackPlace {
  /// Checks that nobody else can put a socket of their own in this one's place.
  func checkFolder() throws(ToolError) {
    guard case .path(let path) = self else { return }
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) }
    let place = folder.map { $0.isEmpty ? "/" : $0 } ?? "."
    guard let status = FileStatus(at: place, isFollowingLinks: true), status.kind == .folder else {
      throw ToolError(.noInput, "there is no folder \(place)", hint: "make it with mode 0750")
    }
    guard status.isOwn || status.isRoots else {
      throw ToolError(.noPermission, "the folder \(place) belongs to another user")
    }
    guard status.permissions & 0o022 == 0 else {
      throw ToolError(
        .noPermission, "others can write to the folder \(place), and replace the socket",
        hint: "chmod 0750, and put the proxy's user into the folder's group")
    }
  }
}
