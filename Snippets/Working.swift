// A worker in a program of one's own: it takes jobs from the queue until it is told to stop.

#if os(Linux)
  import PushDelivery
  import PushStore
  import PushWorker

  // snippet.show
  func work() async throws {
    let token = try ProviderToken(path: "AuthKey_ABCDE12345.p8", teamID: "FGHIJ67890")
    let client = try APNsClient(token: token)
    let store = try await SQLiteStore(path: "push.sqlite")
    let worker = try Worker(store: store, apns: client, senders: KeyFile(path: "sender.jwks").load())
    try await worker.run()
    await client.shutdown(finishingWithin: .seconds(20))
  }
#endif
