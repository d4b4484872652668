package import PushCore
package import PushEnrolment
import PushKeys

extension DeviceKeys {
  /// Generates both sets, with a device key for this suite alone, whatever else the system has.
  package init(of suite: Suite, at now: UnixTime) {
    guard let device = try? KeySet(generating: .device, suite: suite, at: now),
      let keys = try? DeviceKeys(device: device, identity: KeySet(generating: .identity, at: now))
    else { preconditionFailure("\(suite.name) is not available") }
    self = keys
  }
}
