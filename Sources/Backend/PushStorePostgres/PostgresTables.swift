/// A store's tables, for one thread.
struct PostgresTables {
  let server: Server
  let jobs: PostgresJobs
  let devices: PostgresDevices
  let enrolments: PostgresEnrolments

  init(on server: Server) {
    self.server = server
    jobs = PostgresJobs(server: server)
    devices = PostgresDevices(server: server)
    enrolments = PostgresEnrolments(server: server)
  }

  /// Removes everything of a person, and returns how many rows it was.
  func forget(person: String) throws(PostgresError) -> Int {
    let values: [Value] = [.text(person)]
    return try server.run([
      // First the enrolments: whose person may be only in the directory, and who makes a device of one holds it.
      Command(
        """
        DELETE FROM sealpush.enrolment WHERE person IS NULL AND left(registration, 255) = ANY (
          ARRAY(SELECT name FROM sealpush.device WHERE person = $1::text))
        """, with: values),
      Command(
        "DELETE FROM sealpush.enrolment WHERE left(person, 255) = left($1::text, 255) AND person = $1::text",
        with: values),
      Command(
        "DELETE FROM sealpush.job WHERE left(person, 255) = left($1::text, 255) AND person = $1::text",
        with: values
      ),
      Command("DELETE FROM sealpush.device WHERE person = $1::text", with: values),
    ]).reduce(0) { $0 + $1.changes }
  }
}
