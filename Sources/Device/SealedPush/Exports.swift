// One import gives an app all that it needs of this package.
//
// Only this attribute passes on another module's declarations. Type aliases would leave out the members that one module
// adds to the types of another.
@_exported import PushAttachments
@_exported import PushCore
@_exported import PushEnrolment
@_exported import PushFiles
@_exported import PushKeys
@_exported import PushReceiver
