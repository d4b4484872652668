#if !canImport(CryptoKit)
  internal import CLinux
  internal import Glibc
  private import Synchronization

  /// crypto_mb, the multi-buffer half of Intel's Cryptography Primitives Library.
  ///
  /// It is loaded for the first batch that can use it, and nothing needs it.
  enum CryptoMB {
    /// Whether batches may use it.
    static var areOn: Bool {
      get { isOn.load(ordering: .relaxed) }
      set { isOn.store(newValue, ordering: .relaxed) }
    }

    private static let isOn = Atomic(setting != "off")

    private static var setting: String? {
      unsafe getenv("SEALEDPUSH_LANES").map { unsafe String(cString: $0) }
    }

    /// The state of each algorithm.
    static var states: [(algorithm: String, state: LaneState)] {
      [
        ("X25519", X25519Lanes.shared.product.state),
        ("X25519 key pairs", X25519Lanes.shared.baseProduct.state),
        ("Ed25519", Ed25519Lanes.shared.sign.state), ("P-256", P256Lanes.shared.product.state),
        ("P-256 key pairs", P256Lanes.shared.baseProduct.state),
      ]
    }

    /// The library of this process, or why there is none.
    static let library: Result<Library, NoLibrary> = load()

    /// Why there is no library.
    struct NoLibrary: Error {
      let state: LaneState
    }

    /// The library's names, the newest first.
    ///
    /// Its interface is the same under all of them.
    private static let names = ["libcrypto_mb.so.13", "libcrypto_mb.so.12", "libcrypto_mb.so.11"]

    private static func load() -> Result<Library, NoLibrary> {
      guard processor_has_ifma() == 1 else { return .failure(NoLibrary(state: .noInstructions)) }
      // A static program has no symbols to find, and loading a library would bring it a second C library.
      guard unsafe dlsym(nil, "dlopen") != nil else { return .failure(NoLibrary(state: .isStatic)) }
      for name in names {
        // Its internal names are common ones, so they stay its own. Unloading it would leave pointers to its functions.
        guard let handle = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) else { continue }
        let library = unsafe Library(name: name) { symbol in unsafe dlsym(handle, symbol) }
        return library.hasLanes ? .success(library) : .failure(NoLibrary(state: .noInstructions))
      }
      return .failure(NoLibrary(state: .noLibrary))
    }

    /// The library as it was loaded.
    @safe struct Library: @unchecked Sendable {
      /// The name that it was found under, such as `libcrypto_mb.so.13`.
      let name: String

      private let address: (String) -> UnsafeMutableRawPointer?

      /// Makes a library of a name; `address` finds its functions.
      init(name: String, address: @escaping (String) -> UnsafeMutableRawPointer?) {
        self.name = name
        unsafe self.address = unsafe address
      }

      /// The function of a name, as a structure that holds nothing but a function of its type in C; nil if there is none.
      func function<Function>(_ name: String, as type: Function.Type) -> Function? {
        guard let address = unsafe address(name) else { return nil }
        return unsafe unsafeBitCast(address, to: type)
      }

      /// Whether it computes eight X25519 at a time on this processor.
      ///
      /// With AVX-IFMA alone, which some processors have, it calls itself applicable, and computes none.
      var hasLanes: Bool {
        typealias Width = @convention(c) (CInt) -> UInt64
        guard let width = function("mbx_get_algo_info", as: Width.self) else { return false }
        return width(Self.x25519) & UInt64(Lanes.width) != 0
      }

      /// The number of X25519 in the library's list of algorithms, `MBX_ALGO_X25519`.
      private static let x25519: CInt = 4
    }
  }
#endif
