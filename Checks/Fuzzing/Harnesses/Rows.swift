#if os(Linux)
  import PushCore
  import PushStore

  extension Harness {
    /// Rows that an application wrote: each is a job that reads back the same, or has a fault in one of its columns.
    static let rows = Harness(name: "rows") { bytes in
      var input = Input(bytes)
      var row = JobRow()
      for column in JobColumn.allCases where column != .payload && input.flag() {
        row[column] = input.piece()
      }
      row[.payload] = input.remainder()
      guard let now = UnixTime(seconds: 1_800_000_000) else { return }
      switch Result(catching: { () throws(JobFault) in try row.job(at: now) }) {
      case .success(let job):
        try require(job.expiresAt.map { $0 > now } ?? true, "a job has not expired")
        try require((try? JobRow(job).job(at: now)) == job, "a job reads back the same")
      case .failure(let fault):
        try require(row[fault.column] != nil || isNeeded(fault.column), "a fault names a column")
      }
    }

    private static func isNeeded(_ column: JobColumn) -> Bool {
      [.messageID, .person, .payload, .createdAt].contains(column)
    }
  }
#endif
