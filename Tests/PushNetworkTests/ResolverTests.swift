import Glibc
import Testing

@testable import PushNetwork

/// What becomes of a name that has no address.
struct ResolverTests {
  @Test("A name that could not be looked up is not taken for one that does not exist")
  func unknown() {
    let unknown = ResolverError(code: EAI_AGAIN)
    #expect(unsafe Resolver.answer(of: nil, status: EAI_AGAIN) == .failure(unknown))
    #expect(!unknown.isNoName)
    #expect(unsafe Resolver.answer(of: nil, status: 0) == .failure(ResolverError(code: EAI_NONAME)))
  }
}
