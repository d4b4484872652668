// A service that tells a person something on all devices, and says what became of each push.

#if os(Linux)
  import PushDelivery
  import PushSealer
  import PushStore

  // snippet.show
  func tell(
    _ person: String, _ text: String, in store: some Store, sealing sealer: Sealer, through client: APNsClient
  ) async throws {
    let notification = RemoteNotification(title: "Ada", body: text, sound: .default)
    for sent in try await client.send(sealer.seal(notification, to: .person(person), in: store)) {
      switch sent.result {
      case .success(let answer): print("\(sent.job.device): \(answer.verdict)")
      case .failure(let error): print("\(sent.job.device): \(error)")
      }
    }
  }
#endif
