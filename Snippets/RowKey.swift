// A store whose devices are sealed with a key outside the database.

#if os(Linux)
  import PushStore

  // snippet.show
  let store = try await SQLiteStore(path: "push.sqlite", rowKey: RowKey(path: "row.key"))
#endif
