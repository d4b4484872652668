extension ExitStatus {
  /// What a status means, for the manual.
  var meaning: String {
    switch self {
    case .done: "Done."
    case .failed: "The command failed, for example because the disk is full."
    case .usage: "The command or its options are wrong."
    case .badData: "The input is malformed, or not authentic."
    case .noInput: "A file to be read does not exist or cannot be read."
    case .cannotCreate: "A file cannot be created, or exists already."
    case .pending:
      "Not yet: the device has to prove a new key or token first, or a sender's next key is too young."
    case .noPermission:
      "Others have access to a private file, this user may not change it, or the passphrase is wrong."
    }
  }
}
