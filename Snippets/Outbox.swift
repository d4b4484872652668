// A backend in Swift that enqueues a notification, without a transaction of its own.

#if os(Linux)
  import PushStore

  // snippet.show
  let store = try await SQLiteStore(path: "push.sqlite")
  let job = try Job(["aps": ["alert": "Your carrots are on their way"]], to: "ada", priority: .first)
  // If the call fails, repeat it with the same job: its message ID keeps it one notification.
  try await store.enqueue([job])
#endif
