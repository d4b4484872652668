import PushAttachments

/// Why an attachment was not sealed or opened, in the operator's words.
enum AttachFailure {
  /// What is wrong, of a file to read and one to write.
  static func describe(
    _ error: AttachmentError, reading input: String = "the file", writing output: String = "the file"
  ) -> ToolError {
    switch error {
    case .unreadable(let fault): unreadable(fault, input)
    case .unwritable(let fault): unwritable(fault, output)
    case .tooLarge(let limit):
      ToolError(.badData, "\(input) is too large: iOS shows at most \(limit) bytes of its kind")
    case .malformedBlob: ToolError(.badData, "\(input) is no blob of this format")
    case .notAuthentic:
      ToolError(.badData, "\(input) does not decrypt", hint: "it was changed, or the descriptor is another's")
    case .wrongSize: ToolError(.badData, "\(input) is not as long as the descriptor says")
    case .wrongDigest: ToolError(.badData, "\(input) has not the SHA-256 that the descriptor says")
    case .notADescriptor: ToolError(.badData, "a descriptor is a JSON object")
    case .invalidMember(let member):
      ToolError(.badData, "'\(member.rawValue)' is missing or wrong", hint: "attach seal prints descriptors")
    case .missingURL:
      ToolError(
        .badData, "a descriptor has no 'url'",
        hint: "upload the blob, and put its address in: \"url\":\"https://…\"")
    case .tooMany:
      ToolError(.badData, "a notification has at most \(SealedPushMember.maximumCount) attachments")
    case .cryptoUnavailable: ToolError(.failed, "the system's OpenSSL has no working AES-128-GCM or SHA-256")
    }
  }

  /// What is wrong with an address, after its name.
  static func describe(_ error: AttachmentURLError) -> String {
    switch error {
    case .tooLong: "has more than \(AttachmentURL.maximumSize) bytes"
    case .badCharacter: "has a character that no address has"
    case .notHTTPS: "must begin with https://"
    case .hasCredentials: "has a user name, which every device would send"
    case .hasFragment: "has a fragment"
    case .badPort: "has a port that is no number from 1 to 65535"
    case .badHost: "has no host, or none that can be"
    case .privateHost: "has a host that is not on the public network"
    }
  }

  private static func unreadable(_ fault: AttachmentFileFault, _ path: String) -> ToolError {
    switch fault {
    case .missing, .exists: ToolError(.noInput, "there is no \(path)")
    case .notRegularFile: ToolError(.noInput, "\(path) is no regular file")
    case .notPermitted: ToolError(.noPermission, "cannot read \(path): not permitted")
    case .system(_, let errno): ToolError(.noInput, "cannot read \(path): \(SystemMessage.text(of: errno))")
    }
  }

  private static func unwritable(_ fault: AttachmentFileFault, _ path: String) -> ToolError {
    switch fault {
    case .exists: ToolError(.cannotCreate, "\(path) exists", hint: "--force replaces it")
    case .missing: ToolError(.cannotCreate, "cannot create \(path): its folder does not exist")
    case .notRegularFile: ToolError(.cannotCreate, "\(path) is no regular file")
    case .notPermitted: ToolError(.cannotCreate, "cannot create \(path): not permitted")
    case .system(_, let errno):
      ToolError(.cannotCreate, "cannot write \(path): \(SystemMessage.text(of: errno))")
    }
  }
}
