package import PushEnrolment

extension FleetReport {
  /// Counts the devices of a file of registrations; unsigned recipients say nothing of themselves, and are left out.
  ///
  /// A registration's line has no time but the one that the device has signed. `body` gets each device that was counted.
  ///
  /// - Throws: ``RecipientFileError``, for the first invalid line.
  package mutating func add(
    fileAt path: String, body: (FleetDevice, Standing) -> Void = { _, _ in }
  ) throws(RecipientFileError) {
    var number = 0
    try RecipientFile.forEachLine(of: path) { (line) throws(RecipientFileError) in
      number += 1
      do throws(RecipientFileError.Fault) {
        guard
          case .registration(let registration) = try RecipientLine(parsing: line, services: PushService.every),
          let device = FleetDevice(registration, enrolledAt: registration.enrolment.issuedAt)
        else { return }
        body(device, add(device))
      } catch {
        throw .line(number, error, path: path)
      }
    }
  }
}
