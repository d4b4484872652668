// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The part of Foundation that only tests and their programs use.
// https://developer.apple.com/documentation/foundation: NAME is at …/foundation/NAME, in lower case.
@_exported import Foundation

extension FileManager {
  public var temporaryDirectory: URL { URL(fileURLWithPath: "") }
  public func removeItem(at url: URL) throws {}
  public func removeItem(atPath path: String) throws {}
  public func moveItem(at source: URL, to destination: URL) throws {}
  public func moveItem(atPath source: String, toPath destination: String) throws {}
  public func copyItem(at source: URL, to destination: URL) throws {}
  public func copyItem(atPath source: String, toPath destination: String) throws {}
  public func contents(atPath path: String) -> Data? { nil }
  public func contentsOfDirectory(atPath path: String) throws -> [String] { [] }
  public func contentsOfDirectory(at url: URL, includingPropertiesForKeys keys: [URLResourceKey]?) throws
    -> [URL]
  { [] }
  public func subpathsOfDirectory(atPath path: String) throws -> [String] { [] }
  public func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] { [:] }
  public func fileExists(atPath path: String) -> Bool { false }
  @unsafe public func fileExists(atPath path: String, isDirectory: UnsafeMutablePointer<ObjCBool>?) -> Bool {
    false
  }
  public func isReadableFile(atPath path: String) -> Bool { false }
  public func isExecutableFile(atPath path: String) -> Bool { false }
  public func createDirectory(
    at url: URL, withIntermediateDirectories: Bool, attributes: [FileAttributeKey: Any]? = nil
  ) throws {}
  @discardableResult public func createFile(
    atPath path: String, contents: Data?, attributes: [FileAttributeKey: Any]? = nil
  ) -> Bool { false }
  public func createSymbolicLink(atPath path: String, withDestinationPath destination: String) throws {}
  public func createSymbolicLink(at url: URL, withDestinationURL destination: URL) throws {}
  public func linkItem(atPath path: String, toPath destination: String) throws {}
  public func destinationOfSymbolicLink(atPath path: String) throws -> String { "" }
  public var currentDirectoryPath: String { "" }

  open class DirectoryEnumerator: Sequence, IteratorProtocol {
    public init() {}
    public func next() -> Any? { nil }
  }
  public func enumerator(atPath path: String) -> DirectoryEnumerator? { nil }
}

extension FileAttributeKey {
  public static var posixPermissions: FileAttributeKey { FileAttributeKey(rawValue: "") }
  public static var systemFileNumber: FileAttributeKey { FileAttributeKey(rawValue: "") }
  public static var modificationDate: FileAttributeKey { FileAttributeKey(rawValue: "") }
  public static var size: FileAttributeKey { FileAttributeKey(rawValue: "") }
  public static var type: FileAttributeKey { FileAttributeKey(rawValue: "") }
}

extension Data {
  public struct WritingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var atomic: WritingOptions { [] }
  }
  public func write(to url: URL, options: WritingOptions = []) throws {}
  public mutating func append(_ other: Data) {}
  public init(count: Int) {}
  public init(repeating byte: UInt8, count: Int) {}
  public struct SearchOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public func range(of other: Data, options: SearchOptions = [], in range: Range<Int>? = nil) -> Range<Int>? {
    nil
  }
}

extension URL {
  public init(fileURLWithPath path: String, isDirectory: Bool) { self.init(fileURLWithPath: path) }
  public init(fileURLWithPath path: String, relativeTo base: URL?) { self.init(fileURLWithPath: path) }
  public var host: String? { nil }
  public var query: String? { nil }
  public var port: Int? { nil }
  public func appendingPathComponent(_ name: String) -> URL { self }
  public func appendingPathExtension(_ name: String) -> URL { self }
  public func deletingLastPathComponent() -> URL { self }
  public func deletingPathExtension() -> URL { self }
  public func resolvingSymlinksInPath() -> URL { self }
}

public struct URLResourceKey: Sendable, Hashable {}

extension URL {
  public enum DirectoryHint: Sendable { case isDirectory, notDirectory, checkFileSystem, inferFromPath }
  public init(
    filePath path: String, directoryHint: DirectoryHint = .inferFromPath, relativeTo base: URL? = nil
  ) {
    self.init(fileURLWithPath: path)
  }
  public func appending(path: String, directoryHint: DirectoryHint = .inferFromPath) -> URL { self }
  public func appending(component: String, directoryHint: DirectoryHint = .inferFromPath) -> URL { self }
  public var standardized: URL { self }
}

extension Date {
  public init(timeIntervalSince1970: TimeInterval) {}
  public init(timeIntervalSinceNow: TimeInterval) {}
  public var timeIntervalSinceNow: TimeInterval { 0 }
  public func addingTimeInterval(_ interval: TimeInterval) -> Date { self }
}

extension UUID {
  public init?(uuidString: String) {}
}

extension Thread {
  public static func sleep(forTimeInterval: TimeInterval) {}
  public static var isMainThread: Bool { false }
}

open class ProcessInfo: NSObject, @unchecked Sendable {
  public class var processInfo: ProcessInfo { fatalError() }
  // https://developer.apple.com/documentation/foundation/processinfo/performexpiringactivity(withreason:using:)
  @available(macOS, unavailable)
  open func performExpiringActivity(
    withReason reason: String, using block: @escaping @Sendable (Bool) -> Void
  ) {}
  public var environment: [String: String] { [:] }
  public var arguments: [String] { [] }
  public var activeProcessorCount: Int { 1 }
  public var processIdentifier: Int32 { 0 }
  public var systemUptime: TimeInterval { 0 }
}

open class JSONSerialization: NSObject {
  public struct ReadingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var fragmentsAllowed: ReadingOptions { [] }
  }
  public struct WritingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var sortedKeys: WritingOptions { [] }
    public static var fragmentsAllowed: WritingOptions { [] }
    public static var prettyPrinted: WritingOptions { [] }
    public static var withoutEscapingSlashes: WritingOptions { [] }
  }
  public class func jsonObject(with data: Data, options: ReadingOptions = []) throws -> Any { data }
  public class func data(withJSONObject object: Any, options: WritingOptions = []) throws -> Data { Data() }
  public class func isValidJSONObject(_ object: Any) -> Bool { false }
}

open class JSONDecoder: @unchecked Sendable {
  public enum KeyDecodingStrategy: Sendable { case useDefaultKeys, convertFromSnakeCase }
  public init() {}
  public var keyDecodingStrategy: KeyDecodingStrategy {
    get { .useDefaultKeys }
    set {}
  }
  public func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T { fatalError() }
}

open class JSONEncoder: @unchecked Sendable {
  public struct OutputFormatting: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var sortedKeys: OutputFormatting { [] }
    public static var prettyPrinted: OutputFormatting { [] }
    public static var withoutEscapingSlashes: OutputFormatting { [] }
  }
  public init() {}
  public var outputFormatting: OutputFormatting {
    get { [] }
    set {}
  }
  public func encode<T: Encodable>(_ value: T) throws -> Data { Data() }
}

open class PropertyListSerialization: NSObject {
  public enum PropertyListFormat: UInt, Sendable { case openStep = 1, xml = 100, binary = 200 }
  public struct ReadOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  @unsafe public class func propertyList(
    from data: Data, options: ReadOptions = [], format: UnsafeMutablePointer<PropertyListFormat>?
  ) throws -> Any { data }
  public class func data(fromPropertyList list: Any, format: PropertyListFormat, options: Int) throws -> Data
  {
    Data()
  }
}

open class NSNull: NSObject {}

open class FileHandle: NSObject, @unchecked Sendable {
  public class var nullDevice: FileHandle { fatalError() }
  public class var standardError: FileHandle { fatalError() }
  public convenience init(forReadingFrom url: URL) throws { self.init() }
  public convenience init(forWritingTo url: URL) throws { self.init() }
  public convenience init(fileDescriptor: Int32, closeOnDealloc: Bool = false) { self.init() }
  public var fileDescriptor: Int32 { 0 }
  public var availableData: Data { Data() }
  public func readToEnd() throws -> Data? { nil }
  public func readDataToEndOfFile() -> Data { Data() }
  public func read(upToCount count: Int) throws -> Data? { nil }
  public func write<Bytes: DataProtocol>(contentsOf data: Bytes) throws {}
  @discardableResult public func seekToEnd() throws -> UInt64 { 0 }
  public func truncate(atOffset offset: UInt64) throws {}
  public func close() throws {}
}

open class Pipe: NSObject, @unchecked Sendable {
  public var fileHandleForReading: FileHandle { fatalError() }
  public var fileHandleForWriting: FileHandle { fatalError() }
}

@available(iOS, unavailable)
open class Process: NSObject, @unchecked Sendable {
  public enum TerminationReason: Int, Sendable { case exit = 1, uncaughtSignal = 2 }
  public var executableURL: URL?
  public var currentDirectoryURL: URL?
  public var arguments: [String]?
  public var environment: [String: String]?
  public var standardInput: Any?
  public var standardOutput: Any?
  public var standardError: Any?
  public var processIdentifier: Int32 { 0 }
  public var isRunning: Bool { false }
  public var terminationStatus: Int32 { 0 }
  public var terminationReason: TerminationReason { .exit }
  public var terminationHandler: (@Sendable (Process) -> Void)?
  public func run() throws {}
  public func terminate() {}
  public func interrupt() {}
  public func waitUntilExit() {}
}

public struct CharacterSet: Sendable, Hashable {
  public init(charactersIn text: String) {}
  public static var whitespaces: CharacterSet { CharacterSet(charactersIn: "") }
  public static var whitespacesAndNewlines: CharacterSet { CharacterSet(charactersIn: "") }
  public static var newlines: CharacterSet { CharacterSet(charactersIn: "") }
}

extension String {
  public struct CompareOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var regularExpression: CompareOptions { [] }
    public static var backwards: CompareOptions { [] }
    public static var caseInsensitive: CompareOptions { [] }
  }
  public struct Encoding: Sendable, Hashable {
    public static var utf8: Encoding { Encoding() }
    public static var utf16: Encoding { Encoding() }
    public static var utf16LittleEndian: Encoding { Encoding() }
    public static var utf16BigEndian: Encoding { Encoding() }
    public static var ascii: Encoding { Encoding() }
    public static var isoLatin1: Encoding { Encoding() }
  }
  public init(format: String, _ arguments: any CVarArg...) { self = format }
  public init(contentsOfFile path: String, encoding: Encoding) throws { self = path }
  public init(contentsOf url: URL, encoding: Encoding) throws { self = "" }
  public init?(data: Data, encoding: Encoding) { nil }
  public init(_ string: NSString) { self = "" }
}

extension StringProtocol {
  public func replacingOccurrences<Target: StringProtocol, Replacement: StringProtocol>(
    of target: Target, with replacement: Replacement, options: String.CompareOptions = [],
    range: Range<Index>? = nil
  ) -> String { "" }
  public func components<Separator: StringProtocol>(separatedBy separator: Separator) -> [String] { [] }
  public func components(separatedBy separator: CharacterSet) -> [String] { [] }
  public func trimmingCharacters(in set: CharacterSet) -> String { "" }
  public func range<Other: StringProtocol>(
    of other: Other, options: String.CompareOptions = [], range: Range<Index>? = nil
  ) -> Range<Index>? { nil }
  public func data(using encoding: String.Encoding, allowLossyConversion: Bool = false) -> Data? { nil }
  public func contains<Other: StringProtocol>(_ other: Other) -> Bool { false }
  public var capitalized: String { "" }
  public func write(toFile path: String, atomically: Bool, encoding: String.Encoding) throws {}
  public func write(to url: URL, atomically: Bool, encoding: String.Encoding) throws {}
}

public let NSLocalizedDescriptionKey = ""

extension Data.Base64EncodingOptions {
  public static var lineLength64Characters: Self { [] }
  public static var endLineWithLineFeed: Self { [] }
}

extension NSNumber: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral {
  public convenience init(value: UInt64) { self.init(longLong: 0) }
  public convenience init(value: UInt8) { self.init(longLong: 0) }
  public required convenience init(integerLiteral value: Int) { self.init(integer: value) }
  public required convenience init(floatLiteral value: Double) { self.init(double: value) }
  public required convenience init(booleanLiteral value: Bool) { self.init(bool: value) }
  public var stringValue: String { "" }
}

extension NSString {
  public convenience init(string: String) { self.init() }
}

public struct POSIXError: Error {
  public enum Code: Int32, Sendable { case EADDRNOTAVAIL = 49 }
  public init(_ code: Code) {}
}

extension HTTPURLResponse {
  public convenience init?(url: URL, statusCode: Int, httpVersion: String?, headerFields: [String: String]?) {
    self.init()
  }
}

extension Error {
  public var localizedDescription: String { "" }
}
