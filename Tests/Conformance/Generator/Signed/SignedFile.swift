import PushCore

/// The file of signed key sets: who signs, and what is signed.
struct SignedFile {
  /// The keys of keys.json.
  let device: VectorKeys

  func text() throws -> String {
    let (pairs, keys) = (try SigningPairs(), try PublicKeys())
    return VectorFiles.file(member: [
      "\"roots\":" + pairs.roots.text, "\"keys\":" + pairs.file.text,
      VectorFiles.list("senders", try SenderVectors(pairs: pairs, keys: keys).all().map(\.json.text)),
      VectorFiles.list("enrolments", try EnrolmentVectors(pairs: pairs, keys: keys).all().map(\.json.text)),
      VectorFiles.list(
        "registrations", try RegistrationVectors(pairs: pairs, keys: keys).all().map(\.json.text)),
      VectorFiles.list(
        "messages",
        try SetMessageVectors(pairs: pairs, keys: keys, device: device).all().map(\.json.text)),
      VectorFiles.list("leaves", try LeaveVectors(pairs: pairs, keys: keys).all().map(\.json.text)),
      VectorFiles.list(
        "receipts", try ReceiptVectors(pairs: pairs, keys: keys).all().map { try $0.json().text }),
      VectorFiles.list(
        "tokens", try TokensVectors(pairs: pairs, keys: keys).all().map { try $0.json().text }),
      VectorFiles.list("requests", try RequestVectors(keys: device, pairs: pairs).all().map(\.json.text)),
    ])
  }
}
