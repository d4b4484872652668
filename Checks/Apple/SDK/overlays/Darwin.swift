// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation The declarations that Swift's own module Darwin adds
// to the C library.
@_exported import Darwin

// man2/intro.2.html
public var errno: Int32 {
  get { unsafe __error().pointee }
  set { unsafe __error().pointee = newValue }
}

// man2/open.2.html
@unsafe public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { 0 }
@unsafe public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { 0 }
@unsafe public func openat(_ folder: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { 0 }
@unsafe public func openat(
  _ folder: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t
) -> Int32 { 0 }

// man2/fcntl.2.html
public func fcntl(_ file: Int32, _ command: Int32) -> Int32 { 0 }
public func fcntl(_ file: Int32, _ command: Int32, _ value: Int32) -> Int32 { 0 }

// man2/ioctl.2.html, man4/tty.4.html
@unsafe public func ioctl(
  _ descriptor: Int32, _ request: UInt, _ value: UnsafeMutableRawPointer
) -> Int32 { 0 }
public var TIOCGWINSZ: UInt { 0x4008_7468 }

// man2/stat.2.html
public var S_IFMT: mode_t { 0o170000 }
public var S_IFCHR: mode_t { 0o020000 }
public var S_IFIFO: mode_t { 0o010000 }
public var S_IFDIR: mode_t { 0o040000 }
public var S_IFREG: mode_t { 0o100000 }
public var S_IFLNK: mode_t { 0o120000 }
public var S_IFSOCK: mode_t { 0o140000 }

// man2/mmap.2.html
@unsafe public var MAP_FAILED: UnsafeMutableRawPointer! { unsafe UnsafeMutableRawPointer(bitPattern: -1) }

// man3/clock_gettime.3.html
public var CLOCK_REALTIME: clockid_t { _CLOCK_REALTIME }

// man3/signal.3.html
public var SIG_DFL: sig_t? { nil }
public var SIG_IGN: sig_t { unsafe unsafeBitCast(1, to: sig_t.self) }
