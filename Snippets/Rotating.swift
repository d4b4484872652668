// A backend rotates its own signing key once a month, and hands out the public set.

import PushSealer

// snippet.show
func rotate() throws -> Rotation {
  let copy = PublicKeyFile(path: "sender.pub.jwks")
  return try KeyFile(path: "sender.jwks").update(writingPublicKeysTo: copy) { editor in
    try editor.rotate(ifOlderThan: .seconds(30 * 86_400))
  }
}
