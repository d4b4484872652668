// A backend in Swift that enqueues a notification, without a transaction of its own.

#if os(Linux)
  import PushStore

  // snippet.show
  let store = try await SQLiteStore(path: "push.sqlite")
  let job = try Job(["aps": ["alert": "Your carrots are on their way"]], to: "ada", priority: .first)
  // The same job again is the same notification: repeat the call if it failed.
  try await store.enqueue([job])
#endif
