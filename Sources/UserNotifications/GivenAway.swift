/// Objects on their way to another thread, unchecked, as Apple's runtime carries them.
///
/// What makes that safe is said where it is used.
struct GivenAway<Objects>: @unchecked Sendable {
  let objects: Objects
}
