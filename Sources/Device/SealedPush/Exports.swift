// All that an app needs of this package, with one import.
//
// Swift has no other way to pass on another module's declarations than this attribute. A list of type aliases would leave
// out members that one module adds to the types of another.
@_exported import PushAttachments
@_exported import PushCore
@_exported import PushEnrolment
@_exported import PushKeys
@_exported import PushReceiver
