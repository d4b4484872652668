#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

// C functions whose names methods here have as well.
let cRead = unsafe read(_:_:_:)
let cWrite = unsafe write(_:_:_:)
let cClose = close(_:)
let cExit = exit(_:)
let cRaise = raise(_:)

/// Opens a file; if `flags` create it, it gets `mode`.
func cOpen(_ path: String, _ flags: Int32, mode: mode_t) -> Int32 { unsafe open(path, flags, mode) }

// Names that differ between the C libraries.

extension sigaction {
  /// The function that handles the signal, or `SIG_DFL` or `SIG_IGN`.
  var handler: (@convention(c) (Int32) -> Void)? {
    get {
      #if canImport(Darwin)
        unsafe __sigaction_u.__sa_handler
      #else
        unsafe __sigaction_handler.sa_handler
      #endif
    }
    set {
      #if canImport(Darwin)
        unsafe __sigaction_u.__sa_handler = newValue
      #else
        unsafe __sigaction_handler.sa_handler = newValue
      #endif
    }
  }
}

/// The process's environment, in the form that a new process takes.
var environment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
  #if canImport(Darwin)
    unsafe _NSGetEnviron().pointee
  #else
    unsafe environ
  #endif
}
