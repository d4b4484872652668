// What needs none of Apple's classes is a module of its own, because the tool has no room for Foundation. A test gets it
// with this module.
@_exported public import PushSimulation
