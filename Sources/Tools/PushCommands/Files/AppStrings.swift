import PushFiles
import PushReceiver

/// The texts of the app that `--strings` names, in the first language of `--language` that has them.
enum AppStrings {
  /// Reads the file; without one, every key shows itself.
  static func load(from arguments: Arguments) throws(ToolError) -> any LocalizedStrings {
    let isCatalog = arguments[.strings]?.hasSuffix(".xcstrings") == true
    guard isCatalog || !arguments.isGiven(.language) else {
      throw .usage("\(Option.language) needs \(Option.strings) with an .xcstrings file")
    }
    guard arguments.isGiven(.strings) else { return NoStrings() }
    let path = try arguments.file(.strings)
    let (bytes, languages) = (try read(from: path), try arguments[.language] ?? [])
    do throws(StringTableError) {
      return isCatalog
        ? try StringTable(catalog: bytes.span, languages: languages)
        : try StringTable(strings: bytes.span)
    } catch {
      throw StringTableFailure.describe(error, at: path)
    }
  }

  private static func read(from path: String) throws(ToolError) -> [UInt8] {
    let file = try FileInput.open(path)
    do throws(FileError) {
      return try file.readToEnd(atMost: StringTable.maximumSize)
    } catch .tooLarge {
      throw StringTableFailure.describe(.tooLarge, at: path)
    } catch {
      throw FileFailure.reading(error, from: path)
    }
  }
}

extension Option<String> {
  static var strings: Self { Self("--strings", "FILE", file: .input) }
}

extension Option<[String]> {
  static var language: Self { .names("--language", "LIST") }
}
