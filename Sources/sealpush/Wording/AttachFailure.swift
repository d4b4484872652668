import PushAttachments

/// Why an attachment was not sealed or opened, as a message.
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
    case .malformedBlob: ToolError(.badData, "\(input) is not a sealed blob")
    case .notAuthentic:
      ToolError(
        .badData, "\(input) does not decrypt",
        hint: "it was altered, or the descriptor belongs to another blob")
    case .wrongSize: ToolError(.badData, "\(input) does not have the length in the descriptor")
    case .wrongDigest: ToolError(.badData, "\(input) does not have the SHA-256 hash in the descriptor")
    case .notADescriptor: ToolError(.badData, "the descriptor is not a JSON object")
    case .invalidMember(let member):
      ToolError(.badData, "'\(member.rawValue)' is missing or wrong", hint: "attach seal prints descriptors")
    case .missingURL:
      ToolError(
        .badData, "the descriptor has no 'url'",
        hint: "upload the blob, and add its address: \"url\":\"https://…\"")
    case .tooMany:
      ToolError(.badData, "a notification has at most \(SealedPushMember.maximumCount) attachments")
    case .cryptoUnavailable:
      ToolError(.failed, "the system's OpenSSL does not support AES-128-GCM or SHA-256")
    }
  }

  /// What is wrong with an address, after its name.
  static func describe(_ error: AttachmentURLError) -> String {
    switch error {
    case .tooLong: "has more than \(AttachmentURL.maximumSize) bytes"
    case .badCharacter: "has a character that is not allowed in an address"
    case .notHTTPS: "must begin with https://"
    case .hasCredentials: "has a user name, which every device would send along"
    case .hasFragment: "has a fragment"
    case .badPort: "has a port that is not a number from 1 to 65535"
    case .badHost: "has no valid host"
    case .privateHost: "has a host that is not on the public internet"
    }
  }

  private static func unreadable(_ fault: AttachmentFileFault, _ path: String) -> ToolError {
    switch fault {
    case .missing, .exists: ToolError(.noInput, "there is no \(path)")
    case .notRegularFile: ToolError(.noInput, "\(path) is not a regular file")
    case .notPermitted: ToolError(.noPermission, "cannot read \(path): not permitted")
    case .system(_, let errno): ToolError(.noInput, "cannot read \(path): \(SystemMessage.text(of: errno))")
    }
  }

  private static func unwritable(_ fault: AttachmentFileFault, _ path: String) -> ToolError {
    switch fault {
    case .exists: ToolError(.cannotCreate, "\(path) exists", hint: "--force replaces it")
    case .missing: ToolError(.cannotCreate, "cannot create \(path): its folder does not exist")
    case .notRegularFile: ToolError(.cannotCreate, "\(path) is not a regular file")
    case .notPermitted: ToolError(.cannotCreate, "cannot create \(path): not permitted")
    case .system(_, let errno):
      ToolError(.cannotCreate, "cannot write \(path): \(SystemMessage.text(of: errno))")
    }
  }
}
