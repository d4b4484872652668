import PushStore
import TestSupport
import Testing

@testable import PushWorker

/// What a worker still has to do.
@Suite(.hangGuard) struct OpenJobsTests {
  @Test("jobs that have ended are there until their results are written")
  func unwritten() {
    let jobs = OpenJobs(configuration: WorkerConfiguration())
    #expect(jobs.isEmpty)
    jobs.end(.acknowledge(Lease(job: JobID(1), number: 1)))
    #expect(!jobs.isEmpty)
    let writes = jobs.takeEnded()
    #expect(!jobs.isEmpty)
    jobs.finish(writes, except: [])
    #expect(jobs.isEmpty)
  }
}
